import { addRovingFocus, elementById, html, setTabStop, setText, state, subscribe, TEXT,
    viewOfNode } from "../core/index.js";
import { HAS_SERVER, runAndShowError } from "../engine/index.js";
import { chooseExercise, countSolvedProblems, createProblemFromPosition, isExerciseSolved, leaveProblems,
    practiseTurningPoints, problemTaskText, restartExercise, showDailyProblem, showNextExercise, showSolution,
    showSolutionHint, toggleDrillsOrProblems } from "./problems.js";

const DATE = new Intl.DateTimeFormat([], { dateStyle: "medium" });

/** Draws the current problem and the list of problems. @param {() => void} focusBoard */
export function mountProblemsPanel(focusBoard) {
    const panel = elementById("problem");
    const feedback = elementById("problem-said");
    const list = elementById("problem-list");
    /** @type {Map<HTMLButtonElement, number>} The buttons of the list with their indices. */
    let buttons = new Map();
    subscribe(() => [state.learn.practice], ([before]) => {
        const { practice } = state.learn;
        panel.hidden = practice === null;
        elementById("all-problems").hidden = !practice || practice.kind === "moments" || practice.list.length === 1;
        if (!practice) return;
        const { kind, game, index, stage, base } = practice;
        const isProblem = kind === "problems";
        const isDrill = kind === "drills";
        const isOver = stage === "done" || stage === "shown";
        const name = state.engine.games.find(({ word }) => word === game)?.name ?? game;
        elementById("problem-title").textContent = isProblem ? TEXT.problemsOf(name)
            : isDrill ? TEXT.drillsOf(name) : TEXT.moments;
        const { turn } = viewOfNode(base).scene;
        const exercise = practice.list[index];
        const { grade = 1, name: mistake = "" } = exercise;
        const done = countSolvedProblems();
        setText(elementById("problem-task"), isDrill ? TEXT.drillTask(turn ?? "", exercise.value ?? "")
            : !isProblem ? TEXT.findBest(turn ?? "", mistake)
                : problemTaskText(exercise, turn ?? ""));
        setText(elementById("problem-progress"), isProblem || isDrill
            ? TEXT.problemAt(isDrill, index + 1, practice.list.length, grade, isExerciseSolved(game, exercise), done,
                practice.isDaily ? DATE.format(new Date()) : null)
            : TEXT.momentAt(index + 1, practice.list.length, done));
        setText(feedback, practice.feedback);
        feedback.className = stage;
        const following = elementById("problem-next");
        following.classList.toggle("primary", isOver);
        following.hidden = practice.list.length === 1
            || (kind === "moments" && isOver && done === practice.list.length);
        following.textContent = isProblem ? TEXT.nextProblem
            : isDrill ? TEXT.nextDrill : TEXT.nextMoment;
        elementById("problem-hint", HTMLButtonElement).hidden = isOver;
        elementById("problem-hint", HTMLButtonElement).disabled = stage !== "solve" || practice.hints > 1;
        elementById("problem-solution").hidden = isOver || isDrill;
        const other = elementById("problem-kind");
        other.hidden = practice.drills.length === 0;
        other.textContent = isDrill ? TEXT.problems : TEXT.drills;
        elementById("problem-again").hidden = !isOver && practice.at === base && practice.slips === 0;
        elementById("problem-day").hidden = !isProblem || practice.list.length === 1;
        if (kind !== "moments") drawList(before?.list);
        if (stage === "done" && before?.stage !== "done") following.focus({ preventScroll: true });
        // The pressed button is gone.
        if (!before) elementById("problem-title").focus({ preventScroll: true });
        if (before?.base === base) return;
        // On a narrow screen, scroll to the board and the message below it.
        for (const part of [elementById("boards"), feedback]) part.scrollIntoView({ block: "nearest" });
    });

    /** @param {object[] | undefined} before The list that was drawn before. */
    function drawList(before) {
        const { practice } = state.learn;
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
            const isProblemSolved = isExerciseSolved(game, problems[at]);
            button.classList.toggle("solved", isProblemSolved);
            button.setAttribute("aria-label", kind === "drills" ? TEXT.drillName(at + 1, isProblemSolved)
                : TEXT.problemName(at + 1, length, isProblemSolved));
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
        const { practice } = state.learn;
        await runAndShowError(work);
        if (state.learn.practice?.base !== practice?.base) focusBoard();
    }

    addRovingFocus(list, ".buttons");
    elementById("problem-next").addEventListener("click", () => runAndFocus(showNextExercise));
    elementById("problem-again").addEventListener("click", () => runAndFocus(restartExercise));
    elementById("problem-day").addEventListener("click", () => runAndFocus(showDailyProblem));
    elementById("problem-solution").addEventListener("click", () => runAndFocus(showSolution));
    elementById("problem-kind").addEventListener("click", () => runAndFocus(toggleDrillsOrProblems));
    elementById("problem-hint").addEventListener("click", () => runAndFocus(showSolutionHint));
    elementById("make-problem").hidden = !HAS_SERVER;
    elementById("make-problem").addEventListener("click", () => runAndFocus(createProblemFromPosition));
    for (const id of ["practise", "practise-end"]) {
        elementById(id).addEventListener("click", () => runAndFocus(practiseTurningPoints));
    }
    elementById("problem-leave").addEventListener("click", () => {
        leaveProblems();
        focusBoard();
    });
}
