/** @import { StateChanges } from "../core/state.js" */
/** @import { AllowedEndings, Clocks, Course, End, Moves, SaveInfo, Setup, Successor } from "../core/types.js" */
import { selectionResetChanges, GameNode, isEngineToMove, isGameOver, isInVariation, playerToMove, setState, sideWords,
    state, TEXT, viewOfNode } from "../core/index.js";
import { askAboutPosition, requestFieldsOfPosition, sendRequest } from "../engine/index.js";
import { createClocks, isTimeUp, stoppedClocksAfterMove, clocksWithRunningSide } from "./clock.js";
import { allLinesFromStart, createSaveInfoOfNewGame } from "./game-file.js";
import { addNotesToTree } from "./notes.js";

/** The node limit of the search that decides about a draw offer. */
const DRAW_OFFER_NODES = 20_000;
/** The maximum number of concurrent line requests. The server closes a connection with too many requests. */
const MAX_CONCURRENT_LINES = 8;
/** The questions whose responses make a `PositionView`. */
const VIEW_QUESTIONS = ["scene", "status", "clicks"];

/** The number of the latest change of the current game. Responses for earlier changes are dropped. */
let gameStep = 0;
/** The number of the latest change of the viewed position. Responses for earlier changes are dropped. */
let viewStep = 0;
/** Whether another game is being started. Meanwhile the old game cannot change. */
let isStarting = false;
/** Whether a player is ending the game. A move of the engine that arrives meanwhile is dropped. */
let isEnding = false;

/**
 * Starts a game from the start position or another position.
 *
 * @param {Setup} setup Without options, the default rules apply.
 * @param {{ start?: string | null, moves?: string[], end?: End | null, lines?: string[], line?: Moves,
 *     tags?: [string, string][], times?: number[], saveInfo?: SaveInfo | null, fairStart?: string }} course
 * The FEN of the first position, the moves and the end; all lines, including variations; the moves
 * with their notes; the tags; the remaining times; the identity for saving, `null` to save nothing;
 * and the way in which the game has begun.
 */
export async function startGame(setup, {
    start = null, moves = [], end = null, lines = [], line = [], tags = [], times, saveInfo = createSaveInfoOfNewGame(),
    fairStart = "",
} = {}) {
    const firstPosition = { game: setup.game, options: setup.options, fen: start };
    const step = ++gameStep;
    isStarting = true;
    try {
        const [first, last, others] = await Promise.all([
            sendRequest({ ...firstPosition, ask: ["board", ...VIEW_QUESTIONS] }),
            sendRequest({ ...firstPosition, moves, end, ask: [...VIEW_QUESTIONS, "course"] }),
            fetchCourses(firstPosition, lines),
        ]);
        if (step !== gameStep) return;
        const { sides: { length }, rules, game } = first.board;
        const root = new GameNode();
        root.view = first;
        for (const course of others) addMovesToTree(root, course);
        const tip = addMovesToTree(root, last.course);
        tip.view = last;
        tip.makeMainLine();
        addNotesToTree(root, line);
        const players = adaptPlayersToSideCount(setup.players, length);
        const clocks = createClocks(setup.clock, length);
        if (times && times.length === length) clocks.left = times;
        // If the sides face each other, the board is turned so that a single person is at the
        // bottom.
        const flipped = players[0] === "engine" && players[players.length / 2] === "person";
        showTip(tip, {
            game: {
                geometry: first.board, allowedEndings: first.status.may,
                setup: { ...setup, game, options: rules, players, fairStart }, start, root, end, saveInfo, tags,
            },
            board: { flipped },
            ...analysisOff(players),
        }, clocks);
    } finally {
        if (step === gameStep) isStarting = false;
    }
}

/**
 * Requests the courses of lines, a few at a time.
 *
 * @param {object} firstPosition The fields of their first position.
 * @param {string[]} lines
 */
async function fetchCourses(firstPosition, lines) {
    /** @type {Course[]} */
    const courses = [];
    for (let first = 0; first < lines.length; first += MAX_CONCURRENT_LINES) {
        const some = lines.slice(first, first + MAX_CONCURRENT_LINES);
        const responses = await Promise.all(some.map((moves) => sendRequest({ ...firstPosition, moves,
            ask: "course" })));
        courses.push(...responses.map(({ course }) => course));
    }
    return courses;
}

