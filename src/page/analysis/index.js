/** The parts of this folder that other folders use. */
export { mountAdviceArrows } from "./advice-arrows.js";
export { analyseInfinitely, MAX_ANALYSIS_LINES, setAnalysisLineCount, setUpAnalysis } from "./analysis.js";
export { focusAnalysisLines, mountAnalysisList } from "./analysis-list.js";
export { mountEvaluationBar } from "./evaluation-bar.js";
export { mountLinePreview } from "./line-preview.js";
export { awaitReview, canReviewGame, mountReviewPanel, toggleReview } from "./review.js";
export { mountReviewGraph } from "./review-graph.js";
