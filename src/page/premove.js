import { change, isEngineDue, isEngineDueHere, isOver, scene, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/**
 * A premove: the sites of a move that a person chooses while the engine is to move.
 *
 * Whether it is legal is known only after the engine's move. Then the page chooses its sites in
 * order, so that a premove is always equal to these choices in the position after the engine's move.
 * Any other change of the game or of the viewed position cancels it.
 */

/** @typedef {{ sites: string[], tip: import("./tree.js").GameNode, careful: boolean }} Premove */

/** Returns whether a premove can be made now. */
export const mayPremove = () => state.settings.premove && state.offline === null && isEngineDueHere()
    && state.setup.players.includes("person");

/**
 * Plays or drops the premove when the current position changes.
 *
 * @param {(sites: string[], careful: boolean) => Promise<void>} play
 */
export function watchPremoves(play) {
    whenever(() => [state.tip, state.here, state.setup, state.offline, state.settings, isOver()], () => settle(play));
}

/**
 * Adds a site to the premove.
 *
 * @param {string} site
 * @param {boolean} careful Whether the complete move waits for confirmation.
 */
export function premove(site, careful) {
    const { tip } = state;
    const sites = state.premove?.sites ?? [];
    if (site === sites.at(-1)) {
        endPremove();
        return;
    }
    const piece = pieceAt(site);
    const isTheirs = piece !== undefined && piece.side !== null && state.setup.players[piece.side] === "engine";
    // A piece moves on from its site. Its target may hold another piece of its side, which may be captured by
    // then; after the first step, such a piece begins a new premove.
    const isFree = piece === undefined || isTheirs || (piece.side !== null && sites.length === 1);
    const goesOn = sites.length > 0 && pieceAt(sites[0]) !== undefined && isFree;
    if (!goesOn && isTheirs) {
        change({ note: TEXT.notYours(piece.kind, site, sides()[/** @type {number} */ (piece.side)]) });
        return;
    }
    const chosen = goesOn ? [...sites, site] : [site];
    change({ premove: { sites: chosen, tip, careful }, note: TEXT.premove(chosen) });
}

/** Cancels the premove. */
export function endPremove() {
    if (state.premove) change({ premove: null, note: "" });
}

/** @param {string} site */
const pieceAt = (site) => scene().pieces.find((piece) => piece.site === site);

/**
 * Plays the premove if its turn has come, and drops it if its turn cannot come.
 *
 * @param {(sites: string[], careful: boolean) => Promise<void>} play
 */
function settle(play) {
    const { premove: made, tip } = state;
    if (!made) return;
    if (tip === made.tip && mayPremove()) return;
    if (tip.parent === made.tip && mayPremove()) {
        // Another engine moves before the person.
        change({ premove: { ...made, tip } });
        return;
    }
    const isTime = tip.parent === made.tip && state.here === tip && !isOver() && !isEngineDue();
    change({ premove: null, note: "" });
    if (isTime) void play(made.sites, made.careful);
}
