/** @import { GameNode } from "../core/game-tree.js" */
/** @import { ClickResult, Successor } from "../core/types.js" */
import { selectionResetChanges, currentClickChoices, moveBlockedReason, moveReadyToMake, setState, sideWords, state,
    subscribe, TEXT, viewedScene, viewOfNode } from "../core/index.js";
import { describeError, requestFieldsOfPosition, sendRequest } from "../engine/index.js";
import { makeMove } from "../game/index.js";
import { addPremoveSite, cancelPremove, canPremove } from "./premove.js";

/**
 * The input of a move: the sites that are selected so far. They belong to the page, not to the
 * engine.
 *
 * Each choice takes one request. The request asks for the sites that can follow and, if the sites
 * make a move, for the position after the move. The page plays the move when no site can follow. If
 * the move is complete but other sites can follow, the person confirms the move. A move by finger
 * always needs confirmation, because fingers miss.
 */

/** @type {Promise<void>} The processing of the last choice. Choices are processed in order. */
let queue = Promise.resolve();
/** @type {WeakMap<GameNode, Map<string, Promise<ClickResult>>>} The meaning of sites in positions. */
let clickResults = new WeakMap();
/** @type {WeakMap<GameNode, Map<string, Successor>>} The known positions after moves. */
const successors = new WeakMap();

/** Drops pending responses when a new game starts. */
export function dropResponsesOnNewGame() {
    subscribe(() => [state.game.root], () => {
        queue = Promise.resolve();
        clickResults = new WeakMap();
    });
}

/** Cancels the move that was begun, and the premove. */
export function cancelMoveInput() {
    cancelPremove();
    const { chosenSites, pendingMove } = state.board;
    setState({ app: { note: "" } }, chosenSites.length > 0 || pendingMove ? selectionResetChanges() : {});
}

/** Plays the move that is ready. */
export async function confirmMove() {
    const move = moveReadyToMake();
    if (move === null || moveBlockedReason() !== null) return;
    const { viewedNode } = state.game;
    await makeMove(move, viewedNode, successors.get(viewedNode)?.get(move));
}

/**
 * Chooses a site. Even fast choices are processed in order.
 *
 * @param {string} site
 * @param {boolean} isCareful Whether a complete move waits for confirmation.
 */
export function chooseSite(site, isCareful) {
    const showError = (/** @type {Error} */ error) => setState({ app: { note: describeError(error) } });
    queue = queue.then(() => processChoice(site, isCareful)).catch(showError);
    return queue;
}

/** @param {string} site @param {boolean} isCareful */
async function processChoice(site, isCareful) {
    const { chosenSites, pendingMove, isTentative } = state.board;
    const blocked = moveBlockedReason();
    if (canPremove()) addPremoveSite(site, isCareful);
    else if (blocked !== null) setState({ app: { note: blocked } });
    else if (pendingMove?.site === site) await confirmMove();
    else if (currentClickChoices().next.includes(site)) await extendMove([...selectedSites(), site], isCareful);
    else if (chosenSites.at(-1) === site && (isTentative || currentClickChoices().move === null)) cancelMoveInput();
    else if (chosenSites.at(-1) === site) await confirmMove();
    else if (viewOfNode(state.game.viewedNode).clicks.next.includes(site)) await extendMove([site], isCareful);
    else await explainRejection(site);
}

/**
 * Chooses the sites of a premove in order. If they make no legal move, shows the reason.
 *
 * @param {string[]} sites
 * @param {boolean} isCareful Whether a complete move waits for confirmation.
 */
export function playPremove(sites, isCareful) {
    const { viewedNode } = state.game;
    const chooseAll = async () => {
        if (viewedNode !== state.game.viewedNode || state.board.chosenSites.length > 0) return;
        if (moveBlockedReason() !== null) return;
        const isSame = watchSelection();
        const { clicks: { move, next, reason } } = await clickResultForSites(sites);
        if (!isSame()) return;
        if (move === null && next.length === 0) setState({ app: { note: TEXT.premoveDropped(sites, reason) } });
        else await extendMove(sites, isCareful);
    };
    queue = queue.then(chooseAll).catch((error) => setState({ app: { note: describeError(error) } }));
    return queue;
}

/** Returns whether the piece on a site can be dragged. @param {string} site */
export function canDragPiece(site) {
    const piece = viewedScene().pieces.find((other) => other.site === site);
    if (!piece) return false;
    if (canPremove()) return piece.side === null || state.game.setup.players[piece.side] === "person";
    return currentClickChoices().next.includes(site) || selectedSites().at(-1) === site;
}

/**
 * Plays a typed move.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether it is a legal move.
 */
export async function playTypedMove(text) {
    const blocked = moveBlockedReason();
    if (blocked !== null) {
        setState({ app: { note: blocked } });
        return false;
    }
    const { viewedNode } = state.game;
    // People may put spaces between the sites.
    const withoutSpaces = text.replace(/\s+/g, "");
    if (withoutSpaces === "") {
        setState({ app: { note: TEXT.noMoveTyped } });
        return false;
    }
    const request = sendRequest({ ...requestFieldsOfPosition(viewedNode), ask: ["legal", "successor"],
        move: withoutSpaces });
    const { legal: { move, reason, rule }, successor } = await request;
    if (viewedNode !== state.game.viewedNode) return false;
    if (move === null && reason !== null) showReason(reason, rule);
    else if (move === null) setState({ app: { note: TEXT.notAMove(text) } });
    else void makeMove(move, viewedNode, successor);
    return move !== null;
}

