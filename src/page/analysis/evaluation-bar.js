/** @import { Score } from "../core/types.js" */
import { elementById, html, isEngineToMoveHere, sideWords, state, subscribe, TEXT,
    viewedScene } from "../core/index.js";
import { finishedGameScore, formatScore, formatShortScore, scoreFromPerspective,
    scorePerspective } from "../engine/index.js";
import { knownAnalysisLines } from "./analysis.js";

/** Draws the evaluation of the viewed position and its depth. */
export function mountEvaluationBar() {
    subscribe(() => [state.analysis.isOn, state.analysis.lineCount, state.game.viewedNode, viewedScene(),
        state.game.viewedNode.analysisLines, state.analysis.searching, state.analysis.infiniteNode, state.board.flipped,
        isEngineToMoveHere()], () => {
        const { isOn: analysing, infiniteNode, lineCount, searching } = state.analysis;
        const { viewedNode } = state.game;
        const { turn, sentence } = viewedScene();
        const { names, isNegated } = scorePerspective();
        const [best] = knownAnalysisLines();
        const score = turn === null ? finishedGameScore() : best ? scoreFromPerspective(best, isNegated) : null;
        drawBar(analysing ? score : undefined);
        elementById("analysing", HTMLInputElement).checked = analysing;
        elementById("line-count", HTMLSelectElement).value = String(lineCount);
        const canDeepen = analysing && infiniteNode !== viewedNode && !isEngineToMoveHere() && turn !== null;
        elementById("deeper", HTMLButtonElement).disabled = !canDeepen;
        const text = turn === null ? `${sentence}.`
            : score ? TEXT.evaluationLine(formatWithChance(score, names), best.depth, searching)
                : searching ? TEXT.searching : TEXT.analysisPaused;
        elementById("evaluation").textContent = analysing ? text : "";
    });
}

/**
 * Draws the evaluation bar. The first side's share is its chance of winning. The share is at that
 * side's end of the bar.
 *
 * @param {Score | null | undefined} score For the first side; `null` if unknown, `undefined` to hide the bar.
 */
function drawBar(score) {
    const bar = elementById("bar");
    // With more than two sides, one bar cannot show all chances.
    bar.hidden = score === undefined || sideWords().length !== 2;
    if (bar.hidden) return;
    const share = score?.chance ?? 0.5;
    const words = score ? formatShortScore(score, sideWords()) : TEXT.unknown;
    bar.className = `${state.board.flipped ? "flipped" : ""} ${score ? "" : "unknown"}`.trim();
    bar.style.setProperty("--share", `${100 * share}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
    bar.setAttribute("aria-valuetext", score ? formatWithChance(score, sideWords()) : TEXT.unknown);
    const part = (/** @type {number} */ side) => html("span", { class: `part side-${side} ${sideWords()[side]}` });
    const ahead = share < 0.5 ? 1 : 0;
    const text = html("span", { class: `words side-${ahead} ${sideWords()[ahead]}` }, words);
    bar.replaceChildren(part(1), part(0), text);
}

/**
 * Formats a score. For two sides, an estimate also shows the first side's chance of winning.
 *
 * @param {Score} score For the first of the names.
 * @param {string[]} names
 */
function formatWithChance(score, names) {
    const words = formatScore(score, names);
    const isEstimate = typeof score.cp === "number" && !(score.proven && score.cp === 0) && sideWords().length === 2;
    return isEstimate ? TEXT.chance(words, names[0], score.chance ?? 0.5) : words;
}
