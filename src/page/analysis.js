/** @import { Line } from "./types.js" */
/** @import { GameNode } from "./tree.js" */
import { explained, placeOf, search } from "./requests.js";
import { change, isEngineDueHere, scene, state, whenever } from "./state.js";

/** The milliseconds between two reports. */
const EVERY = 110;
/** How long a position is searched unless somebody wants it deeper, in milliseconds. */
const ENOUGH = 10_000;
/** Deeper than any search goes. */
const WITHOUT_END = 1000;

/** The most lines that are shown. */
export const MOST_LINES = 5;

/**
 * The engine's opinion of the position that is looked at.
 *
 * What a search reports is kept at the position that it was begun for, and what is shown is what is kept at the
 * position that is looked at. So nothing can be shown of another one, however late a report comes.
 */

/** @type {ReturnType<typeof search> | null} */
let running = null;

/** Has the position analysed that is looked at, whenever there is to be analysis. */
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

/** The lines that are known of the position that is looked at, best first. @returns {Line[]} */
export function knownLines() {
    return state.analysing ? state.here.lines.slice(0, state.lineCount) : [];
}

/** @param {number} count How many lines are to be shown. */
export function showLines(count) {
    change({ lineCount: Math.max(1, Math.min(count, MOST_LINES)) });
}

/** Searches the position that is looked at without end. */
export function deepen() {
    if (state.analysing) change({ deep: state.here });
}

/**
 * It may have no end, so that everything else comes before it.
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
 * Whether lines are worth more than those that were known before: a new search begins at depth 1 again.
 *
 * @param {Line[]} lines
 * @param {Line[]} known
 * @param {number} count How many are wanted.
 */
export function isBetter(lines, known, count) {
    if (lines.length !== Math.min(known.length, count)) return lines.length > known.length;
    return lines.length > 0 && lines[0].depth >= known[0].depth;
}
