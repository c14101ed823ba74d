/** @import { Exercise, Line, PracticeSession } from "../core/types.js" */
import { elementById, GameNode, isGameSuspended, setState, sideWords, state, subscribe, TEXT,
    viewOfNode } from "../core/index.js";
import { askAboutPosition, describeError, requestFieldsOfPosition, sendRequest,
    sendSearchRequest } from "../engine/index.js";
import { addMovesToTree, makeMove } from "../game/index.js";
import { awaitReview } from "../analysis/index.js";
import { dailyProblemIndex } from "./problem-of-day.js";
import { isProblemSolved, loadSolvedProblems, saveSolvedProblem } from "./solved-problems.js";
import { gameSnapshot, restoreSuspendedGame, suspendGameAndShow, takeBackMovesAfter } from "./suspended-game.js";

/**
 * Exercises on the board. There are three kinds: problems, in which exactly one move wins; drills,
 * which are played to the end; and turning points of a game. An exercise suspends the current game.
 */

/** The milliseconds before a move of the page, so that the previous move is visible. */
const REPLY_DELAY = 700;
/** The milliseconds for which a refutation is visible before it is taken back. */
const REFUTATION_TIME = 2500;
/** The node limit of the search for a refutation. */
const REFUTATION_NODES = 20_000;
/** The theme of problems in which the solver must hold a draw. */
const DRAW_THEME = "draw";
/** The maximum number of moves in an analysis. No position of a drill has more moves. */
const MAX_MOVES = 256;
/** The maximum number of drawing replies that are compared. */
const MAX_REPLIES = 12;
/** The number of moves that the last hint names. */
const HINT_MOVES = 3;
/** The number of plies that are shown after a refutation. */
const SHOWN_PLIES = 3;

/** The number of the latest step. Responses for earlier steps are dropped. */
let latestStep = 0;

/** @param {number} milliseconds */
const delay = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Waits for a press of the first mouse button on the board, or for a click by a finger or a screen reader. The board
 * itself receives it later, so that it counts for the next move.
 *
 * @param {AbortSignal} signal Ends the wait.
 */
const nextPressOnBoard = (signal) => new Promise((done) => {
    const boards = elementById("boards");
    boards.addEventListener("pointerdown", (event) => {
        if (event.button === 0 && event.pointerType === "mouse") done(event);
    }, { signal, capture: true });
    boards.addEventListener("click", done, { signal, capture: true });
});

/** Returns the current session. */
const currentSession = () => /** @type {PracticeSession} */ (state.learn.practice);

/** Updates the current session. @param {Partial<PracticeSession>} changes */
const updateSession = (changes) => setState({ learn: { practice: { ...currentSession(), ...changes } } });

/**
 * Opens the problems of a game.
 *
 * @param {string} game
 * @param {string | null} fen The position of a problem; `null` for the first unsolved problem.
 * @param {boolean} isDaily Whether the problem is the one of today.
 * @returns {Promise<boolean>} Whether this problem exists.
 */
export async function openProblems(game = state.game.setup.game, fen = null, isDaily = false) {
    if (state.learn.lesson || state.learn.practice?.kind === "moments") return false;
    const currentStep = ++latestStep;
    const { problems, drills } = await sendRequest({ game, ask: ["problems", "drills"] });
    if (currentStep !== latestStep) return false;
    loadSolvedProblems();
    const hasFen = (/** @type {Exercise} */ problem) => problem.fen === fen;
    const index = fen === null ? nextUnsolved(game, problems, -1) : problems.findIndex(hasFen);
    if (index < 0) {
        if (fen === null) setState({ app: { note: TEXT.noProblems } });
        return false;
    }
    const suspendedGame = state.learn.practice?.suspendedGame ?? gameSnapshot();
    await showExercise({ kind: "problems", game, list: problems, drills, suspendedGame }, index);
    if (isDaily && state.learn.practice) updateSession({ isDaily });
    return true;
}

/**
 * Returns the problem of today among the problems of all games. Each day has another game.
 *
 * @param {string[]} words The words of the games.
 * @returns {Promise<{ game: string, problem: Exercise, task: (turn: string) => string } | null>} The game, the problem
 * and its task for the side to move; `null` if there are no problems.
 */
export async function findDailyProblem(words) {
    const lists = await Promise.all(words.map((game) => sendRequest({ game, ask: "problems" })));
    const games = words.flatMap((game, index) => {
        const { problems } = lists[index];
        return problems.length > 0 ? [{ game, problems }] : [];
    });
    if (games.length === 0) return null;
    const today = new Date();
    const { game, problems } = games[dailyProblemIndex(games.length, today)];
    const problem = problems[dailyProblemIndex(problems.length, today)];
    return { game, problem, task: (turn) => problemTaskText(problem, turn) };
}

