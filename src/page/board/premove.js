import { isEngineToMove, isEngineToMoveHere, isGameOver, setState, sideWords, state, subscribe, TEXT,
    viewedScene } from "../core/index.js";

/**
 * A premove: the sites of a move that a person chooses while the engine is to move.
 *
 * The page knows only after the engine's move whether the premove is legal. Then the page chooses
 * its sites in order. Therefore a premove always equals these choices in the position after the
 * engine's move. Any other change of the game or of the viewed position cancels the premove.
 */

/** Returns whether a premove can be made now. */
export const canPremove = () => state.app.settings.premove && state.engine.offlineReason === null
    && isEngineToMoveHere() && state.game.setup.players.includes("person");

/**
 * Plays or drops the premove when the current position changes.
 *
 * @param {(sites: string[], isCareful: boolean) => Promise<void>} play
 */
export function setUpPremoves(play) {
    subscribe(() => [state.game.tip, state.game.viewedNode, state.game.setup, state.engine.offlineReason,
        state.app.settings, isGameOver()],
        () => resolvePremove(play));
}

/**
 * Adds a site to the premove.
 *
 * @param {string} site
 * @param {boolean} isCareful Whether the complete move waits for confirmation.
 */
export function addPremoveSite(site, isCareful) {
    const { tip, setup: { players } } = state.game;
    const sites = state.board.premove?.sites ?? [];
    if (site === sites.at(-1)) {
        cancelPremove();
        return;
    }
    const piece = pieceAt(site);
    const isEnginePiece = piece !== undefined && piece.side !== null && players[piece.side] === "engine";
    // A piece moves on from its site. Its first target may have another piece of its side, because
    // the engine may capture that piece first. After the first step, choosing such a piece begins a
    // new premove.
    const isPossibleTarget = piece === undefined || isEnginePiece || (piece.side !== null && sites.length === 1);
    const isContinuation = sites.length > 0 && pieceAt(sites[0]) !== undefined && isPossibleTarget;
    if (!isContinuation && isEnginePiece) {
        const side = sideWords()[/** @type {number} */ (piece.side)];
        setState({ app: { note: TEXT.enginePiece(piece.kind, site, side) } });
        return;
    }
    const chosen = isContinuation ? [...sites, site] : [site];
    setState({ board: { premove: { sites: chosen, tip, isCareful } }, app: { note: TEXT.premove(chosen) } });
}

/** Cancels the premove. */
export function cancelPremove() {
    if (state.board.premove) setState({ board: { premove: null }, app: { note: "" } });
}

/** @param {string} site */
const pieceAt = (site) => viewedScene().pieces.find((piece) => piece.site === site);

/**
 * Plays the premove when its turn has come. Drops the premove if its turn cannot come.
 *
 * @param {(sites: string[], isCareful: boolean) => Promise<void>} play
 */
function resolvePremove(play) {
    const { premove: planned } = state.board;
    const { tip, viewedNode } = state.game;
    if (!planned) return;
    if (tip === planned.tip && canPremove()) return;
    if (tip.parent === planned.tip && canPremove()) {
        // Another engine moves before the person.
        setState({ board: { premove: { ...planned, tip } } });
        return;
    }
    const isTurnReached = tip.parent === planned.tip && viewedNode === tip && !isGameOver() && !isEngineToMove();
    setState({ board: { premove: null }, app: { note: "" } });
    if (isTurnReached) void play(planned.sites, planned.isCareful);
}
