/** @import { Lesson } from "../core/types.js" */
import { GameNode, isGameSuspended, setState, sideWords, state, subscribe, TEXT } from "../core/index.js";
import { sendRequest } from "../engine/index.js";
import { startGame } from "../game/index.js";
import { gameSnapshot, restoreSuspendedGame, suspendGameAndShow, takeBackMovesAfter } from "./suspended-game.js";

/** A lesson is a guided first game. It consists of small tasks on the board, and one move solves each task. */

/** The milliseconds for which a wrong move is visible before it is taken back. */
const WRONG_MOVE_TIME = 900;
/** The engine's level in the first game after a lesson. */
const FIRST_GAME_LEVEL = "beginner";
/** The games whose lessons are finished. @type {Set<string>} */
export const gamesWithFinishedLesson = new Set();

/** The number of the latest task. Responses for earlier tasks are dropped. */
let latestStep = 0;

/** Starts the lesson of a game. @param {string} game */
export async function startLesson(game = state.game.setup.game) {
    if (isGameSuspended()) return;
    const currentStep = ++latestStep;
    const { lesson: { options, tasks } } = await sendRequest({ game, ask: "lesson" });
    if (currentStep !== latestStep || isGameSuspended()) return;
    await showTask({ game, options, tasks, index: 0, stage: "task", feedback: "", suspendedGame: gameSnapshot() });
}

/** Shows a task. @param {Lesson} lesson */
async function showTask(lesson) {
    const { game, options, tasks, index } = lesson;
    const { fen } = tasks[index];
    const currentStep = ++latestStep;
    const response = await sendRequest({ game, options, fen, ask: ["board", "scene", "status", "clicks"] });
    if (currentStep !== latestStep) return;
    const root = new GameNode();
    root.view = response;
    const place = { geometry: response.board, start: fen, root, tip: root, flipped: false };
    suspendGameAndShow(place, { learn: { lesson } });
}

/** Checks each move that is made in a lesson. */
export function watchLessonMoves() {
    subscribe(() => [state.learn.lesson, state.game.tip], () => {
        const { lesson } = state.learn;
        const { tip } = state.game;
        if (lesson?.stage !== "task" || !tip.parent) return;
        const { moves, done } = lesson.tasks[lesson.index];
        const isDone = moves.includes(tip.move);
        const checked = /** @type {Lesson} */ ({
            ...lesson, stage: isDone ? "done" : "other", feedback: isDone ? done : TEXT.otherMove,
        });
        setState({ learn: { lesson: checked } });
        if (isDone) return;
        setTimeout(() => {
            if (state.learn.lesson !== checked || state.game.tip !== tip) return;
            takeBackMovesAfter(state.game.root, { learn: { lesson: { ...checked, stage: "task" } } });
        }, WRONG_MOVE_TIME);
    });
}

/** Shows the hint of the task. */
export function showLessonHint() {
    const { lesson } = state.learn;
    if (lesson?.stage !== "task") return;
    setState({ learn: { lesson: { ...lesson, feedback: lesson.tasks[lesson.index].hint } } });
}

/** Shows the next task. After the last task, starts a game against the engine. */
export async function startNextLessonTask() {
    const { lesson } = state.learn;
    if (lesson?.stage !== "done") return;
    const { game, options, tasks, index } = lesson;
    if (index + 1 < tasks.length) {
        await showTask({ ...lesson, index: index + 1, stage: "task", feedback: "" });
        return;
    }
    const players = /** @type {import("../core/types.js").Player[]} */ (sideWords().map((_, side) =>
        (side === 0 ? "person" : "engine")));
    latestStep += 1;
    gamesWithFinishedLesson.add(game);
    await startGame({ ...state.game.setup, game, options, players, level: FIRST_GAME_LEVEL, clock: null });
    setState({ learn: { lesson: null }, game: { treeVersion: state.game.treeVersion + 1 } });
}

/** Leaves the lesson and restores the suspended game. */
export function leaveLesson() {
    const { lesson } = state.learn;
    if (!lesson) return;
    latestStep += 1;
    restoreSuspendedGame(lesson.suspendedGame, { learn: { lesson: null } });
}