/** Returns the task of a problem for the side to move. @param {Exercise} problem @param {string} turn */
export const problemTaskText = (problem, turn) =>
    (isDrawProblem(problem) ? TEXT.drawTask(turn) : TEXT.winTask(turn, problem.length ?? 1));

/** Switches between the drills and the problems of a game. */
export async function toggleDrillsOrProblems() {
    const { kind, game, drills, suspendedGame } = currentSession();
    if (kind === "drills") {
        await openProblems(game);
        return;
    }
    const index = nextUnsolved(game, drills, -1);
    await showExercise({ kind: "drills", game, list: drills, drills, suspendedGame }, index);
}

/** Opens the turning points of the game. Reviews the game first if necessary. */
export async function practiseTurningPoints() {
    if (isGameSuspended() || !await awaitReview()) return;
    const { nodes, result } = /** @type {NonNullable<typeof state.analysis.review>} */ (state.analysis.review);
    const { players } = state.game.setup;
    const isPractised = (/** @type {string} */ side) =>
        !players.includes("person") || players[sideWords().indexOf(side)] === "person";
    const mistakes = (result?.moves ?? []).filter(({ mark }) => mark);
    /** @type {Exercise[]} */
    const list = mistakes.filter(({ side }) => isPractised(side)).map(({ ply, mark, best, side }) => ({
        moves: nodes[ply - 1].moves, best, name: `${nodes[ply].name}${mark}`, side, isFound: false,
        asGood: result?.as_good,
    }));
    if (list.length === 0) {
        setState({ app: { note: mistakes.length === 0 ? TEXT.noMoments : TEXT.noOwnMoments } });
        return;
    }
    const { game } = state.game.setup;
    await showExercise({ kind: "moments", game, list, drills: [], suspendedGame: gameSnapshot() }, 0);
}

/** Makes a problem of the viewed position, or shows the reason why the position is not a problem. */
export async function createProblemFromPosition() {
    if (isGameSuspended()) return;
    const { viewedNode, setup: { game, options } } = state.game;
    setState({ app: { note: TEXT.checkingPosition } });
    const { fen } = viewOfNode(viewedNode).scene;
    const { isproblem: { problem, why } } = await sendRequest({ game, options, fen, ask: "isproblem", priority: 1 });
    if (isGameSuspended() || viewedNode !== state.game.viewedNode) return;
    if (why !== null) setState({ app: { note: TEXT.notAProblem(why) } });
    else await showExercise({ kind: "problems", game, list: [problem], drills: [], suspendedGame: gameSnapshot() }, 0);
}

/** Returns whether a problem asks to hold a draw instead of a win. @param {Exercise} exercise */
const isDrawProblem = ({ themes = [] }) => themes.includes(DRAW_THEME);

/** Returns the name under which solved exercises are stored. @param {string} game @param {Exercise} exercise */
const solvedKey = (game, { value }) => (value ? `${game} drill` : game);

/** Returns whether an exercise is solved. @param {string} game @param {Exercise} exercise */
export const isExerciseSolved = (game, exercise) => Boolean(exercise.fen === undefined ? exercise.isFound
    : isProblemSolved(solvedKey(game, exercise), exercise.fen));

/**
 * Returns the index of the next unsolved exercise. If all exercises are solved, returns the next
 * index. Returns -1 if the list is empty.
 *
 * @param {string} game
 * @param {Exercise[]} list
 * @param {number} index The index of the current exercise.
 */
function nextUnsolved(game, list, index) {
    const following = list.map((_, offset) => (index + 1 + offset) % list.length);
    return following.find((at) => !isExerciseSolved(game, list[at])) ?? following[0] ?? -1;
}

/**
 * Shows an exercise.
 *
 * @param {Pick<PracticeSession, "kind" | "game" | "list" | "drills" | "suspendedGame">} common
 * @param {number} index The index in the list.
 */