/** Shows why a move is illegal. @param {string} reason @param {string | null} rule The id of the rule. */
function showReason(reason, rule) {
    const note = TEXT.illegal(reason);
    setState({ app: { note, noteRule: rule === null ? null : { note, rule } } });
}

/** Returns the selected sites of a move that has begun. */
export const selectedSites = () => (state.board.isTentative ? [] : state.board.chosenSites);

/** Returns a function that tells whether the selection is unchanged. */
function watchSelection() {
    const { viewedNode } = state.game;
    const { chosenSites, pendingMove } = state.board;
    return () => viewedNode === state.game.viewedNode && chosenSites === state.board.chosenSites
        && pendingMove === state.board.pendingMove;
}

/** Extends the selection. @param {string[]} chosenSites @param {boolean} isCareful */
async function extendMove(chosenSites, isCareful) {
    setState({ app: { note: "" } });
    const isSame = watchSelection();
    const { clicks: nextClicks, successor } = await clickResultForSites(chosenSites);
    if (!isSame()) return;
    const none = selectionResetChanges();
    const { hint } = state.board;
    if (nextClicks.move === null) {
        setState(none, { board: { hint, chosenSites, nextClicks } });
    } else if (nextClicks.next.length > 0) {
        const partialMove = successor?.details ?? null;
        setState(none, { board: { hint, chosenSites, nextClicks, partialMove }, app: { note: TEXT.canStop } });
    } else if (isCareful) {
        // The move is only shown. Therefore the selection is the one before its last site.
        const sites = chosenSites.slice(0, -1);
        const earlier = sites.length > 0 ? (await clickResultForSites(sites)).clicks : null;
        if (!isSame()) return;
        const site = /** @type {string} */ (chosenSites.at(-1));
        const details = successor?.details ?? null;
        const pendingMove = { site, move: nextClicks.move, details };
        const note = TEXT.confirm(nextClicks.move);
        setState(none, { board: { hint, chosenSites: sites, nextClicks: earlier, pendingMove }, app: { note } });
    } else {
        await makeMove(nextClicks.move, state.game.viewedNode, successor);
    }
}

/**
 * Explains why no move continues with a site. A piece of the person's side stays selected. If the
 * next choice fails as its target, the page can explain this as well.
 *
 * @param {string} site
 */
async function explainRejection(site) {
    const isSame = watchSelection();
    const chosen = [...state.board.chosenSites, site];
    const { clicks: whole } = await clickResultForSites(chosen);
    const { clicks: alone } = whole.why === null ? await clickResultForSites([site]) : { clicks: whole };
    if (!isSame()) return;
    const { pieces, marks } = viewedScene();
    // A wall in a groove never moves. Then the reason why the groove is not free says more.
    const isGroove = state.game.geometry.sites.some(({ id, class: name }) => id === site && name === "groove");
    const turn = viewOfNode(state.game.viewedNode).status.player;
    const piece = state.board.chosenSites.length === 0 && !isGroove && pieces.find((other) => other.site === site);
    const mark = marks.find((other) => other.site === site);
    if (piece && piece.side !== null && piece.side !== turn) {
        setState({ app: { note: TEXT.otherSide(piece.kind, site, sideWords()[piece.side], sideWords()[turn]) } });
    } else if (piece && mark) {
        setState({ app: { note: TEXT.marked(piece.kind, site, mark.kind) } });
    } else if (piece && (piece.side !== null || alone.why === null)) {
        setState({
            board: { chosenSites: [site], nextClicks: currentClickChoices(), isTentative: true, pendingMove: null },
            app: { note: TEXT.chooseTarget(piece.kind, site) },
        });
    } else {
        const none = state.board.chosenSites.length === 0 ? TEXT.noMoveFrom(site) : TEXT.noMoveThrough(chosen);
        const { reason, rule } = whole.reason === null ? alone : whole;
        if (reason === null) setState({ app: { note: none } });
        else showReason(reason, rule);
    }
}

/** Returns whether the meaning of these sites was requested. @param {string[]} sites */
export const isClickResultRequested = (sites) => clickResults.get(state.game.viewedNode)?.has(sites.join(" ")) ?? false;

/** Returns the meaning of these sites in the viewed position. The meaning is requested once. @param {string[]} sites */
export function clickResultForSites(sites) {
    const { viewedNode } = state.game;
    const known = clickResults.get(viewedNode) ?? new Map();
    clickResults.set(viewedNode, known);
    const key = sites.join(" ");
    if (!known.has(key)) known.set(key, requestClickResult(viewedNode, sites));
    return /** @type {Promise<ClickResult>} */ (known.get(key));
}

/** Requests the meaning of sites. @param {GameNode} node @param {string[]} sites @returns {Promise<ClickResult>} */
async function requestClickResult(node, sites) {
    const response = await sendRequest({ ...requestFieldsOfPosition(node), ask: ["clicks", "successor"],
        clicks: sites });
    const result = /** @type {ClickResult} */ (response);
    if (result.successor) {
        const known = successors.get(node) ?? new Map();
        successors.set(node, known.set(result.successor.details.move, result.successor));
    }
    return result;
}