/** Ignores the pending responses for the current game, the viewed position and a game to start. */
export function ignorePendingResponses() {
    isStarting = false;
    gameStep += 1;
    viewStep += 1;
}

/** Returns the state change that ends the analysis if the engine plays. @param {Setup["players"]} players */
const analysisOff = (players) => (players.includes("engine") ? { analysis: { isOn: false } } : {});

/**
 * Adds the moves of a course to a position, and returns the last position.
 *
 * @param {GameNode} root
 * @param {Course} course
 */
export function addMovesToTree(root, { moves, players }) {
    return moves.reduce((node, move, index) => node.addMove(move, players[index]), root);
}

/**
 * Adapts the choice of players to another number of sides. All people or all engines stay that way.
 * A single person stays at the same side if this side exists.
 *
 * @param {Setup["players"]} players
 * @param {number} count The number of sides.
 * @returns {Setup["players"]}
 */
export function adaptPlayersToSideCount(players, count) {
    if (players.length === count) return players;
    const only = players.every((player) => player === players[0]) ? players[0] : "engine";
    const person = players.indexOf("person");
    const seat = person < count ? person : 0;
    return Array.from({ length: count }, (_, side) => (side === seat && person >= 0 ? "person" : only));
}

/**
 * Starts the game of a record as a new game.
 *
 * @param {string} record
 * @param {Setup} setup The players, level and clock.
 * @param {{ saveInfo?: SaveInfo }} identity The identity for saving.
 */
export async function startGameFromRecord(record, setup = state.game.setup, identity = {}) {
    const { game, options } = setup;
    const { board, course, warnings = [] } = await sendRequest({ record, game, options, ask: ["board", "course"] });
    const lines = allLinesFromStart(course.line).slice(1).map((line) => line.join(" "));
    await startGame({ ...setup, game: board.game, options: board.rules }, { ...course, lines, ...identity });
    return warnings;
}

/**
 * Makes another position the current position of the game.
 *
 * @param {GameNode} tip A position whose view is known.
 * @param {StateChanges} changes Further changes of the state.
 * @param {Clocks} clocks
 */
function showTip(tip, changes, clocks = state.game.clocks) {
    viewStep += 1;
    const { viewedNode = tip, allowedEndings = state.game.allowedEndings } = changes.game ?? {};
    const game = {
        tip, viewedNode, targetNode: viewedNode, treeVersion: state.game.treeVersion + 1,
        clocks: clocksWithMoverRunning(tip, clocks, allowedEndings),
    };
    setState(selectionResetChanges(), { game: { end: null } }, changes, { game });
}

/**
 * Returns the clocks, with the clock of the side to move running. No clock runs before the first
 * move.
 *
 * @param {GameNode} tip
 * @param {Clocks} clocks
 * @param {AllowedEndings} allowedEndings
 */
export function clocksWithMoverRunning(tip, clocks, allowedEndings = state.game.allowedEndings) {
    const { scene: { turn }, status: { player } } = viewOfNode(tip);
    const canLose = turn !== null && allowedEndings.flag.length > 0;
    // A game that continues after a loss on time gets new clocks.
    const now = canLose && isTimeUp(clocks) ? createClocks(clocks.setting,
        clocks.left.length) : clocksWithRunningSide(clocks, -1);
    // If a side cannot lose on time, its clock stops at zero.
    return clocksWithRunningSide(now, turn === null || tip.ply === 0 || now.left[player] === 0 ? -1 : player);
}

/** Requests the view of a position, unless the view is known. @param {GameNode} node */
async function fetchView(node) {
    if (!node.view) {
        const view = await sendRequest({ ...requestFieldsOfPosition(node), ask: VIEW_QUESTIONS });
        node.view ??= view;
    }
}

/** Shows a position on the board. @param {GameNode | null} targetNode */
export async function viewPosition(targetNode) {
    if (!targetNode || isStarting) return;
    const step = ++viewStep;
    setState({ game: { targetNode } });
    await fetchView(targetNode);
    if (step !== viewStep || targetNode === state.game.viewedNode) return;
    setState(selectionResetChanges(), { game: { viewedNode: targetNode } });
}

/**
 * Adds a variation to the viewed position, and shows its last position.
 *
 * @param {string[]} moves Legal moves.
 */
