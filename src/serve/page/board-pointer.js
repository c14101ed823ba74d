/** @import { Board } from "./board.js" */
import { hit } from "./hit-test.js";
import { hover } from "./hover.js";
import { choose } from "./move-input.js";
import { choices, state } from "./state.js";

/** How far from a site a click may be that means it, in squares. */
const REACH = 0.45;

/**
 * Lets the mouse and fingers play: a click chooses a site, a mouse may also drag a piece to where it goes, and the site
 * under the mouse shows its move.
 *
 * @param {Board} board
 */
export function listen(board) {
    const { element } = board;
    let touch = false;
    let dragged = false;
    /** @type {string | null} Where the mouse button went down. */
    let origin = null;

    /** @typedef {{ clientX: number, clientY: number }} Point */
    const among = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) =>
        hit(board, sites, point, REACH);
    const within = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) => hit(board, sites, point, 0);
    /** A finger that misses means what may be chosen nearby. A mouse means what it is on, if it is on anything. */
    const chosen = (/** @type {Point} */ point) =>
        within(candidates(), point) ?? (touch ? null : within(board.sites.keys(), point))
            ?? among(candidates(), point) ?? among(board.sites.keys(), point);
    const next = (/** @type {Point} */ point) => {
        const site = chosen(point);
        return site !== null && choices().next.includes(site) ? site : null;
    };

    element.addEventListener("pointerdown", (event) => {
        touch = event.pointerType === "touch";
        dragged = false;
        origin = touch ? null : chosen(event);
    });
    element.addEventListener("pointermove", (event) => {
        touch = event.pointerType === "touch";
        if (!touch) hover(next(event));
    });
    element.addEventListener("pointerleave", () => hover(null));
    element.addEventListener("pointerup", async (event) => {
        const start = origin;
        origin = null;
        // A drag begins at a piece that may move, or that is chosen already, and ends somewhere else.
        if (touch || start === null || !board.pieces.has(start) || among([start], event) === start) return;
        if (state.chosen.at(-1) !== start && !choices().next.includes(start)) return;
        dragged = true;
        if (state.chosen.at(-1) !== start) await choose(start, false);
        const end = next(event);
        if (end !== null) await choose(end, false);
    });
    element.addEventListener("click", (event) => {
        if (dragged) {
            dragged = false;
            return;
        }
        // A screen reader clicks an element and no point.
        const pointless = event.detail === 0 && event.target instanceof Element;
        const target = pointless ? event.target.closest("[data-site]") : null;
        const site = target?.getAttribute("data-site") ?? chosen(event);
        if (site) void choose(site, touch && !pointless);
    });
}

/** The sites that a click may mean: those that may be chosen, and one that has been chosen. */
const candidates = () => new Set([...choices().next, ...state.chosen.slice(-1)]);
