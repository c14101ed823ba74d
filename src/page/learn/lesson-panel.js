import { elementById, isGameSuspended, setText, state, subscribe, TEXT } from "../core/index.js";
import { runAndShowError } from "../engine/index.js";
import { gamesWithFinishedLesson, leaveLesson, startNextLessonTask } from "./lesson.js";

/** Draws the task of a lesson, and offers a lesson before the first move of a game. */
export function mountLessonPanel(/** @type {() => void} */ focusBoard) {
    const panel = elementById("lesson");
    const task = elementById("lesson-task");
    const feedback = elementById("lesson-said");
    const next = elementById("lesson-next");
    const nameOf = (/** @type {string} */ game) => state.engine.games.find(({ word }) => word === game)?.name ?? game;
    const parts = () => [state.learn.lesson, isGameSuspended(), state.game.geometry, state.game.tip, state.game.start,
        state.game.end, state.game.root];
    subscribe(parts, ([before]) => {
        const { lesson } = state.learn;
        const { tip, setup, start, end } = state.game;
        document.body.classList.toggle("learning", isGameSuspended());
        panel.hidden = lesson === null;
        const isStart = tip.ply === 0 && start === null && end === null;
        const isNew = !isGameSuspended() && isStart && !gamesWithFinishedLesson.has(setup.game);
        elementById("new-here").hidden = !isNew;
        elementById("new-here-text").textContent = TEXT.newHere(nameOf(setup.game));
        if (lesson === null || lesson === before) return;
        const { index, stage, tasks } = lesson;
        elementById("lesson-title").textContent = TEXT.lesson(nameOf(lesson.game));
        setText(elementById("lesson-progress"), TEXT.progress(index + 1, tasks.length));
        setText(task, tasks[index].text);
        feedback.textContent = lesson.feedback;
        feedback.className = stage;
        next.hidden = stage !== "done";
        next.textContent = index + 1 < tasks.length ? TEXT.nextTask : TEXT.firstGame;
        elementById("lesson-hint").hidden = stage === "done";
        if (stage === "done") next.focus({ preventScroll: true });
        if (!before) {
            // The pressed button is gone. On a narrow screen the task may be out of view.
            elementById("lesson-title").focus({ preventScroll: true });
            for (const part of [elementById("table"), panel]) part.scrollIntoView({ block: "nearest" });
        }
    });
    next.addEventListener("click", async () => {
        const { lesson } = state.learn;
        await runAndShowError(startNextLessonTask);
        if (state.learn.lesson !== lesson) focusBoard();
    });
    elementById("lesson-leave").addEventListener("click", () => {
        leaveLesson();
        focusBoard();
    });
}
