/** @import { Exercise, Line, Solving } from "./types.js" */
import { endAside, gameAside, showAside, takeBackTo } from "./aside.js";
import { grow, make } from "./game.js";
import { indexOfDay } from "./problem-of-day.js";
import { ask, askAbout, explained, placeOf, search } from "./requests.js";
import { awaitReview } from "./review.js";
import { isSolved, keepSolved, readSolved } from "./solved.js";
import { change, isAside, seen, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";
import { GameNode } from "./tree.js";

/**
 * Problems: positions in which exactly one move wins; drills, which are played to the end; and the moments that turned
 * a game, to be practised. All are solved by moving on the board. The game that was going on is put aside meanwhile.
 */

/** The milliseconds before a move that the page makes, so that the one before is seen. */
const PAUSE = 700;
/** The milliseconds for which a refutation is seen before it is taken back. */
const SEEN = 2500;
/** The nodes of a search for what refutes a wrong move. */
const NODES = 20_000;
/** The theme of problems in which a draw is to be held. */
const DRAW = "draw";
/** The most moves of an analysis: no position of a drill has more. */
const MOST_MOVES = 256;
/** How many drawing replies are compared. */
const MOST_REPLIES = 12;
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
    const { problems, drills } = await ask({ game, ask: ["problems", "drills"] });
    if (mine !== step) return false;
    readSolved();
    const isMeant = (/** @type {Exercise} */ problem) => problem.fen === fen;
    const index = fen === null ? nextOpen(game, problems, -1) : problems.findIndex(isMeant);
    if (index < 0) {
        if (fen === null) change({ note: TEXT.noProblems });
        return false;
    }
    const aside = state.solving?.aside ?? gameAside();
    await take({ kind: "problems", game, list: problems, drills, aside }, index);
    return true;
}

/** Takes up the drills of the game whose problems are shown, or its problems again. */
export async function changeKind() {
    const { kind, game, drills, aside } = solving();
    if (kind === "drills") await openProblems(game);
    else await take({ kind: "drills", game, list: drills, drills, aside }, nextOpen(game, drills, -1));
}

/** Has the moments practised that have turned the game, which is reviewed for that if it was not. */
export async function practise() {
    if (isAside() || !await awaitReview()) return;
    const { nodes, found } = /** @type {NonNullable<typeof state.review>} */ (state.review);
    /** @type {Exercise[]} */
    const list = (found?.moves ?? []).filter(({ mark }) => mark).map(({ ply, mark, best, side }) => ({
        moves: nodes[ply - 1].moves, best, name: `${nodes[ply].name}${mark}`, side, isFound: false,
        asGood: found?.as_good,
    }));
    if (list.length === 0) change({ note: TEXT.noMoments });
    else await take({ kind: "moments", game: state.setup.game, list, drills: [], aside: gameAside() }, 0);
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
    else await take({ kind: "problems", game, list: [problem], drills: [], aside: gameAside() }, 0);
}

/** Whether a problem asks for a draw to be held, and not for a win. @param {Exercise} exercise */
export const isDraw = ({ themes = [] }) => themes.includes(DRAW);

/** Under which name it is kept what of a game is solved. @param {string} game @param {Exercise} exercise */
const shelf = (game, { value }) => (value ? `${game} drill` : game);

/** Whether one of a list is solved. @param {string} game @param {Exercise} exercise */
export const isDone = (game, exercise) => Boolean(exercise.fen === undefined ? exercise.isFound
    : isSolved(shelf(game, exercise), exercise.fen));

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
 * @param {Pick<Solving, "kind" | "game" | "list" | "drills" | "aside">} common
 * @param {number} index Which of the list.
 */
