import { byId, html, setText } from "./dom.js";
import { chooseExercise, countSolved, createProblem, isDrawProblem, isExerciseSolved, leaveProblems, practiseMoments,
    restartExercise, showDailyProblem, showNextExercise, showSolution, showSolutionHint,
    toggleDrills } from "./problems.js";
import { runAction } from "./requests.js";
import { addRovingFocus, setTabStop } from "./roving-focus.js";
import { state, subscribe, viewOf } from "./state.js";
import { TEXT } from "./strings.js";
import { HAS_SERVER } from "./transport.js";

const DATE = new Intl.DateTimeFormat([], { dateStyle: "medium" });

/** Draws the current problem and the list of problems. @param {() => void} focusBoard */
export function drawProblemsPanel(focusBoard) {
    const panel = byId("problem");
    const feedback = byId("problem-said");
    const list = byId("problem-list");
    /** @type {Map<HTMLButtonElement, number>} The buttons of the list with their indices. */
    let buttons = new Map();
    subscribe(() => [state.practice], ([before]) => {
        const { practice } = state;
        panel.hidden = practice === null;
        byId("all-problems").hidden = !practice || practice.kind === "moments" || practice.list.length === 1;
        if (!practice) return;
        const { kind, game, index, stage, base } = practice;
        const isProblem = kind === "problems";
        const isDrill = kind === "drills";
        const isOver = stage === "done" || stage === "shown";
        const name = state.games.find(({ word }) => word === game)?.name ?? game;
        byId("problem-title").textContent = isProblem ? TEXT.problemsOf(name)
            : isDrill ? TEXT.drillsOf(name) : TEXT.moments;
        const { turn } = viewOf(base).scene;
        const exercise = practice.list[index];
        const { length = 1, grade = 1, name: mistake = "" } = exercise;
        const done = countSolved();
        setText(byId("problem-task"), isDrill ? TEXT.drillTask(turn ?? "", exercise.value ?? "")
            : !isProblem ? TEXT.findBest(turn ?? "", mistake)
                : isDrawProblem(exercise) ? TEXT.drawTask(turn ?? "") : TEXT.winTask(turn ?? "", length));
        setText(byId("problem-progress"), isProblem || isDrill
            ? TEXT.problemAt(isDrill, index + 1, practice.list.length, grade, isExerciseSolved(game, exercise), done,
                practice.isDaily ? DATE.format(new Date()) : null)
            : TEXT.momentAt(index + 1, practice.list.length, done));
        setText(feedback, practice.feedback);
        feedback.className = stage;
        const following = byId("problem-next");
        following.classList.toggle("main", isOver);
        following.hidden = practice.list.length === 1
            || (kind === "moments" && isOver && done === practice.list.length);
        following.textContent = isProblem ? TEXT.nextProblem
            : isDrill ? TEXT.nextDrill : TEXT.nextMoment;
        byId("problem-hint", HTMLButtonElement).hidden = isOver;
        byId("problem-hint", HTMLButtonElement).disabled = stage !== "solve" || practice.hints > 1;
        byId("problem-solution").hidden = isOver || isDrill;
        const other = byId("problem-kind");
        other.hidden = practice.drills.length === 0;
        other.textContent = isDrill ? TEXT.problems : TEXT.drills;
        byId("problem-again").hidden = !isOver && practice.at === base && practice.slips === 0;
        byId("problem-day").hidden = !isProblem || practice.list.length === 1;
        if (kind !== "moments") drawList(before?.list);
        if (stage === "done" && before?.stage !== "done") following.focus({ preventScroll: true });
        // The pressed button is gone.
        if (!before) byId("problem-title").focus({ preventScroll: true });
        if (before?.base === base) return;
        // On a narrow screen, scroll to the board and the message below it.
        for (const part of [byId("boards"), feedback]) part.scrollIntoView({ block: "nearest" });
    });

    /** @param {object[] | undefined} before The list that was drawn before. */
    function drawList(before) {
        const { practice } = state;
        if (!practice) return;
        const { kind, game, list: problems, index } = practice;
        if (before !== problems) {
            buttons = new Map();
            const grades = new Map();
            problems.forEach(({ grade = 1 }, at) => {
                const onclick = () => runAndFocus(() => chooseExercise(at));
                const button = html("button", { type: "button", onclick }, String(at + 1));
                buttons.set(button, at);
                grades.set(grade, [...grades.get(grade) ?? [], button]);
            });
            list.replaceChildren(...[...grades].flatMap(([grade, gradeButtons]) => [
                html("h3", {}, TEXT.grade(grade)), html("div", { class: "buttons" }, ...gradeButtons),
            ]));
        }
        for (const [button, at] of buttons) {
            const { length = 1 } = problems[at];
            const isSolved = isExerciseSolved(game, problems[at]);
            button.classList.toggle("solved", isSolved);
            button.setAttribute("aria-label", kind === "drills" ? TEXT.drillName(at + 1, isSolved)
                : TEXT.problemName(at + 1, length, isSolved));
            button.toggleAttribute("aria-current", false);
            if (at !== index) continue;
            button.setAttribute("aria-current", "true");
            setTabStop(list, button);
        }
    }

    /**
     * Runs an action. If another problem is shown afterwards, focuses the board.
     *
     * @param {() => Promise<unknown>} work
     */
    async function runAndFocus(work) {
        const { practice } = state;
        await runAction(work);
        if (state.practice?.base !== practice?.base) focusBoard();
    }

    addRovingFocus(list, ".buttons");
    byId("problem-next").addEventListener("click", () => runAndFocus(showNextExercise));
    byId("problem-again").addEventListener("click", () => runAndFocus(restartExercise));
    byId("problem-day").addEventListener("click", () => runAndFocus(showDailyProblem));
    byId("problem-solution").addEventListener("click", () => runAndFocus(showSolution));
    byId("problem-kind").addEventListener("click", () => runAndFocus(toggleDrills));
    byId("problem-hint").addEventListener("click", () => runAndFocus(showSolutionHint));
    byId("make-problem").hidden = !HAS_SERVER;
    byId("make-problem").addEventListener("click", () => runAndFocus(createProblem));
    for (const id of ["practise", "practise-end"]) {
        byId(id).addEventListener("click", () => runAndFocus(practiseMoments));
    }
    byId("problem-leave").addEventListener("click", () => {
        leaveProblems();
        focusBoard();
    });
}
