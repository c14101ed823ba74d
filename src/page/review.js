/** @import { ReviewedMove } from "./types.js" */
/** @import { GameNode } from "./tree.js" */
import { byId, html, say } from "./dom.js";
import { look, playOn } from "./game.js";
import { commentOf, markOf, withComment, withMark } from "./notes.js";
import { explained, placeOf, search } from "./requests.js";
import { change, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** The node limit for each position, as in `pentarch analyse FILE`. */
const NODES = 20_000;
/** The milliseconds between two reports. */
const EVERY = 100;

/** @type {ReturnType<typeof search> | null} */
let running = null;

/** Returns whether the game can be reviewed: a review compares two sides. */
export const isReviewable = () => sides().length === 2 && state.tip.ply > 0;

/** Reviews the current game, or stops the running review. */
export async function review() {
    if (state.review?.running) {
        stop();
        change({ review: { ...state.review, running: false } });
        return;
    }
    if (!isReviewable()) return;
    const { root, tip } = state;
    const nodes = [root, ...tip.path];
    const take = (/** @type {any} */ answer) => {
        if (mine === running) change({ review: { nodes, found: answer.review, running: Boolean(answer.partial) } });
    };
    const mine = running = search({ ...placeOf(tip), ask: "review", nodes: NODES, every: EVERY }, take);
    change({ review: { nodes, found: null, running: true } });
    try {
        take(await mine.answer);
    } catch (error) {
        change({ review: null, note: explained(error) });
    }
}

/**
 * Waits for the review of the game, which is started if there is none.
 *
 * @returns {Promise<boolean>} Whether it is complete.
 */
export async function awaitReview() {
    if (!state.review) await review();
    else await running?.answer;
    return isWhole();
}

/** Returns whether the whole game is reviewed. */
export function isWhole() {
    const { nodes = [], found = null, running: isRunning = false } = state.review ?? {};
    return nodes.length > 1 && found?.moves.length === nodes.length - 1 && !isRunning;
}

function stop() {
    running?.stop();
    running = null;
}

/** Returns the review of the move to a position. @param {GameNode} node @returns {ReviewedMove | undefined} */
export function verdict(node) {
    const { nodes, found } = state.review ?? {};
    return nodes?.[node.ply] === node ? found?.moves[node.ply - 1] : undefined;
}

/** Draws the review. It is dropped when its moves are deleted. */
export function drawReview() {
    byId("review-keep").addEventListener("click", keepFindings);
    whenever(() => [state.version, state.offline], () => {
        const { nodes = [], running: isRunning = false } = state.review ?? {};
        // The other positions lead to the last one.
        if ((nodes.at(-1)?.isIn(state.root) ?? true) && !(isRunning && state.offline !== null)) return;
        stop();
        change({ review: null });
    });
    whenever(() => [state.review, state.geometry, state.tip], () => {
        const { nodes = [], found = null, running: isRunning = false } = state.review ?? {};
        const [done, count] = [found?.moves.length ?? 0, nodes.length - 1];
        const button = byId("review", HTMLButtonElement);
        button.disabled = !isReviewable();
        button.textContent = isRunning ? TEXT.stopReview : TEXT.review;
        byId("review-progress").textContent = isRunning ? TEXT.reviewed(done, count) : "";
        byId("review-result").hidden = !isWhole();
        say(byId("review-done"), isWhole() ? TEXT.reviewDone : "");
        if (isWhole()) summarise();
    });
}

/** Adds the review's results to the moves: marks, comments, and better moves as variations. */
function keepFindings() {
    const { nodes, found } = /** @type {NonNullable<typeof state.review>} */ (state.review);
    for (const { ply, mark, side, lost, best } of found?.moves ?? []) {
        const node = nodes[ply];
        if (!mark || !node.parent) continue;
        if (markOf(node.notes) === "") node.notes = withMark(node.notes, mark);
        const words = TEXT.moment(node.name, mark, side, lost, best);
        const said = node.notes.comment ?? "";
        if (!said.includes(words)) node.notes = withComment(node.notes, commentOf(`${said} ${words}`));
        node.parent.add(best, node.mover);
    }
    change({ version: state.version + 1 });
}

/** Shows how the sides have played, and the moves that turned the game. */
function summarise() {
    const { nodes, found } = /** @type {NonNullable<typeof state.review>} */ (state.review);
    if (!found) return;
    const tallies = found.sides.flatMap(({ side, accuracy, mistakes, blunders }) =>
        (accuracy === null ? [] : [html("li", {}, TEXT.tally(side, accuracy, mistakes, blunders))]));
    byId("tallies").replaceChildren(...tallies);
    const moments = found.moves.flatMap((move) =>
        (move.mark ? [moment(nodes[move.ply], move, move.ply === found.turning_point)] : []));
    byId("no-moments").hidden = moments.length > 0;
    byId("practise").hidden = moments.length === 0;
    const list = byId("moments");
    // The focus stays at the same entry of the list.
    const focused = [...list.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    list.replaceChildren(...moments);
    list.querySelectorAll("button")[focused]?.focus();
}

/** @param {GameNode} node @param {ReviewedMove} move @param {boolean} isTurning Whether the move lost most. */
function moment({ name, parent }, { side, mark, lost, best }, isTurning) {
    const again = async () => {
        await look(parent);
        if (parent === state.here) await playOn();
    };
    return html("li", { class: isTurning ? "turning-point" : undefined },
        isTurning ? html("strong", {}, TEXT.turningPoint) : "",
        html("button", { type: "button", class: "moment", onclick: () => void look(parent) },
            TEXT.moment(name, mark, side, lost, best)),
        html("button", { type: "button", "aria-label": TEXT.againBefore(name), onclick: again }, TEXT.again));
}