async function showExercise({ kind, game, list, drills, suspendedGame }, index) {
    const currentStep = ++latestStep;
    const { moves = "", best = "", fen, ...fields } = list[index];
    const { setup, start, root: { view: first }, geometry } = suspendedGame.game;
    const shown = ["scene", "status", "clicks"];
    const response = await sendRequest(kind === "moments"
        ? { game, options: setup.options, fen: start, moves, ask: ["course", ...shown] }
        : fields.solution || kind === "drills" ? { game, options: fields.options, fen, ask: ["board", ...shown] }
            : { game, problem: index + 1, ask: ["problem", "board", ...shown] });
    if (currentStep !== latestStep) return;
    const root = new GameNode();
    root.view = first;
    const base = response.course ? addMovesToTree(root, response.course) : root;
    base.view = response;
    const { solution = [best], temptation = null } = response.problem ?? fields;
    const board = response.board ?? geometry;
    const place = { geometry: board, start: fen ?? start, root, tip: base,
        flipped: board.sides.length === 2 && response.status.player === 1 };
    suspendGameAndShow(place, { learn: { practice: {
        kind, game, list, drills, index, suspendedGame, base, at: base, solution, temptation, stage: "solve", hints: 0,
        slips: 0, feedback: "", isDaily: false,
    } } });
}

/** Shows another exercise of the list. @param {number} index */
export async function chooseExercise(index) {
    if (state.learn.practice && index in state.learn.practice.list) await showExercise(state.learn.practice, index);
}

/** Shows the next unsolved exercise. */
export async function showNextExercise() {
    if (!state.learn.practice) return;
    const { game, list, index } = state.learn.practice;
    await chooseExercise(nextUnsolved(game, list, index));
}

/** Shows the problem of today. */
export async function showDailyProblem() {
    if (state.learn.practice?.kind !== "problems") return;
    await chooseExercise(dailyProblemIndex(state.learn.practice.list.length, new Date()));
    if (state.learn.practice?.stage === "solve") updateSession({ isDaily: true });
}

/** Checks each move of the solver. */
export function watchExerciseMoves() {
    subscribe(() => [state.learn.practice, state.game.tip], () => {
        const { practice: now } = state.learn;
        const { tip } = state.game;
        if (now?.stage !== "solve" || tip.parent !== now.at) return;
        const currentStep = ++latestStep;
        const check = now.kind === "drills" ? checkDrillMove : checkMove;
        check(now, tip, () => currentStep === latestStep).catch((error) => {
            if (currentStep !== latestStep) return;
            takeBackMovesAfter(now.at, { learn: { practice: now }, app: { note: describeError(error) } });
        });
    });
}

/**
 * Checks a move in a problem or at a turning point.
 *
 * @param {PracticeSession} session
 * @param {GameNode} tip The position after the move.
 * @param {() => boolean} isWanted Whether no other step has begun since.
 */
async function checkMove({ kind, list, index, base, solution }, tip, isWanted) {
    const moveCount = tip.ply - base.ply;
    const isRight = tip.move === solution[moveCount - 1];
    const { winner } = viewOfNode(tip).status;
    if (moveCount === solution.length && (isRight || (winner !== null && winner === viewOfNode(base).scene.turn))) {
        const solved = isDrawProblem(list[index]) ? TEXT.drawHeld : TEXT.solved;
        markSolved(kind === "moments" ? TEXT.bestFound(tip.move) : solved);
    } else if (isRight) {
        const reply = solution[moveCount];
        updateSession({ stage: "reply", feedback: TEXT.rightMove(tip.move) });
        await delay(REPLY_DELAY);
        if (!isWanted()) return;
        await makeMove(reply, tip);
        if (!isWanted()) return;
        updateSession({ stage: "solve", feedback: TEXT.rightWithReply(tip.move, reply), at: state.game.tip, hints: 0 });
    } else if (kind === "moments") {
        await compareWithBest(solution[0], tip, isWanted);
    } else {
        updateSession({ stage: "wrong", feedback: "" });
        await showRefutation(tip, await findRefutation(tip, moveCount), isWanted);
    }
}

/** Marks the exercise as solved, and stores this fact. @param {string} feedback */
function markSolved(feedback) {
    const { kind, game, list, index } = currentSession();
    const exercise = list[index];
    if (kind === "moments") exercise.isFound = true;
    const isStored = kind === "moments" || saveSolvedProblem(solvedKey(game, exercise), String(exercise.fen));
    updateSession({ stage: "done", feedback: isStored ? feedback : `${feedback} ${TEXT.solvedNotSaved}` });
}

/**
 * Checks a move of a drill with the engine's tables. Replies with the move that resists longest in
 * a lost position. In a drawn position, replies with the move that leaves the fewest moves to hold
 * the draw.
 *
 * @param {PracticeSession} session
 * @param {GameNode} tip The position after the move.
 * @param {() => boolean} isWanted Whether no other step has begun since.
 */
