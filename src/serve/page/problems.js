/** @import { Exercise, Line, Solving } from "./types.js" */
import { endAside, gameAside, showAside, takeBackTo } from "./aside.js";
import { grow, make } from "./game.js";
import { indexOfDay } from "./problem-of-day.js";
import { explained } from "./refusal.js";
import { ask, askAbout, placeOf, search } from "./requests.js";
import { awaitReview } from "./review.js";
import { isSolved, keepSolved, readSolved } from "./solved.js";
import { change, isAside, seen, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";
import { GameNode } from "./tree.js";

/**
 * Problems: positions in which exactly one move wins; and the moments that turned a game, to be practised. Both are
 * solved by moving on the board. The game that was going on is put aside meanwhile.
 */

/** The milliseconds before a move that the page makes, so that the one before is seen. */
const PAUSE = 700;
/** The milliseconds for which a refutation is seen before it is taken back. */
const SEEN = 2500;
/** The nodes of a search for what refutes a wrong move. */
const NODES = 20_000;
/** How much less chance of winning a move may have than the best one that is to be found, and be as good. */
const AS_GOOD = 0.02;
/** The theme of problems in which a draw is to be held. */
const DRAW = "draw";
/** How many moves the last hint names. */
const HINTED = 3;
/** How many plies of a line are told after a refutation. */
const TOLD = 3;

/** Counts what was begun, so that only the last one goes on. */
let step = 0;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** What is solved, where something is. */
const solving = () => /** @type {Solving} */ (state.solving);

/** Says how the solving stands. @param {Partial<Solving>} changes */
const tell = (changes) => change({ solving: { ...solving(), ...changes } });

/**
 * Takes up the problems of a game.
 *
 * @param {string} game
 * @param {string | null} fen The position of one of them; else the first that is not solved is shown.
 * @returns {Promise<boolean>} Whether there is such a problem.
 */
export async function openProblems(game = state.setup.game, fen = null) {
    if (state.lesson || state.solving?.kind === "moments") return false;
    const mine = ++step;
    const { problems } = await ask({ game, ask: "problems" });
    if (mine !== step) return false;
    readSolved();
    const isMeant = (/** @type {Exercise} */ problem) => problem.fen === fen;
    const index = fen === null ? nextOpen(game, problems, -1) : problems.findIndex(isMeant);
    if (index < 0) {
        if (fen === null) change({ note: TEXT.noProblems });
        return false;
    }
    await take({ kind: "problems", game, list: problems, aside: state.solving?.aside ?? gameAside() }, index);
    return true;
}

/** Has the moments practised that have turned the game, which is reviewed for that if it was not. */
export async function practise() {
    if (isAside() || !await awaitReview()) return;
    const { nodes, found } = /** @type {NonNullable<typeof state.review>} */ (state.review);
    /** @type {Exercise[]} */
    const list = (found?.moves ?? []).filter(({ mark }) => mark).map(({ ply, mark, best, side }) => ({
        moves: nodes[ply - 1].moves, best, name: `${nodes[ply].name}${mark}`, side, isFound: false,
    }));
    if (list.length === 0) change({ note: TEXT.noMoments });
    else await take({ kind: "moments", game: state.setup.game, list, aside: gameAside() }, 0);
}

/** Makes a problem of the position that is looked at, to be solved, or says why it is none. */
export async function makeProblem() {
    if (isAside()) return;
    const { here, setup: { game, options } } = state;
    change({ note: TEXT.judging });
    const { fen } = seen(here).scene;
    const { isproblem: { problem, why } } = await ask({ game, options, fen, ask: "isproblem", priority: 1 });
    if (isAside() || here !== state.here) return;
    if (why !== null) change({ note: TEXT.noProblem(why) });
    else await take({ kind: "problems", game, list: [problem], aside: gameAside() }, 0);
}

/** Whether a problem asks for a draw to be held, and not for a win. @param {Exercise} exercise */
export const isDraw = ({ themes = [] }) => themes.includes(DRAW);

/** Whether one of a list is solved. @param {string} game @param {Exercise} exercise */
const isDone = (game, { fen, isFound }) => (fen === undefined ? isFound : isSolved(game, fen));

/**
 * The next one of a list that is not solved; if all are, the next one. None if the list is empty.
 *
 * @param {string} game
 * @param {Exercise[]} list
 * @param {number} index After which of them.
 */
function nextOpen(game, list, index) {
    const following = list.map((_, offset) => (index + 1 + offset) % list.length);
    return following.find((at) => !isDone(game, list[at])) ?? following[0] ?? -1;
}

/**
 * Shows a position to be solved.
 *
 * @param {Pick<Solving, "kind" | "game" | "list" | "aside">} common
 * @param {number} index Which of the list.
 */
async function take({ kind, game, list, aside }, index) {
    const mine = ++step;
    const { moves = "", best = "", fen, ...own } = list[index];
    const { setup, start, root: { seen: first }, geometry } = aside;
    const shown = ["scene", "status", "clicks"];
    const found = await ask(kind === "moments"
        ? { game, options: setup.options, fen: start, moves, ask: ["course", ...shown] }
        : own.solution ? { game, options: own.options, fen, ask: ["board", ...shown] }
            : { game, problem: index + 1, ask: ["problem", "board", ...shown] });
    if (mine !== step) return;
    const root = new GameNode();
    root.seen = first;
    const base = found.course ? grow(root, found.course) : root;
    base.seen = found;
    const { solution = [best], temptation = null } = found.problem ?? own;
    const board = found.board ?? geometry;
    const place = { geometry: board, start: fen ?? start, root, tip: base,
        flipped: board.sides.length === 2 && found.status.player === 1 };
    showAside(place, { solving: {
        kind, game, list, index, aside, base, at: base, solution, temptation, stage: "solve", hints: 0, said: "",
        isDaily: false,
    } });
}

/** Shows another one of the list. @param {number} index */
export async function choose(index) {
    if (state.solving && index in state.solving.list) await take(state.solving, index);
}

/** Shows the next one that is not solved. */
export async function next() {
    if (state.solving) await choose(nextOpen(state.solving.game, state.solving.list, state.solving.index));
}

/** Shows the problem of this day. */
export async function daily() {
    if (state.solving?.kind !== "problems") return;
    await choose(indexOfDay(state.solving.list.length, new Date()));
    if (state.solving?.stage === "solve") tell({ isDaily: true });
}

/** Judges each move that is made by whoever solves. */
export function judgeSolving() {
    whenever(() => [state.solving, state.tip], () => {
        const { solving: now, tip } = state;
        if (now?.stage !== "solve" || tip.parent !== now.at) return;
        const mine = ++step;
        judge(now, tip, () => mine === step).catch((error) => {
            if (mine !== step) return;
            takeBackTo(now.at, { solving: now, note: explained(error) });
        });
    });
}

/**
 * @param {Solving} now
 * @param {GameNode} tip The position after the move.
 * @param {() => boolean} isWanted Whether nothing else was begun meanwhile.
 */
async function judge({ kind, game, list, index, base, solution }, tip, isWanted) {
    const made = tip.ply - base.ply;
    const isRight = tip.move === solution[made - 1];
    const { winner } = seen(tip).status;
    if (made === solution.length && (isRight || (winner !== null && winner === seen(base).scene.turn))) {
        finish(kind === "moments" ? TEXT.foundBest(tip.move) : isDraw(list[index]) ? TEXT.held : TEXT.solved);
    } else if (isRight) {
        const reply = solution[made];
        tell({ stage: "reply", said: TEXT.rightMove(tip.move) });
        await pause(PAUSE);
        if (!isWanted()) return;
        await make(reply, tip);
        if (isWanted()) tell({ stage: "solve", said: TEXT.goesOn(tip.move, reply), at: state.tip, hints: 0 });
    } else if (kind === "moments") {
        await weigh(solution[0], tip, isWanted);
    } else {
        tell({ stage: "wrong", said: "" });
        await refute(tip, await refutation(tip, made), isWanted);
    }
    /** @param {string} said */
    function finish(said) {
        if (kind === "moments") list[index].isFound = true;
        const isKept = kind === "moments" || keepSolved(game, String(list[index].fen));
        tell({ stage: "done", said: isKept ? said : `${said} ${TEXT.solvedNotKept}` });
    }
}

/** The best line of a search. @param {object} members @returns {Promise<Line[]>} */
const linesOf = async (members) => (await search({ ask: "analysis", priority: 1, ...members }).answer).analysis.lines;

/** What refutes a wrong move of a problem, and how the game might go on. @param {GameNode} tip @param {number} made */
async function refutation(tip, made) {
    const { temptation } = solving();
    if (made === 1 && temptation?.move === tip.move) return [temptation.reply];
    if (seen(tip).scene.turn === null) return [];
    return (await linesOf({ ...placeOf(tip), nodes: NODES }))[0]?.pv ?? [];
}

/** Judges a move where the best one is to be found by what a search thinks of both. @param {string} best */
async function weigh(best, /** @type {GameNode} */ tip, /** @type {() => boolean} */ isWanted) {
    const { at, list, index } = solving();
    tell({ stage: "reply", said: TEXT.weighing });
    const lines = await linesOf({ ...placeOf(at), searchmoves: [best, tip.move], multipv: 2, nodes: 2 * NODES });
    if (!isWanted()) return;
    const [most, own] = [best, tip.move].map((move) => lines.find((line) => line.move === move));
    if ((own?.chance ?? 0) >= (most?.chance ?? 1) - AS_GOOD) {
        list[index].isFound = true;
        tell({ stage: "done", said: TEXT.asGood(tip.move, best) });
    } else {
        await refute(tip, own?.pv.slice(1) ?? [], isWanted);
    }
}

/** Shows what refutes a wrong move, and takes both back. @param {string[]} line The reply, and what might follow. */
async function refute(/** @type {GameNode} */ tip, line, /** @type {() => boolean} */ isWanted) {
    if (!isWanted()) return;
    const { kind, at, base, list, index, solution } = solving();
    const made = tip.ply - base.ply;
    // At the last move another one may win as well, but later. The first is the only one that wins at all.
    const noWin = made > 1 && made === solution.length ? TEXT.noWinAtOnce : TEXT.noWin;
    tell({ stage: "wrong" });
    const [reply, ...rest] = line;
    if (reply !== undefined) await make(reply, tip);
    if (!isWanted()) return;
    const { turn, sentence } = seen(state.tip).scene;
    const end = turn === null ? sentence : null;
    const fault = kind === "moments" ? TEXT.notBest : isDraw(list[index]) ? TEXT.loses : noWin;
    tell({ said: TEXT.wrongMove(tip.move, fault, reply ?? null, end, rest.slice(0, TOLD)) });
    await pause(SEEN);
    if (isWanted()) takeBackTo(at, { solving: { ...solving(), stage: "solve" } });
}

/** Says something about the move that is to be found; the second time, among which moves it is. */
export async function hintAtSolution() {
    const { at, base, hints, index, list, solution, stage } = solving();
    const themes = list[index].themes?.filter((theme) => theme !== DRAW) ?? [];
    if (stage !== "solve") return;
    if (hints === 0 && at === base && themes.length > 0) {
        tell({ hints: 1, said: TEXT.themesOf(themes) });
        return;
    }
    /** @type {string[]} */
    const moves = await askAbout(at, "moves");
    if (state.solving?.at !== at || state.solving.stage !== "solve") return;
    // Where the move stands among those that are named tells nothing.
    const place = moves.indexOf(solution[at.ply - base.ply]);
    const first = Math.max(0, Math.min(place - (index % HINTED), moves.length - HINTED));
    tell({ hints: 2, said: TEXT.oneOf(moves.slice(first, first + HINTED)) });
}

/** Shows the solution, move by move. What is shown is not solved. */
export async function showSolution() {
    if (!state.solving) return;
    const mine = ++step;
    const { at, base, solution } = state.solving;
    takeBackTo(at, { solving: { ...state.solving, stage: "shown", said: TEXT.solution(solution) } });
    for (const move of solution.slice(at.ply - base.ply)) {
        await make(move, state.tip);
        if (mine !== step) return;
        await pause(PAUSE);
        if (mine !== step) return;
    }
}

/** Begins the same one anew. */
export async function again() {
    if (state.solving) await choose(state.solving.index);
}

/** Leaves the problems: the game that was going on goes on. */
export function leaveProblems() {
    if (!state.solving) return;
    step += 1;
    endAside(state.solving.aside, { solving: null });
}

/** How many of the list are solved. */
export function countSolved() {
    const { game, list } = solving();
    return list.filter((exercise) => isDone(game, exercise)).length;
}
