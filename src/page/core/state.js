/** @import { GameNode } from "./game-tree.js" */
/** @import { AllowedEndings, Clicks, Clocks, Details, End, GameInfo, Geometry, Lesson, Option } from "./types.js" */
/** @import { HoverTarget, PositionView, PracticeSession, Premove, Review, ReviewedMove } from "./types.js" */
/** @import { SaveInfo, Scene, Settings, Setup, UserShapes } from "./types.js" */
import { TEXT } from "./strings.js";

/**
 * The state of the page: everything that the page knows and shows.
 *
 * The `tip` is the current position of the game. The players and the engine move there. The line to
 * the `tip` is the main line of the tree. A move in any other position makes a variation and does
 * not change the game.
 *
 * @typedef {object} State
 * @property {GameInfo[]} games All games.
 * @property {Option[]} options All options.
 * @property {string | null} offlineReason The reason why there is no engine; `null` while an engine is available.
 * @property {boolean} isTakenOver Whether another tab has taken over the game.
 * @property {SaveInfo | null} saveInfo The identity of the game for saving; `null` if the game is not saved.
 * @property {string | null} saveError The reason why the browser does not store the game; `null` while the browser
 * stores it.
 * @property {Setup} setup
 * @property {Geometry} geometry
 * @property {AllowedEndings} allowedEndings The ways in which the players may end the game, from its start on.
 * @property {string | null} start The FEN of the first position; `null` for the start position.
 * @property {[string, string][]} tags The tags of the record that people added, such as names and the date.
 * @property {GameNode} root The first position, with all moves from it.
 * @property {number} treeVersion The number of changes of the tree.
 * @property {GameNode} tip The current position of the game. Its view is known.
 * @property {End | null} end How a player has ended the game.
 * @property {GameNode} viewedNode The viewed position, which the board shows. Its view is known.
 * @property {GameNode} targetNode The position that will be viewed as soon as its view is known.
 * @property {number} engineRetries The number of requests to let the engine start its move again.
 * @property {Clocks} clocks
 * @property {string} note A message in addition to the sentence about the position.
 * @property {string} loading A message while the engine waits for files.
 * @property {boolean} flipped Whether the second side is at the bottom.
 * @property {string[]} chosenSites The sites that are selected for a move.
 * @property {Clicks | null} nextClicks The sites that can follow; `null` before the first site.
 * @property {boolean} isTentative Whether the selection is a piece without a legal move. The next choice then begins a
 * move.
 * @property {{ site: string, move: string, details: Details | null } | null} pendingMove A move that a finger must
 * confirm.
 * @property {Details | null} partialMove The effects of the move if it ends here.
 * @property {Details | null} hoveredMove The effects of the move of the hovered site.
 * @property {HoverTarget[]} hoverTargets The sites that can follow the hovered site.
 * @property {Details | null} hint The effects of the move that the engine suggests.
 * @property {Premove | null} premove The move to play after the engine's move.
 * @property {UserShapes} userShapes The arrows and marks that the user has drawn.
 * @property {Settings} settings
 * @property {boolean} analysing Whether the analysis is on.
 * @property {boolean} counting Whether the page shows what players count.
 * @property {number} lineCount The number of lines in the analysis.
 * @property {boolean} searching Whether the analysis is searching.
 * @property {GameNode | null} infiniteNode The position that is searched without a limit.
 * @property {{ moves: string[], scene: Scene | null } | null} preview The line whose last position is previewed.
 * @property {{ nodes: GameNode[], result: Review | null, isRunning: boolean } | null} review The review of the game.
 * @property {Lesson | null} lesson The current lesson.
 * @property {PracticeSession | null} practice The current session of problems, drills or turning points.
 */

/** @type {State} The state of the page. It is filled before the first drawing. Only {@link setState} changes it. */
export const state = Object.assign(/** @type {any} */ ({}), {
    games: [], options: [], offlineReason: null, isTakenOver: false, saveInfo: null, saveError: null,
    treeVersion: 0, engineRetries: 0, loading: "", tags: [], flipped: false, ...clearedSelection(),
    premove: null, userShapes: { marks: [], arrows: [], draft: null },
    analysing: false, counting: false, lineCount: 3, searching: false, infiniteNode: null, preview: null, review: null,
    lesson: null, practice: null,
});

