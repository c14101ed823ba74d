/** @import { GameNode } from "./game-tree.js" */
/** @import { AllowedEndings, Clicks, Clocks, Details, End, GameInfo, Geometry, Lesson, Option } from "./types.js" */
/** @import { HoverTarget, PositionView, PracticeSession, Premove, Review, ReviewedMove } from "./types.js" */
/** @import { SaveInfo, Scene, Settings, Setup, UserShapes } from "./types.js" */
import { TEXT } from "./strings.js";

/**
 * The state of the page: everything that the page knows and shows, grouped by concern.
 *
 * - Read a field where it is needed: `state.game.tip`.
 * - Change fields only with `setState({ game: { end }, app: { note } })`.
 * - Subscribe to fields with `subscribe(() => [state.game.tip, state.game.end], draw)`. Name fields, not concerns: the
 *   object of a concern stays the same.
 *
 * @typedef {object} State
 * @property {EngineState} engine
 * @property {GameState} game
 * @property {StorageState} storage
 * @property {BoardState} board
 * @property {AnalysisState} analysis
 * @property {LearnState} learn
 * @property {AppState} app
 *
 * @typedef {{ [Concern in keyof State]?: Partial<State[Concern]> }} StateChanges Fields to change.
 *
 * @typedef {object} EngineState The engine.
 * @property {GameInfo[]} games All games.
 * @property {Option[]} options All options.
 * @property {string | null} offlineReason The reason why there is no engine; `null` while an engine is available.
 * @property {string} loading A message while the engine waits for files.
 * @property {number} retries The number of requests to let the engine start its move again.
 *
 * @typedef {object} GameState The current game. The `tip` is its current position. The players and the engine move
 * there. The line to the `tip` is the main line of the tree. A move in any other position makes a variation and does
 * not change the game.
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
 * @property {Clocks} clocks
 * @property {SaveInfo | null} saveInfo The identity of the game for saving; `null` if the game is not saved.
 *
 * @typedef {object} StorageState The store of games.
 * @property {boolean} isTakenOver Whether another tab has taken over the game.
 * @property {string | null} saveError The reason why the browser does not store the game; `null` while the browser
 * stores it.
 *
 * @typedef {object} BoardState The board and the move that is being entered.
 * @property {boolean} flipped Whether the second side is at the bottom.
 * @property {string[]} chosenSites The sites that are selected for a move.
 * @property {Clicks | null} nextClicks The sites that can follow; `null` before the first site.
 * @property {boolean} isTentative Whether the selection is a piece without a legal move. The next choice then begins a
 * move.
 * @property {{ site: string, move: string, details: Details | null } | null} pendingMove A move that a finger must
 * confirm.
 * @property {Details | null} partialMove The effects of the move if it ends here.
 * @property {string | null} hoveredSite The selectable site under the pointer or with the focus.
 * @property {Details | null} hoveredMove The effects of the move of the hovered site.
 * @property {HoverTarget[]} hoverTargets The sites that can follow the hovered site.
 * @property {Details | null} hint The effects of the move that the engine suggests.
 * @property {Premove | null} premove The move to play after the engine's move.
 * @property {UserShapes} userShapes The arrows and marks that the user has drawn.
 * @property {boolean} counting Whether the page shows what players count.
 *
 * @typedef {object} AnalysisState The analysis next to the board, and the review.
 * @property {boolean} isOn Whether the analysis is on.
 * @property {number} lineCount The number of lines in the analysis.
 * @property {boolean} searching Whether the analysis is searching.
 * @property {GameNode | null} infiniteNode The position that is searched without a limit.
 * @property {{ moves: string[], scene: Scene | null } | null} preview The line whose last position is previewed.
 * @property {{ nodes: GameNode[], result: Review | null, isRunning: boolean } | null} review The review of the game.
 *
 * @typedef {object} LearnState What is shown in place of the current game.
 * @property {Lesson | null} lesson The current lesson.
 * @property {PracticeSession | null} practice The current session of problems, drills or turning points.
 *
 * @typedef {object} AppState
 * @property {Settings} settings
 * @property {string} note A message in addition to the sentence about the position.
 * @property {string} startNote The message about the start of the game. The engine's moves do not clear it.
 * @property {{ note: string, rule: string } | null} noteRule The id of the rule that a message is about.
 * @property {boolean} isHome Whether the home is shown in place of the current game.
 */

