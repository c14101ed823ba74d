import { change, isEngineDue, isEngineDueHere, isOver, scene, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/**
 * A premove: the sites of a move that a person chooses while the engine is to move.
 *
 * Whether it is a move is not known before the engine has moved. Then the engine is asked as if the sites were chosen
 * one after the other. So a premove is never anything else than those choices, in the position after the engine's move.
 * It is given up when anything else happens to the game, or another position is looked at.
 */

/** @typedef {{ sites: string[], tip: import("./tree.js").GameNode, careful: boolean }} Premove */

/** Whether a premove can be made now. */
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
 * A site is chosen for a premove.
 *
 * @param {string} site
 * @param {boolean} careful Whether the move waits to be confirmed when it can be made.
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
    // A piece goes on from where it stands. It may go where another piece of its side stands, which may be captured by
    // then; later on that one begins a move of its own.
    const isFree = piece === undefined || isTheirs || (piece.side !== null && sites.length === 1);
    const goesOn = sites.length > 0 && pieceAt(sites[0]) !== undefined && isFree;
    if (!goesOn && isTheirs) {
        change({ note: TEXT.notYours(piece.kind, site, sides()[/** @type {number} */ (piece.side)]) });
        return;
    }
    const chosen = goesOn ? [...sites, site] : [site];
    change({ premove: { sites: chosen, tip, careful }, note: TEXT.premove(chosen) });
}

/** Gives the premove up. */
export function endPremove() {
    if (state.premove) change({ premove: null, note: "" });
}

/** @param {string} site */
const pieceAt = (site) => scene().pieces.find((piece) => piece.site === site);

/**
 * Plays the premove if it is time, and drops it if its time will not come.
 *
 * @param {(sites: string[], careful: boolean) => Promise<void>} play
 */
function settle(play) {
    const { premove: made, tip } = state;
    if (!made) return;
    if (tip === made.tip && mayPremove()) return;
    if (tip.parent === made.tip && mayPremove()) {
        // Another engine moves before the person does.
        change({ premove: { ...made, tip } });
        return;
    }
    const isTime = tip.parent === made.tip && state.here === tip && !isOver() && !isEngineDue();
    change({ premove: null, note: "" });
    if (isTime) void play(made.sites, made.careful);
}
