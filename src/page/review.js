/** @import { ReviewedMove } from "./types.js" */
/** @import { GameNode } from "./tree.js" */
import { byId, html, setText } from "./dom.js";
import { viewPosition, playFromHere } from "./game.js";
import { cleanComment, markSign, withComment, withMark } from "./notes.js";
import { describeError, positionFields, startSearch } from "./requests.js";
import { setState, sides, state, subscribe } from "./state.js";
import { TEXT } from "./strings.js";

/** The node limit for each position, as in `pentarch analyse FILE`. */
const NODES_PER_POSITION = 20_000;
/** The milliseconds between two reports. */
const REPORT_INTERVAL = 100;

/** @type {ReturnType<typeof startSearch> | null} */
let running = null;

/** Returns whether the game can be reviewed: a review compares two sides. */
export const canReview = () => sides().length === 2 && state.tip.ply > 0;

/** Reviews the current game, or stops the running review. */
export async function toggleReview() {
    if (state.review?.running) {
        stopSearch();
        setState({ review: { ...state.review, running: false } });
        return;
    }
    if (!canReview()) return;
    const { root, tip } = state;
    const nodes = [root, ...tip.path];
    const storeReview = (/** @type {any} */ answer) => {
        if (current === running) setState({ review: { nodes, found: answer.review, running: Boolean(answer.partial) } });
    };
    const current = running = startSearch({ ...positionFields(tip), ask: "review", nodes: NODES_PER_POSITION, every: REPORT_INTERVAL }, storeReview);
    setState({ review: { nodes, found: null, running: true } });
    try {
        storeReview(await current.answer);
    } catch (error) {
        setState({ review: null, note: describeError(error) });
    }
}

/**
 * Waits for the review of the game, which is started if there is none.
 *
 * @returns {Promise<boolean>} Whether it is complete.
 */
export async function awaitReview() {
    if (!state.review) await toggleReview();
    else await running?.answer;
    return isReviewComplete();
}

/** Returns whether the whole game is reviewed. */
export function isReviewComplete() {
    const { nodes = [], found = null, running: isRunning = false } = state.review ?? {};
    return nodes.length > 1 && found?.moves.length === nodes.length - 1 && !isRunning;
}

function stopSearch() {
    running?.stop();
    running = null;
}

/** Returns the review of the move to a position. @param {GameNode} node @returns {ReviewedMove | undefined} */
export function reviewOfMove(node) {
    const { nodes, found } = state.review ?? {};
    return nodes?.[node.ply] === node ? found?.moves[node.ply - 1] : undefined;
}

/** Draws the review. It is dropped when its moves are deleted. */
export function drawReview() {
    byId("review-keep").addEventListener("click", addReviewToMoves);
    subscribe(() => [state.treeVersion, state.offlineReason], () => {
        const { nodes = [], running: isRunning = false } = state.review ?? {};
        // The other positions lead to the last one.
        if ((nodes.at(-1)?.isInTree(state.root) ?? true) && !(isRunning && state.offlineReason !== null)) return;
        stopSearch();
        setState({ review: null });
    });
    subscribe(() => [state.review, state.geometry, state.tip], () => {
        const { nodes = [], found = null, running: isRunning = false } = state.review ?? {};
        const [done, count] = [found?.moves.length ?? 0, nodes.length - 1];
        const button = byId("review", HTMLButtonElement);
        button.disabled = !canReview();
        button.textContent = isRunning ? TEXT.stopReview : TEXT.review;
        byId("review-progress").textContent = isRunning ? TEXT.reviewed(done, count) : "";
        byId("review-result").hidden = !isReviewComplete();
        setText(byId("review-done"), isReviewComplete() ? TEXT.reviewDone : "");
        if (isReviewComplete()) drawSummary();
    });
}

/** Adds the review's results to the moves: marks, comments, and better moves as variations. */
function addReviewToMoves() {
    const { nodes, found } = /** @type {NonNullable<typeof state.review>} */ (state.review);
    for (const { ply, mark, side, lost, best } of found?.moves ?? []) {
        const node = nodes[ply];
        if (!mark || !node.parent) continue;
        if (markSign(node.notes) === "") node.notes = withMark(node.notes, mark);
        const words = TEXT.moment(node.name, mark, side, lost, best);
        const said = node.notes.comment ?? "";
        if (!said.includes(words)) node.notes = withComment(node.notes, cleanComment(`${said} ${words}`));
        node.parent.addMove(best, node.mover);
    }
    setState({ treeVersion: state.treeVersion + 1 });
}

/** Shows how the sides have played, and the moves that turned the game. */
function drawSummary() {
    const { nodes, found } = /** @type {NonNullable<typeof state.review>} */ (state.review);
    if (!found) return;
    const tallies = found.sides.flatMap(({ side, accuracy, mistakes, blunders }) =>
        (accuracy === null ? [] : [html("li", {}, TEXT.tally(side, accuracy, mistakes, blunders))]));
    byId("tallies").replaceChildren(...tallies);
    const moments = found.moves.flatMap((move) =>
        (move.mark ? [createMoment(nodes[move.ply], move, move.ply === found.turning_point)] : []));
    byId("no-moments").hidden = moments.length > 0;
    byId("practise").hidden = moments.length === 0;
    const list = byId("moments");
    // The focus stays at the same entry of the list.
    const focused = [...list.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    list.replaceChildren(...moments);
    list.querySelectorAll("button")[focused]?.focus();
}

/** @param {GameNode} node @param {ReviewedMove} move @param {boolean} isTurning Whether the move lost most. */
function createMoment({ name, parent }, { side, mark, lost, best }, isTurning) {
    const again = async () => {
        await viewPosition(parent);
        if (parent === state.viewedNode) await playFromHere();
    };
    return html("li", { class: isTurning ? "turning-point" : undefined },
        isTurning ? html("strong", {}, TEXT.turningPoint) : "",
        html("button", { type: "button", class: "moment", onclick: () => void viewPosition(parent) },
            TEXT.moment(name, mark, side, lost, best)),
        html("button", { type: "button", "aria-label": TEXT.againBefore(name), onclick: again }, TEXT.again));
}
