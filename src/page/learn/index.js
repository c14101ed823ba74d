/** The parts of this folder that other folders use. */
export { leaveLesson, showLessonHint, startLesson, watchLessonMoves } from "./lesson.js";
export { mountLessonPanel } from "./lesson-panel.js";
export { findDailyProblem, leaveProblems, openProblems, showSolutionHint, watchExerciseMoves } from "./problems.js";
export { mountProblemsPanel } from "./problems-panel.js";
export { mountRulesPanel } from "./rules-panel.js";
