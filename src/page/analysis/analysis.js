/** @import { GameNode } from "../core/game-tree.js" */
/** @import { Line } from "../core/types.js" */
import { isEngineToMoveHere, setState, state, subscribe, viewedScene } from "../core/index.js";
import { describeError, requestFieldsOfPosition, sendSearchRequest } from "../engine/index.js";

/** The milliseconds between two reports. */
const REPORT_INTERVAL = 110;
/** The time of a normal search, in milliseconds. */
const SEARCH_TIME = 10_000;
/** A depth that no search reaches. */
const UNREACHABLE_DEPTH = 1000;

/** The maximum number of lines. */
export const MAX_ANALYSIS_LINES = 5;

/**
 * The engine's analysis of the viewed position.
 *
 * A report is stored at the position of its search. The page shows the lines that are stored at the
 * viewed position. Therefore it never shows lines of another position, even if a report comes late.
 */

/** @type {ReturnType<typeof sendSearchRequest> | null} */
let running = null;

/** Keeps a search of the viewed position running while analysis is on. */
export function setUpAnalysis() {
    subscribe(() => [state.game.viewedNode, viewedScene().turn, state.analysis.isOn, state.analysis.lineCount,
        state.analysis.infiniteNode, isEngineToMoveHere(), state.engine.offlineReason], () => {
        running?.stop();
        running = null;
        const { viewedNode } = state.game;
        const { isOn, infiniteNode } = state.analysis;
        const isPossible = viewedScene().turn !== null && !isEngineToMoveHere() && state.engine.offlineReason === null;
        const searching = isOn && isPossible;
        if (searching) startAnalysis(viewedNode);
        setState({ analysis: { searching, infiniteNode: infiniteNode === viewedNode ? viewedNode : null } });
    });
}

/** Returns the known lines of the viewed position, best first. @returns {Line[]} */
export function knownAnalysisLines() {
    return state.analysis.isOn ? state.game.viewedNode.analysisLines.slice(0, state.analysis.lineCount) : [];
}

/** Sets the number of lines. @param {number} count */
export function setAnalysisLineCount(count) {
    setState({ analysis: { lineCount: Math.max(1, Math.min(count, MAX_ANALYSIS_LINES)) } });
}

/** Searches the viewed position without a limit. */
export function analyseInfinitely() {
    if (state.analysis.isOn) setState({ analysis: { infiniteNode: state.game.viewedNode } });
}

/**
 * Starts a search. The search has a lower priority than all other requests, because it may never
 * end.
 *
 * @param {GameNode} node
 */
function startAnalysis(node) {
    const multipv = state.analysis.lineCount;
    const limit = state.analysis.infiniteNode === node ? { depth: UNREACHABLE_DEPTH } : { movetime: SEARCH_TIME };
    const storeLines = (/** @type {{ analysis: { lines: Line[] } }} */ { analysis }) => {
        const lines = analysis.lines.filter(({ chance }) => chance !== null);
        if (!shouldReplaceAnalysisLines(lines, node.analysisLines, multipv)) return;
        node.analysisLines = lines;
        setState();
    };
    const fields = { ask: "analysis", multipv, every: REPORT_INTERVAL, priority: -1, ...limit };
    const current = running = sendSearchRequest({ ...requestFieldsOfPosition(node), ...fields }, storeLines);
    current.response.then((response) => {
        storeLines(response);
        if (current === running) setState({ analysis: { searching: false } });
    }).catch((error) => {
        if (current === running) setState({ app: { note: describeError(error) }, analysis: { isOn: false } });
    });
}

/**
 * Returns whether new lines replace the known lines. A new search starts at depth 1 again. If its
 * lines are as many as the known or requested lines, they must be at least as deep. Otherwise there
 * must be more new lines than known lines.
 *
 * @param {Line[]} lines
 * @param {Line[]} known
 * @param {number} count The requested number of lines.
 */
export function shouldReplaceAnalysisLines(lines, known, count) {
    if (lines.length !== Math.min(known.length, count)) return lines.length > known.length;
    return lines.length > 0 && lines[0].depth >= known[0].depth;
}