async function take({ kind, game, list, drills, aside }, index) {
    const mine = ++step;
    const { moves = "", best = "", fen, ...own } = list[index];
    const { setup, start, root: { seen: first }, geometry } = aside;
    const shown = ["scene", "status", "clicks"];
    const found = await ask(kind === "moments"
        ? { game, options: setup.options, fen: start, moves, ask: ["course", ...shown] }
        : own.solution || kind === "drills" ? { game, options: own.options, fen, ask: ["board", ...shown] }
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
        kind, game, list, drills, index, aside, base, at: base, solution, temptation, stage: "solve", hints: 0,
        slips: 0, said: "", isDaily: false,
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
        (now.kind === "drills" ? judgeDrill : judge)(now, tip, () => mine === step).catch((error) => {
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
async function judge({ kind, list, index, base, solution }, tip, isWanted) {
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
}

/** Says that it is solved, and keeps that. @param {string} said */
function finish(said) {
    const { kind, game, list, index } = solving();
    const exercise = list[index];
    if (kind === "moments") exercise.isFound = true;
    const isKept = kind === "moments" || keepSolved(shelf(game, exercise), String(exercise.fen));
    tell({ stage: "done", said: isKept ? said : `${said} ${TEXT.solvedNotKept}` });
}

/**
 * Judges a move of a drill by the tables of the engine, and replies with the move that resists longest, or that leaves
 * the fewest moves which hold the draw.
 *
 * @param {Solving} now
 * @param {GameNode} tip The position after the move.
 * @param {() => boolean} isWanted Whether nothing else was begun meanwhile.
 */
async function judgeDrill({ list, index, base }, tip, isWanted) {
    const { value = "win" } = list[index];
    const player = seen(base).scene.turn;
    /** Whether the value is kept in a position in which the game is over. @param {GameNode} node */
    const isKept = (node) => seen(node).status.winner === (value === "win" ? player : null);
    /** What is said at the end of a game in which it is kept. */
    const end = () => {
        const { slips } = solving();
        if (slips === 0) finish(TEXT.drillKept(value));
        else tell({ stage: "done", said: TEXT.drillWithSlips(slips) });
    };
    tell({ stage: "reply", said: TEXT.weighing });
    const isOver = seen(tip).scene.turn === null;
    if (isOver && isKept(tip)) {
        end();
        return;
    }
    const lines = isOver ? [] : await valued(tip, isWanted);
    if (!isWanted()) return;
    // The chance is that of the opponent, who is to move.
    const most = value === "win" ? 0 : 0.5;
    if (isOver || (lines[0].chance ?? 1) > most) {
        tell({ slips: solving().slips + 1 });
        await refute(tip, lines[0]?.pv ?? [], isWanted);
        return;
    }
    const reply = value === "win" ? lines[0].move : await hardest(tip, lines, isWanted);
    if (!isWanted()) return;
    await make(reply, tip);
    if (!isWanted()) return;
    if (seen(state.tip).scene.turn !== null) {
        tell({ stage: "solve", said: TEXT.goesOn(tip.move, reply), at: state.tip, hints: 0 });
    } else if (isKept(state.tip)) {
        end();
    }
}

/**
 * The legal moves of a position, best first, as soon as the tables that tell what each is worth are made.
 *
 * @param {GameNode} node
 * @param {() => boolean} isWanted
 * @param {string[]} moves What is played after it.
 */
async function valued(node, isWanted, moves = []) {
    for (;;) {
        const lines = await linesOf({ ...placeOf(node, moves), multipv: MOST_MOVES, depth: 1 });
        if (lines.every(({ proven }) => proven) || !isWanted()) return lines;
        await pause(PAUSE);
    }
}

/**
 * The drawing reply after which the most moves lose. One that leads to a position which has occurred is only taken if
 * there is no other.
 *
 * @param {GameNode} tip
 * @param {Line[]} lines The replies, best first.
 * @param {() => boolean} isWanted
 */
async function hardest(tip, lines, isWanted) {
    const placed = (/** @type {string} */ fen) => fen.replace(/ \d+$/, "");
    const occurred = new Set([tip, ...tip.path].map((node) => placed(seen(node).scene.fen)));
    const drawing = lines.filter(({ chance }) => chance === lines[0].chance).slice(0, MOST_REPLIES);
    const judged = await Promise.all(drawing.map(async ({ move }) => {
        const { fen } = await ask({ ...placeOf(tip, [move]), ask: "status" });
        const after = await valued(tip, isWanted, [move]);
        const losing = after.filter(({ chance }) => chance === 0).length;
        return { move, rank: losing - (occurred.has(placed(fen)) ? MOST_MOVES : 0) };
    }));
    return judged.reduce((best, other) => (other.rank > best.rank ? other : best)).move;
}

/** The best line of a search. @param {object} fields @returns {Promise<Line[]>} */
const linesOf = async (fields) => (await search({ ask: "analysis", priority: 1, ...fields }).answer).analysis.lines;

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
    if ((own?.chance ?? 0) > (most?.chance ?? 1) - (list[index].asGood ?? 0)) {
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
    const fault = kind === "moments" ? TEXT.notBest : kind === "drills" ? TEXT.givesAway(list[index].value ?? "")
        : isDraw(list[index]) ? TEXT.loses : noWin;
    tell({ said: TEXT.wrongMove(tip.move, fault, reply ?? null, end, rest.slice(0, TOLD)) });
    await pause(SEEN);
    if (isWanted()) takeBackTo(at, { solving: { ...solving(), stage: "solve" } });
}

/** Says something about the move that is to be found; the second time, among which moves it is. */
export async function hintAtSolution() {
    const { at, base, hints, index, kind, list, solution, stage } = solving();
    const themes = list[index].themes?.filter((theme) => theme !== DRAW) ?? [];
    if (stage !== "solve") return;
    if (hints === 0 && at === base && themes.length > 0) {
        tell({ hints: 1, said: TEXT.themesOf(themes) });
        return;
    }
    /** @type {string[]} */
    const moves = await askAbout(at, "moves");
    const isWanted = () => state.solving?.at === at && state.solving.stage === "solve";
    let best = solution[at.ply - base.ply];
    if (kind === "drills") {
        const lines = await valued(at, isWanted);
        if (!isWanted()) return;
        const keeping = lines.filter(({ chance }) => chance === (list[index].value === "win" ? 1 : 0.5));
        if (hints === 0) {
            tell({ hints: 1, said: TEXT.howManyKeep(keeping.length, moves.length, list[index].value ?? "") });
            return;
        }
        best = keeping[0].move;
    }
    if (!isWanted()) return;
    // Where the move stands among those that are named tells nothing.
    const place = moves.indexOf(best);
    const first = Math.max(0, Math.min(place - (index % HINTED), moves.length - HINTED));
    tell({ hints: 2, said: TEXT.oneOf(moves.slice(first, first + HINTED)) });
}

/** Shows the solution, move by move. What is shown is not solved. */
export async function showSolution() {
    if (!state.solving || state.solving.kind === "drills") return;
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
