import { byId } from "./dom.js";

/** @param {string} text What the player is told, besides whose turn it is. Nothing takes the last note away. */
export function note(text) {
    byId("note", HTMLElement).textContent = text;
}
