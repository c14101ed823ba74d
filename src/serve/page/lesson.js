/** @import { Lesson } from "./types.js" */
/** @import { State } from "./state.js" */
import { newClocks, run } from "./clock.js";
import { begin, dropUnanswered, timed } from "./game.js";
import { ask } from "./requests.js";
import { change, choiceFromStart, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";
import { GameNode } from "./tree.js";

/**
 * A guided first game: small tasks on the board, each done by one move. The game that was going on is put aside, and
 * is as it was when the lesson is left.
 */

/** The milliseconds for which a move is seen that is not what was asked for, before it is taken back. */
const PAUSE = 900;
/** The level at which the engine plays somebody who has just learned a game. */
const FIRST_LEVEL = "beginner";
/** The parts of the state that belong to a game; `kept` is what it is kept as, and a lesson is not. */
const OF_GAME = /** @type {(keyof State)[]} */ ([
    "setup", "geometry", "may", "start", "root", "tip", "end", "here", "flipped", "analysing", "review", "kept",
    "tags",
]);

/** The games whose lessons have been done to the end. @type {Set<string>} */
export const learned = new Set();

/** Counts the tasks that were begun, so that only the last one is shown. */
let step = 0;

/** Begins the guided first game of the game in play. */
export async function learn() {
    if (state.lesson) return;
    const { setup: { game }, clocks } = state;
    const mine = ++step;
    const { lesson: { options, tasks } } = await ask({ game, ask: "lesson" });
    if (mine !== step || state.lesson) return;
    const aside = { ...Object.fromEntries(OF_GAME.map((part) => [part, state[part]])), clocks: run(clocks, -1) };
    await show({ game, options, tasks, index: 0, stage: "task", said: "", aside });
}

/** Shows a task. @param {Lesson} lesson */
async function show(lesson) {
    const { game, options, tasks, index } = lesson;
    const { fen } = tasks[index];
    const mine = ++step;
    const found = await ask({ game, options, fen, ask: ["board", "scene", "status", "clicks"] });
    if (mine !== step) return;
    dropUnanswered();
    const root = new GameNode();
    root.seen = found;
    const { length } = found.board.sides;
    const isSameBoard = state.lesson?.game === game;
    change({
        ...choiceFromStart(), lesson, geometry: isSameBoard ? state.geometry : found.board,
        setup: { ...state.setup, game, options, players: Array(length).fill("person"), clock: null },
        may: { resign: [], agree: false, flag: [] }, start: fen, end: null, root, tip: root, here: root, wanted: root,
        version: state.version + 1, flipped: false, analysing: false, review: null, clocks: newClocks(null, length),
        tags: [], .../** @type {any} */ ({ kept: null }),
    });
}

/** Judges each move that is made in a lesson. */
export function judgeLesson() {
    whenever(() => [state.lesson, state.tip], () => {
        const { lesson, tip } = state;
        if (lesson?.stage !== "task" || !tip.parent) return;
        const { moves, done } = lesson.tasks[lesson.index];
        const isDone = moves.includes(tip.move);
        const judged = /** @type {Lesson} */ ({
            ...lesson, stage: isDone ? "done" : "other", said: isDone ? done : TEXT.otherMove,
        });
        change({ lesson: judged });
        if (!isDone) setTimeout(() => state.lesson === judged && state.tip === tip && putBack(judged), PAUSE);
    });
}

/** Shows the position of the task again. @param {Lesson} lesson */
function putBack(lesson) {
    const { root } = state;
    root.children = [];
    change({
        ...choiceFromStart(), lesson: { ...lesson, stage: "task" }, tip: root, here: root, wanted: root,
        version: state.version + 1,
    });
}

/** Says how the task is done. */
export function hintAtTask() {
    const { lesson } = state;
    if (lesson?.stage === "task") change({ lesson: { ...lesson, said: lesson.tasks[lesson.index].hint } });
}

/** Goes on to the next task, or after the last one to a game against the engine. */
export async function goOn() {
    const { lesson } = state;
    if (lesson?.stage !== "done") return;
    const { game, options, tasks, index } = lesson;
    if (index + 1 < tasks.length) {
        await show({ ...lesson, index: index + 1, stage: "task", said: "" });
        return;
    }
    const players = /** @type {import("./types.js").Player[]} */ (sides().map((_, side) =>
        (side === 0 ? "person" : "engine")));
    step += 1;
    learned.add(game);
    await begin({ ...state.setup, game, options, players, level: FIRST_LEVEL, clock: null });
    change({ lesson: null, version: state.version + 1 });
}

/** Leaves the lesson: the game that was going on goes on. */
export function leaveLesson() {
    const { lesson } = state;
    if (!lesson) return;
    step += 1;
    dropUnanswered();
    const { tip, here, clocks, may } = /** @type {State} */ (lesson.aside);
    change({
        ...choiceFromStart(), ...lesson.aside, wanted: here, lesson: null, version: state.version + 1,
        clocks: timed(tip, clocks, may),
    });
}