export async function addAndViewVariation(moves) {
    if (isStarting) return;
    const { viewedNode, root } = state.game;
    const step = ++viewStep;
    const response = await sendRequest({ ...requestFieldsOfPosition(viewedNode, moves), ask: [...VIEW_QUESTIONS,
        "course"] });
    if (step !== viewStep) return;
    const node = addMovesToTree(root, response.course);
    node.view ??= response;
    viewChangedTree(node);
}

/** Shows a position after a change of the tree. The current position of the game stays. @param {GameNode} node */
function viewChangedTree(node) {
    const treeVersion = state.game.treeVersion + 1;
    setState(selectionResetChanges(), { game: { viewedNode: node, targetNode: node, treeVersion } });
}

/**
 * Makes a move. In the current position the move is played. In any other position it makes a
 * variation.
 *
 * @param {string} move A legal move.
 * @param {GameNode} from
 * @param {Successor | null} [known] The position after the move, if it was requested before.
 */
export async function makeMove(move, from = state.game.viewedNode, known = null) {
    if (isStarting || isEnding) return;
    const isPlayed = from === state.game.tip;
    const step = isPlayed ? ++gameStep : ++viewStep;
    const old = from.children.find((child) => child.move === move);
    /** @type {Successor} */
    const view = known ?? (old?.view && old.details ? { ...old.view, details: old.details }
        : await askAboutPosition(from, "successor", { move }));
    if (step !== (isPlayed ? gameStep : viewStep)) return;
    const node = from.addMove(move, viewOfNode(from).status.player);
    node.details ??= view.details;
    node.view ??= view;
    if (!isPlayed) {
        viewChangedTree(node);
        return;
    }
    // The viewed variation stays on the board.
    const staying = isInVariation() ? { viewedNode: state.game.viewedNode } : {};
    const { note, startNote } = state.app;
    const lasting = isEngineToMove() && note === startNote ? { note } : {};
    node.makeMainLine();
    showTip(node, { game: staying, app: lasting }, stoppedClocksAfterMove(state.game.clocks, node.mover));
}

/**
 * Deletes a move and all moves after it.
 *
 * @param {GameNode} node The position after the move.
 * @param {() => void} before Called immediately before a move of the game is deleted.
 */
async function deleteMove(node, before = () => {}) {
    const { parent } = node;
    if (isStarting || !parent) return;
    if (node.contains(state.game.tip)) {
        await setTip(parent, () => {
            before();
            node.remove();
        });
        return;
    }
    const wasSeen = node.contains(state.game.viewedNode);
    await fetchView(parent);
    node.remove();
    const targetNode = node.contains(state.game.targetNode) ? parent : state.game.targetNode;
    setState({ game: { targetNode, treeVersion: state.game.treeVersion + 1 } });
    if (wasSeen) await viewPosition(parent);
}

/**
 * Makes another position the current position. If a player has ended the game, cancels that end.
 *
 * @param {GameNode} node
 * @param {() => void} before Called immediately before the change.
 * @param {StateChanges} changes Further changes of the state.
 */
async function setTip(node, before = () => {}, changes = {}) {
    if (isStarting) return;
    const step = ++gameStep;
    const { tip, end } = state.game;
    // If a player has ended the game, the known view includes that end.
    const known = end !== null && node === tip ? null : node.view;
    const view = known ?? await sendRequest({ ...requestFieldsOfPosition(node), end: null, ask: VIEW_QUESTIONS });
    if (step !== gameStep) return;
    node.view = view;
    if (end !== null && node !== tip) tip.view = null;
    before();
    node.makeMainLine();
    const { setup } = state.game;
    // The second player may choose again after another first move.
    const start = node.ply === 0 && setup.fairStart === "swapped" ? { setup: { ...setup, fairStart: "swap" } } : {};
    showTip(node, { ...changes, game: { ...start, ...changes.game } });
}

/** Continues the game from the viewed position. The later moves become a variation. */
export async function continueGameFromViewed() {
    const { viewedNode, tip, setup } = state.game;
    if (viewedNode !== tip) await setTip(viewedNode, () => {}, analysisOff(setup.players));
}

/**
 * Promotes the viewed variation over its parent line. If the parent line is the game, the variation
 * becomes the game.
 */
export async function promoteVariation() {
    const first = state.game.viewedNode.variationStart(state.game.tip);
    if (!first || isStarting) return;
    if (first.parent?.contains(state.game.tip)) {
        const { viewedNode, setup } = state.game;
        await setTip(viewedNode.lineEnd, () => {}, { game: { viewedNode }, ...analysisOff(setup.players) });
        return;
    }
    first.moveToFront();
    setState({ game: { treeVersion: state.game.treeVersion + 1 } });
}