async function checkDrillMove({ list, index, base }, tip, isWanted) {
    const { value = "win" } = list[index];
    const player = viewOfNode(base).scene.turn;
    /** Returns whether a finished game has the value of the drill. @param {GameNode} node */
    const hasValue = (node) => viewOfNode(node).status.winner === (value === "win" ? player : null);
    /** Ends the drill after a game that has its value. */
    const finishDrill = () => {
        const { slips } = currentSession();
        if (slips === 0) markSolved(TEXT.drillDone(value));
        else updateSession({ stage: "done", feedback: TEXT.drillWithMistakes(slips) });
    };
    updateSession({ stage: "reply", feedback: TEXT.checkingMove });
    const isOver = viewOfNode(tip).scene.turn === null;
    if (isOver && hasValue(tip)) {
        finishDrill();
        return;
    }
    const lines = isOver ? [] : await solvedLines(tip, isWanted);
    if (!isWanted()) return;
    // The opponent is to move, and the chance is the opponent's.
    const threshold = value === "win" ? 0 : 0.5;
    if (isOver || (lines[0].chance ?? 1) > threshold) {
        updateSession({ slips: currentSession().slips + 1 });
        await showRefutation(tip, lines[0]?.pv ?? [], isWanted);
        return;
    }
    const reply = value === "win" ? lines[0].move : await hardestReply(tip, lines, isWanted);
    if (!isWanted()) return;
    await makeMove(reply, tip);
    if (!isWanted()) return;
    if (viewOfNode(state.game.tip).scene.turn !== null) {
        updateSession({ stage: "solve", feedback: TEXT.rightWithReply(tip.move, reply), at: state.game.tip, hints: 0 });
    } else if (hasValue(state.game.tip)) {
        finishDrill();
    }
}

/**
 * Returns the legal moves of a position, the best move first. Waits until the tables with their
 * values are ready.
 *
 * @param {GameNode} node
 * @param {() => boolean} isWanted
 * @param {string[]} moves Moves after the position.
 */
async function solvedLines(node, isWanted, moves = []) {
    for (;;) {
        const lines = await analyseLines({ ...requestFieldsOfPosition(node, moves), multipv: MAX_MOVES, depth: 1 });
        if (lines.every(({ proven }) => proven) || !isWanted()) return lines;
        await delay(REPLY_DELAY);
    }
}

/**
 * Returns the drawing reply after which the most moves lose. The reply repeats a position only if
 * all replies do.
 *
 * @param {GameNode} tip
 * @param {Line[]} lines The replies, best first.
 * @param {() => boolean} isWanted
 */
async function hardestReply(tip, lines, isWanted) {
    const withoutMoveNumber = (/** @type {string} */ fen) => fen.replace(/ \d+$/, "");
    const occurred = new Set([tip, ...tip.path].map((node) => withoutMoveNumber(viewOfNode(node).scene.fen)));
    const drawing = lines.filter(({ chance }) => chance === lines[0].chance).slice(0, MAX_REPLIES);
    const ranked = await Promise.all(drawing.map(async ({ move }) => {
        const { fen } = await sendRequest({ ...requestFieldsOfPosition(tip, [move]), ask: "status" });
        const after = await solvedLines(tip, isWanted, [move]);
        const losing = after.filter(({ chance }) => chance === 0).length;
        return { move, rank: losing - (occurred.has(withoutMoveNumber(fen)) ? MAX_MOVES : 0) };
    }));
    return ranked.reduce((best, other) => (other.rank > best.rank ? other : best)).move;
}

/** Returns the lines of a search. @param {object} fields @returns {Promise<Line[]>} */
async function analyseLines(fields) {
    const { analysis } = await sendSearchRequest({ ask: "analysis", priority: 1, ...fields }).response;
    return analysis.lines;
}

/**
 * Returns the refutation of a wrong move, with the moves after the refutation.
 *
 * @param {GameNode} tip
 * @param {number} moveCount
 */
async function findRefutation(tip, moveCount) {
    const { temptation } = currentSession();
    if (moveCount === 1 && temptation?.move === tip.move) return [temptation.reply];
    if (viewOfNode(tip).scene.turn === null) return [];
    return (await analyseLines({ ...requestFieldsOfPosition(tip), nodes: REFUTATION_NODES }))[0]?.pv ?? [];
}

/** Checks a move at a turning point. A search compares the move with the best move. @param {string} best */
async function compareWithBest(best, /** @type {GameNode} */ tip, /** @type {() => boolean} */ isWanted) {
    const { at, list, index } = currentSession();
    updateSession({ stage: "reply", feedback: TEXT.checkingMove });
    const { game, options } = requestFieldsOfPosition(at);
    const position = { game, options, fen: viewOfNode(at).scene.fen, moves: tip.move };
    const fields = { ...position, ask: "review", nodes: REFUTATION_NODES };
    const { review } = await sendSearchRequest(fields).response;
    if (!isWanted()) return;
    const [own] = review.moves;
    if (own.lost < (list[index].asGood ?? 0)) {
        list[index].isFound = true;
        updateSession({ stage: "done", feedback: TEXT.asGood(tip.move, best) });
    } else {
        await showRefutation(tip, own.refutation, isWanted);
    }
}