/** The fields of a new page. The other fields are filled before the first drawing. */
const INITIAL_STATE = {
    engine: { games: [], options: [], offlineReason: null, loading: "", retries: 0 },
    game: { tags: [], treeVersion: 0, saveInfo: null },
    storage: { isTakenOver: false, saveError: null },
    board: {
        flipped: false, premove: null, userShapes: { marks: [], arrows: [], draft: null }, counting: false,
        ...selectionResetChanges().board,
    },
    analysis: { isOn: false, lineCount: 3, searching: false, infiniteNode: null, preview: null, review: null },
    learn: { lesson: null, practice: null },
    app: { note: "", startNote: "", noteRule: null, isHome: false },
};

/** @type {State} The state of the page. Only {@link setState} changes it. */
export const state = /** @type {any} */ (INITIAL_STATE);

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

/**
 * Changes fields of the state, and calls the subscribers of the changed parts. Later changes override earlier ones.
 *
 * @param {StateChanges[]} changes
 */
export function setState(...changes) {
    for (const change of changes) {
        for (const [concern, fields] of Object.entries(change)) {
            Object.assign(state[/** @type {keyof State} */ (concern)], fields);
        }
    }
    for (const view of subscriptions) {
        const now = view.parts();
        const { last } = view;
        if (now.length === last.length && now.every((part, index) => part === last[index])) continue;
        view.last = now;
        view.draw(last);
    }
}

/** Returns the state changes that clear the selection, the hint and the message. */
export function selectionResetChanges() {
    return {
        board: {
            chosenSites: /** @type {string[]} */ ([]), nextClicks: null, isTentative: false, pendingMove: null,
            partialMove: null, hoveredSite: null, hoveredMove: null, hoverTargets: /** @type {HoverTarget[]} */ ([]),
            hint: null,
        },
        app: { note: "" },
    };
}

/** Returns the view of a position. The view must be known. @param {GameNode} node */
export const viewOfNode = (node) => /** @type {PositionView} */ (node.view);

/** Returns the scene of the viewed position. */
export const viewedScene = () => viewOfNode(state.game.viewedNode).scene;

/** Returns the words of the sides. */
export const sideWords = () => state.game.geometry.sides;

/** Returns whether the current game is over. */
export const isGameOver = () => viewOfNode(state.game.tip).scene.turn === null;

/** Returns whether the viewed position is the current one of the game. */
export const isViewingCurrentPosition = () => state.game.viewedNode === state.game.tip;

/** Returns whether the viewed position is in a variation. */
export const isInVariation = () => !state.game.viewedNode.contains(state.game.tip);

/** Returns the index of the player to move in the game, even if the game is over. */
export const playerToMove = () => viewOfNode(state.game.tip).status.player;

/** Returns whether the engine is to move in the game. */
export const isEngineToMove = () => !isGameOver() && state.game.setup.players[playerToMove()] === "engine";

/** Returns whether the engine is to move in the viewed position. */
export const isEngineToMoveHere = () => isViewingCurrentPosition() && isEngineToMove();

/** Returns whether a lesson or an exercise is shown in place of the current game. */
export const isGameSuspended = () => state.learn.lesson !== null || state.learn.practice !== null;

/** Returns the reason why no person can move now; `null` if a person can. */
export function moveBlockedReason() {
    if (state.engine.offlineReason !== null) return TEXT.cannotMove(state.engine.offlineReason);
    if (state.learn.lesson && state.learn.lesson.stage !== "task") return TEXT.waitForTask;
    if (state.learn.practice && state.learn.practice.stage !== "solve") return TEXT.waitForMove;
    if (viewedScene().turn === null) return TEXT.gameOver;
    return isEngineToMoveHere() ? TEXT.notYourTurn : null;
}

/** @type {Clicks} */
const NO_CLICKS = { next: [], move: null, text: null, why: null, reason: null, rule: null };

/** Returns the sites that can be selected now. @returns {Clicks} */
export function currentClickChoices() {
    if (moveBlockedReason() !== null) return NO_CLICKS;
    return state.board.nextClicks ?? viewOfNode(state.game.viewedNode).clicks;
}

/** Returns the move that can be made without another choice, if there is such a move. */
export const moveReadyToMake = () => state.board.pendingMove?.move ?? currentClickChoices().move;

/** Returns the next position of the viewed line. The current position of the game ends the line. */
export function nextPositionInLine() {
    return state.game.targetNode === state.game.tip ? null : (state.game.targetNode.children[0] ?? null);
}

/** Returns the review of the move to a position. @param {GameNode} node @returns {ReviewedMove | undefined} */
export function reviewOfMoveTo(node) {
    const { nodes, result } = state.analysis.review ?? {};
    return nodes?.[node.ply] === node ? result?.moves[node.ply - 1] : undefined;
}
