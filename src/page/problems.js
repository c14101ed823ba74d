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
 * Exercises on the board: problems, in which exactly one move wins; drills, which are played to the
 * end; and the turning points of a game. The current game is suspended meanwhile.
 */

/** The milliseconds before a move of the page, so that the move before is visible. */
const PAUSE = 700;
/** The milliseconds for which a refutation is visible before it is taken back. */
const SEEN = 2500;
/** The node limit of the search for a refutation. */
const NODES = 20_000;
/** The theme of problems in which the solver has to hold a draw. */
const DRAW = "draw";
/** The maximum number of moves of an analysis; no position of a drill has more. */
const MOST_MOVES = 256;
/** The maximum number of drawing replies that are compared. */
const MOST_REPLIES = 12;
/** The number of moves that the last hint names. */
const HINTED = 3;
/** The number of plies that are shown after a refutation. */
const TOLD = 3;

/** The number of the latest step; responses for earlier ones are dropped. */
let step = 0;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Returns the current session. */
const solving = () => /** @type {Solving} */ (state.solving);

/** Updates the current session. @param {Partial<Solving>} changes */
const tell = (changes) => change({ solving: { ...solving(), ...changes } });

/**
 * Opens the problems of a game.
 *
 * @param {string} game
 * @param {string | null} fen The position of a problem; `null` for the first unsolved one.
 * @returns {Promise<boolean>} Whether this problem exists.
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

/** Switches between the drills and the problems of a game. */
export async function changeKind() {
    const { kind, game, drills, aside } = solving();
    if (kind === "drills") await openProblems(game);
    else await take({ kind: "drills", game, list: drills, drills, aside }, nextOpen(game, drills, -1));
}

/** Opens the turning points of the game, which is reviewed first if necessary. */
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

/** Makes a problem of the viewed position, or shows the reason why it is not one. */
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

/** Returns whether a problem asks to hold a draw instead of a win. @param {Exercise} exercise */
export const isDraw = ({ themes = [] }) => themes.includes(DRAW);

/** Returns the name under which solved exercises are stored. @param {string} game @param {Exercise} exercise */
const shelf = (game, { value }) => (value ? `${game} drill` : game);

/** Returns whether an exercise is solved. @param {string} game @param {Exercise} exercise */
export const isDone = (game, exercise) => Boolean(exercise.fen === undefined ? exercise.isFound
    : isSolved(shelf(game, exercise), exercise.fen));

/**
 * Returns the index of the next unsolved exercise; if all are solved, of the next one; -1 if the
 * list is empty.
 *
 * @param {string} game
 * @param {Exercise[]} list
 * @param {number} index The index of the current exercise.
 */
function nextOpen(game, list, index) {
    const following = list.map((_, offset) => (index + 1 + offset) % list.length);
    return following.find((at) => !isDone(game, list[at])) ?? following[0] ?? -1;
}

/**
 * Shows an exercise.
 *
 * @param {Pick<Solving, "kind" | "game" | "list" | "drills" | "aside">} common
 * @param {number} index The index in the list.
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

/** Shows another exercise of the list. @param {number} index */
export async function choose(index) {
    if (state.solving && index in state.solving.list) await take(state.solving, index);
}

/** Shows the next unsolved exercise. */
export async function next() {
    if (state.solving) await choose(nextOpen(state.solving.game, state.solving.list, state.solving.index));
}

/** Shows the problem of today. */
export async function daily() {
    if (state.solving?.kind !== "problems") return;
    await choose(indexOfDay(state.solving.list.length, new Date()));
    if (state.solving?.stage === "solve") tell({ isDaily: true });
}

/** Checks each move of the solver. */
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
 * Checks a move in a problem or at a turning point.
 *
 * @param {Solving} now
 * @param {GameNode} tip The position after the move.
 * @param {() => boolean} isWanted Whether no other step has begun since.
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

/** Marks the exercise as solved, and stores that. @param {string} said */
function finish(said) {
    const { kind, game, list, index } = solving();
    const exercise = list[index];
    if (kind === "moments") exercise.isFound = true;
    const isKept = kind === "moments" || keepSolved(shelf(game, exercise), String(exercise.fen));
    tell({ stage: "done", said: isKept ? said : `${said} ${TEXT.solvedNotKept}` });
}

/**
 * Checks a move of a drill with the engine's tables. Replies with the move that resists longest, or
 * that leaves the fewest moves that hold the draw.
 *
 * @param {Solving} now
 * @param {GameNode} tip The position after the move.
 * @param {() => boolean} isWanted Whether no other step has begun since.
 */
async function judgeDrill({ list, index, base }, tip, isWanted) {
    const { value = "win" } = list[index];
    const player = seen(base).scene.turn;
    /** Returns whether a finished game has the value of the drill. @param {GameNode} node */
    const isKept = (node) => seen(node).status.winner === (value === "win" ? player : null);
    /** Ends the drill after a game that has its value. */
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
 * Returns the legal moves of a position, best first, as soon as the tables with their values are
 * ready.
 *
 * @param {GameNode} node
 * @param {() => boolean} isWanted
 * @param {string[]} moves Moves after the position.
 */
async function valued(node, isWanted, moves = []) {
    for (;;) {
        const lines = await linesOf({ ...placeOf(node, moves), multipv: MOST_MOVES, depth: 1 });
        if (lines.every(({ proven }) => proven) || !isWanted()) return lines;
        await pause(PAUSE);
    }
}

/**
 * Returns the drawing reply after which the most moves lose. It repeats a position only if all
 * replies do.
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

/** Returns the lines of a search. @param {object} fields @returns {Promise<Line[]>} */
const linesOf = async (fields) => (await search({ ask: "analysis", priority: 1, ...fields }).answer).analysis.lines;

/** Returns the refutation of a wrong move, with the line after it. @param {GameNode} tip @param {number} made */
async function refutation(tip, made) {
    const { temptation } = solving();
    if (made === 1 && temptation?.move === tip.move) return [temptation.reply];
    if (seen(tip).scene.turn === null) return [];
    return (await linesOf({ ...placeOf(tip), nodes: NODES }))[0]?.pv ?? [];
}

/** Checks a move at a turning point: compares it with the best one by a search. @param {string} best */
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

/** Shows the refutation of a wrong move, and takes both back. @param {string[]} line The refutation. */
async function refute(/** @type {GameNode} */ tip, line, /** @type {() => boolean} */ isWanted) {
    if (!isWanted()) return;
    const { kind, at, base, list, index, solution } = solving();
    const made = tip.ply - base.ply;
    // Another last move may also win, but later. The first move is the only one that wins at all.
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

/** Gives a hint: first the theme or a count, then a few moves with the right one among them. */
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
    // The position of the right move among the named ones must not reveal it.
    const place = moves.indexOf(best);
    const first = Math.max(0, Math.min(place - (index % HINTED), moves.length - HINTED));
    tell({ hints: 2, said: TEXT.oneOf(moves.slice(first, first + HINTED)) });
}

/** Shows the solution, move by move. The exercise does not count as solved. */
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

/** Restarts the exercise. */
export async function again() {
    if (state.solving) await choose(state.solving.index);
}

/** Leaves the exercises and restores the suspended game. */
export function leaveProblems() {
    if (!state.solving) return;
    step += 1;
    endAside(state.solving.aside, { solving: null });
}

/** Counts the solved exercises of the list. */
export function countSolved() {
    const { game, list } = solving();
    return list.filter((exercise) => isDone(game, exercise)).length;
}