/** @typedef {{ parts: () => unknown[], draw: (old: any[]) => void, last: unknown[] }} Subscription */

/** @type {Subscription[]} */
const subscriptions = [];

/**
 * Calls a function when one of these parts of the state has changed. Parts are compared by identity.
 *
 * @param {() => unknown[]} parts
 * @param {(old: any[]) => void} draw Called with the previous values. The first call has an empty list.
 */
export function subscribe(parts, draw) {
    subscriptions.push({ parts, draw, last: [] });
}

/** Changes the state, and calls the subscribers of the changed parts. @param {Partial<State>} changes */
export function setState(changes = {}) {
    Object.assign(state, changes);
    for (const view of subscriptions) {
        const now = view.parts();
        const { last } = view;
        if (now.length === last.length && now.every((part, index) => part === last[index])) continue;
        view.last = now;
        view.draw(last);
    }
}

/** Returns the state changes that clear the selection, the hint and the message. */
export function clearedSelection() {
    return {
        chosenSites: /** @type {string[]} */ ([]), nextClicks: null, isTentative: false, pendingMove: null,
        partialMove: null, hoveredMove: null, hoverTargets: /** @type {HoverTarget[]} */ ([]), hint: null, note: "",
    };
}

/** Returns the view of a position. The view must be known. @param {GameNode} node */
export const viewOfNode = (node) => /** @type {PositionView} */ (node.view);

/** Returns the scene of the viewed position. */
export const viewedScene = () => viewOfNode(state.viewedNode).scene;

/** Returns the words of the sides. */
export const sideWords = () => state.geometry.sides;

/** Returns whether the current game is over. */
export const isGameOver = () => viewOfNode(state.tip).scene.turn === null;

/** Returns whether the viewed position is the current one of the game. */
export const isViewingCurrentPosition = () => state.viewedNode === state.tip;

/** Returns whether the viewed position is in a variation. */
export const isInVariation = () => !state.viewedNode.contains(state.tip);

/** Returns the index of the player to move in the game, even if the game is over. */
export const playerToMove = () => viewOfNode(state.tip).status.player;

/** Returns whether the engine is to move in the game. */
export const isEngineToMove = () => !isGameOver() && state.setup.players[playerToMove()] === "engine";

/** Returns whether the engine is to move in the viewed position. */
export const isEngineToMoveHere = () => isViewingCurrentPosition() && isEngineToMove();

/** Returns whether a lesson or an exercise is shown in place of the current game. */
export const isGameSuspended = () => state.lesson !== null || state.practice !== null;

/** Returns the reason why no person can move now; `null` if a person can. */
export function moveBlockedReason() {
    if (state.offlineReason !== null) return TEXT.cannotMove(state.offlineReason);
    if (state.lesson && state.lesson.stage !== "task") return TEXT.waitForTask;
    if (state.practice && state.practice.stage !== "solve") return TEXT.waitForMove;
    if (viewedScene().turn === null) return TEXT.gameOver;
    return isEngineToMoveHere() ? TEXT.notYourTurn : null;
}

/** @type {Clicks} */
const NO_CLICKS = { next: [], move: null, text: null, why: null, reason: null, rule: null };

/** Returns the sites that can be selected now. @returns {Clicks} */
export function currentClickChoices() {
    return moveBlockedReason() === null ? (state.nextClicks ?? viewOfNode(state.viewedNode).clicks) : NO_CLICKS;
}

/** Returns the move that can be made without another choice, if there is such a move. */
export const moveReadyToMake = () => state.pendingMove?.move ?? currentClickChoices().move;

/** Returns the next position of the viewed line. The current position of the game ends the line. */
export function nextPositionInLine() {
    return state.targetNode === state.tip ? null : (state.targetNode.children[0] ?? null);
}

/** Returns the review of the move to a position. @param {GameNode} node @returns {ReviewedMove | undefined} */
export function reviewedMoveTo(node) {
    const { nodes, result } = state.review ?? {};
    return nodes?.[node.ply] === node ? result?.moves[node.ply - 1] : undefined;
}