/** Ends the game as the players chose. @param {End} end */
export async function endGame(end) {
    if (isStarting || isGameOver()) return;
    const { tip } = state.game;
    const step = ++gameStep;
    isEnding = true;
    const response = sendRequest({ ...requestFieldsOfPosition(tip), end, ask: VIEW_QUESTIONS });
    const found = await response.finally(() => (isEnding = false));
    if (step !== gameStep) return;
    tip.view = found;
    showTip(tip, { game: { end } });
}

/**
 * Exchanges the sides and the clocks of the two players.
 *
 * @param {string} fairStart The new way in which the game began: "swapped", or "swap" if a swap is taken back.
 */
export function exchangeSides(fairStart) {
    const { setup, clocks, tip } = state.game;
    const players = setup.players.toReversed();
    const stopped = clocksWithRunningSide(clocks, -1);
    const exchanged = clocksWithMoverRunning(tip, { ...stopped, left: stopped.left.toReversed() });
    setState(selectionResetChanges(), { game: { setup: { ...setup, players, fairStart }, clocks: exchanged } });
    if (players[0] !== players[1]) setState({ board: { flipped: players[0] === "engine" } });
}

/**
 * Takes back the last move. Against the engine, takes back the person's last move and all later
 * moves. If the players have swapped sides and no person has moved since, takes back the swap. If the
 * engine has swapped, also takes back the person's first move. In a variation, takes back only the
 * last move of the variation.
 */
export async function takeBackMove() {
    const { end, viewedNode, setup, tip } = state.game;
    if (isInVariation()) {
        await (viewedNode.children.length > 0 ? viewPosition(viewedNode.parent) : deleteMove(viewedNode));
        return;
    }
    // The engine would play the same move again. Therefore people take over both sides.
    const isPlayedByEngine = !setup.players.includes("person");
    if (isPlayedByEngine) setState({ game: { setup: { ...setup, players: setup.players.map(() => "person") } } });
    // If only the engine has moved, there is no move to take back.
    const isSwapped = setup.fairStart === "swapped";
    const last = tip.path.findLast(({ mover, ply }) => (isPlayedByEngine || setup.players[mover] === "person")
        // The move before a swap was the other player's.
        && (ply > 1 || !isSwapped));
    if (end !== null) {
        await setTip(tip);
    } else if (last) {
        await deleteMove(last);
    } else if (isSwapped) {
        // A person who has swapped gets the choice again.
        const [first, second] = tip.path;
        const undone = setup.players[0] === "person" ? second : first;
        if (undone) await deleteMove(undone, () => exchangeSides("swap"));
        else exchangeSides("swap");
    }
}

/** Deletes the move that led to the viewed position, and all moves after it. */
export async function deleteFromViewedMove() {
    const { viewedNode, tip } = state.game;
    if (!isInVariation() && viewedNode.parent && !confirm(TEXT.confirmDelete(tip.ply - viewedNode.ply + 1))) return;
    await deleteMove(viewedNode);
}

/** Resigns for the side to move. In the engine's turn, resigns for the first person, if a person plays. */
export async function resignGame() {
    const { players } = state.game.setup;
    const turn = playerToMove();
    const person = players.indexOf("person");
    const side = sideWords()[players[turn] === "person" || person < 0 ? turn : person];
    if (confirm(TEXT.confirmResign(side))) await endGame({ resign: side });
}

/** Ends the game as a draw if the engine accepts, or both people agree. */
export async function offerDraw() {
    const { setup: { players }, root, tip } = state.game;
    if (players.includes("engine")) {
        // The engine evaluates the last position in which it was to move.
        const line = [root, ...tip.path];
        const engineNode = line.findLast((_, ply) => players[line[ply + 1]?.mover ?? playerToMove()] === "engine");
        const response = engineNode && await askAboutPosition(engineNode, "drawoffer", { nodes: DRAW_OFFER_NODES });
        if (tip !== state.game.tip) return;
        if (response !== "accept") {
            setState({ app: { note: TEXT.drawDeclined } });
            return;
        }
    } else if (!confirm(TEXT.confirmDraw)) {
        return;
    }
    await endGame({ agree: true });
}
