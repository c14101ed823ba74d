import { change, state, whenever } from "./state.js";

/** What somebody has set for all games, which this browser keeps. */

const KEY = "settings";
/** The colours of boards that `themes.css` has, and the usual ones. */
export const THEMES = /** @type {const} */ (["wood", "stone", "sea"]);

/**
 * @typedef {object} Settings
 * @property {typeof THEMES[number]} theme The colours of boards.
 * @property {boolean} large Whether pieces, and what may be chosen, are larger.
 * @property {boolean} confirmTap Whether a finger confirms each move by a second tap.
 * @property {boolean} premove Whether a move may be made while the engine thinks.
 * @property {boolean | null} sounds Whether there are any; nothing until it was asked.
 */

/** @type {Settings} */
const USUAL = { theme: "wood", large: false, confirmTap: true, premove: true, sounds: null };

/** Takes over the settings that the browser keeps, and lets the looks follow them. */
export function takeSettings() {
    change({ settings: kept() });
    const { dataset } = document.documentElement;
    whenever(() => [state.settings], () => {
        dataset.theme = state.settings.theme;
        dataset.pieces = state.settings.large ? "large" : "usual";
    });
}

/** Sets something, and keeps it. @param {Partial<Settings>} changes */
export function set(changes) {
    const settings = { ...state.settings, ...changes };
    change({ settings });
    try {
        localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
        // The browser keeps nothing: the settings hold until the page is closed.
    }
}

/** @returns {Settings} The usual ones for what is not kept, or is none that this page knows. */
function kept() {
    try {
        const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
        const isKnown = (/** @type {[string, any]} */ [name, value]) =>
            (name === "theme" ? THEMES.includes(value) : typeof value === "boolean");
        return { ...USUAL, ...Object.fromEntries(Object.entries(found).filter(isKnown)) };
    } catch {
        return USUAL;
    }
}