/** Shows the refutation of a wrong move, and takes both moves back. @param {string[]} line The refutation. */
async function showRefutation(/** @type {GameNode} */ tip, line, /** @type {() => boolean} */ isWanted) {
    if (!isWanted()) return;
    const { kind, at, base, list, index, solution } = currentSession();
    const moveCount = tip.ply - base.ply;
    // At the last move, another move may also win, but later. At the first move, no other move wins
    // at all.
    const noWin = moveCount > 1 && moveCount === solution.length ? TEXT.noWinAtOnce : TEXT.noWin;
    updateSession({ stage: "wrong" });
    const [reply, ...rest] = line;
    if (reply !== undefined) await makeMove(reply, tip);
    if (!isWanted()) return;
    const { turn, sentence } = viewOfNode(state.game.tip).scene;
    const end = turn === null ? sentence : null;
    const fault = kind === "moments" ? TEXT.notBest : kind === "drills" ? TEXT.givesAway(list[index].value ?? "")
        : isDrawProblem(list[index]) ? TEXT.loses : noWin;
    updateSession({ feedback: TEXT.wrongMove(tip.move, fault, reply ?? null, end, rest.slice(0, SHOWN_PLIES)) });
    const wait = new AbortController();
    await Promise.race([delay(REFUTATION_TIME), nextPressOnBoard(wait.signal)]);
    wait.abort();
    if (isWanted()) takeBackMovesAfter(at, { learn: { practice: { ...currentSession(), stage: "solve" } } });
}

/** Shows a hint. The first hint is the theme or a count. The last hint is a few moves, one of which is right. */
export async function showSolutionHint() {
    const { at, base, hints, index, kind, list, solution, stage } = currentSession();
    const themes = list[index].themes?.filter((theme) => theme !== DRAW_THEME) ?? [];
    if (stage !== "solve") return;
    if (hints === 0 && at === base && themes.length > 0) {
        updateSession({ hints: 1, feedback: TEXT.themesOf(themes) });
        return;
    }
    /** @type {string[]} */
    const moves = await askAboutPosition(at, "moves");
    const isWanted = () => state.learn.practice?.at === at && state.learn.practice.stage === "solve";
    let best = solution[at.ply - base.ply];
    if (kind === "drills") {
        const lines = await solvedLines(at, isWanted);
        if (!isWanted()) return;
        const keeping = lines.filter(({ chance }) => chance === (list[index].value === "win" ? 1 : 0.5));
        if (hints === 0) {
            const feedback = TEXT.howManyKeep(keeping.length, moves.length, list[index].value ?? "");
            updateSession({ hints: 1, feedback });
            return;
        }
        best = keeping[0].move;
    }
    if (!isWanted()) return;
    // The index of the right move in the list must not reveal it.
    const place = moves.indexOf(best);
    const first = Math.max(0, Math.min(place - (index % HINT_MOVES), moves.length - HINT_MOVES));
    updateSession({ hints: 2, feedback: TEXT.hintMoves(moves.slice(first, first + HINT_MOVES)) });
}

/** Shows the solution, move by move. The exercise then does not count as solved. */
export async function showSolution() {
    if (!state.learn.practice || state.learn.practice.kind === "drills") return;
    const currentStep = ++latestStep;
    const { at, base, solution } = state.learn.practice;
    const feedback = TEXT.solution(solution);
    takeBackMovesAfter(at, { learn: { practice: { ...state.learn.practice, stage: "shown", feedback } } });
    for (const move of solution.slice(at.ply - base.ply)) {
        await makeMove(move, state.game.tip);
        if (currentStep !== latestStep) return;
        await delay(REPLY_DELAY);
        if (currentStep !== latestStep) return;
    }
}

/** Restarts the exercise. */
export async function restartExercise() {
    if (state.learn.practice) await chooseExercise(state.learn.practice.index);
}

/** Leaves the exercises and restores the suspended game. */
export function leaveProblems() {
    if (!state.learn.practice) return;
    latestStep += 1;
    restoreSuspendedGame(state.learn.practice.suspendedGame, { learn: { practice: null } });
}

/** Counts the solved exercises of the list. */
export function countSolvedProblems() {
    const { game, list } = currentSession();
    return list.filter((exercise) => isExerciseSolved(game, exercise)).length;
}
