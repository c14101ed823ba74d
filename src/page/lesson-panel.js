import { byId, setText } from "./dom.js";
import { finishedLessons, leaveLesson, nextTask } from "./lesson.js";
import { runAction } from "./requests.js";
import { hasOverlay, state, subscribe } from "./state.js";
import { TEXT } from "./strings.js";

/** Draws the task of a lesson, and offers a lesson before the first move of a game. */
export function drawLessonPanel(/** @type {() => void} */ focusBoard) {
    const panel = byId("lesson");
    const task = byId("lesson-task");
    const feedback = byId("lesson-said");
    const next = byId("lesson-next");
    const nameOf = (/** @type {string} */ game) => state.games.find(({ word }) => word === game)?.name ?? game;
    const parts = () => [state.lesson, hasOverlay(), state.geometry, state.tip, state.start, state.end, state.root];
    subscribe(parts, ([before]) => {
        const { lesson, tip, setup, start, end } = state;
        document.body.classList.toggle("learning", hasOverlay());
        panel.hidden = lesson === null;
        const isStart = tip.ply === 0 && start === null && end === null;
        const isNew = !hasOverlay() && isStart && !finishedLessons.has(setup.game);
        byId("new-here").hidden = !isNew;
        byId("learn").hidden = isNew;
        byId("new-here-text").textContent = TEXT.newHere(nameOf(setup.game));
        if (lesson === null || lesson === before) return;
        const { index, stage, tasks } = lesson;
        byId("lesson-title").textContent = TEXT.lesson(nameOf(lesson.game));
        setText(byId("lesson-progress"), TEXT.progress(index + 1, tasks.length));
        setText(task, tasks[index].text);
        feedback.textContent = lesson.feedback;
        feedback.className = stage;
        next.hidden = stage !== "done";
        next.textContent = index + 1 < tasks.length ? TEXT.nextTask : TEXT.firstGame;
        byId("lesson-hint").hidden = stage === "done";
        if (stage === "done") next.focus({ preventScroll: true });
        if (!before) {
            // The pressed button is gone. On a narrow screen the task may be out of view.
            byId("lesson-title").focus({ preventScroll: true });
            panel.scrollIntoView({ block: "nearest" });
        }
    });
    next.addEventListener("click", async () => {
        const { lesson } = state;
        await runAction(nextTask);
        if (state.lesson !== lesson) focusBoard();
    });
    byId("lesson-leave").addEventListener("click", () => {
        leaveLesson();
        focusBoard();
    });
}
