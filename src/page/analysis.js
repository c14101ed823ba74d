/** @import { Line } from "./types.js" */
/** @import { GameNode } from "./tree.js" */
import { explained, placeOf, search } from "./requests.js";
import { change, isEngineDueHere, scene, state, whenever } from "./state.js";

/** The milliseconds between two reports. */
const EVERY = 110;
/** The time of a normal search, in milliseconds. */
const ENOUGH = 10_000;
/** A depth that no search reaches. */
const WITHOUT_END = 1000;

/** The maximum number of lines. */
export const MOST_LINES = 5;

/**
 * The engine's analysis of the viewed position.
 *
 * A report is stored at the position that the search was started for, and the page shows the lines
 * that are stored at the viewed position. So it never shows lines of another position, however late
 * a report comes.
 */

/** @type {ReturnType<typeof search> | null} */
let running = null;

/** Keeps a search of the viewed position running while analysis is on. */
export function analyse() {
    whenever(() => [state.here, scene().turn, state.analysing, state.lineCount, state.deep, isEngineDueHere(),
        state.offline], () => {
        running?.stop();
        running = null;
        const searching = state.analysing && scene().turn !== null && !isEngineDueHere() && state.offline === null;
        if (searching) begin(state.here);
        change({ searching, deep: state.deep === state.here ? state.deep : null });
    });
}

/** Returns the known lines of the viewed position, best first. @returns {Line[]} */
export function knownLines() {
    return state.analysing ? state.here.lines.slice(0, state.lineCount) : [];
}

/** Sets the number of lines. @param {number} count */
export function showLines(count) {
    change({ lineCount: Math.max(1, Math.min(count, MOST_LINES)) });
}

/** Searches the viewed position without a limit. */
export function deepen() {
    if (state.analysing) change({ deep: state.here });
}

/**
 * Starts a search. It may never end, so that it has a lower priority than all other requests.
 *
 * @param {GameNode} node
 */
function begin(node) {
    const multipv = state.lineCount;
    const limit = state.deep === node ? { depth: WITHOUT_END } : { movetime: ENOUGH };
    const take = (/** @type {{ analysis: { lines: Line[] } }} */ { analysis }) => {
        const lines = analysis.lines.filter(({ chance }) => chance !== null);
        if (!isBetter(lines, node.lines, multipv)) return;
        node.lines = lines;
        change();
    };
    const fields = { ask: "analysis", multipv, every: EVERY, priority: -1, ...limit };
    const mine = running = search({ ...placeOf(node), ...fields }, take);
    mine.answer.then((answer) => {
        take(answer);
        if (mine === running) change({ searching: false });
    }).catch((error) => mine === running && change({ note: explained(error), analysing: false }));
}

/**
 * Returns whether new lines replace the known ones. A new search starts at depth 1 again, so that
 * its lines must be more, or as deep as the known ones.
 *
 * @param {Line[]} lines
 * @param {Line[]} known
 * @param {number} count The requested number of lines.
 */
export function isBetter(lines, known, count) {
    if (lines.length !== Math.min(known.length, count)) return lines.length > known.length;
    return lines.length > 0 && lines[0].depth >= known[0].depth;
}
