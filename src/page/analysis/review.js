/** @import { GameNode } from "../core/game-tree.js" */
/** @import { ReviewedMove } from "../core/types.js" */
import { capitalise, elementById, html, setState, setText, sideWords, state, subscribe, TEXT } from "../core/index.js";
import { describeError, requestFieldsOfPosition, sendSearchRequest } from "../engine/index.js";
import { moveMarkOfNotes, noteWithComment, noteWithMark, sanitizeComment, viewPosition } from "../game/index.js";

/** The node limit for each position, as in `pentarch analyse FILE`. */
const NODES_PER_POSITION = 20_000;
/** The number of moves that are shown of a line. */
const SHOWN_MOVES = 8;
/** The level at which the engine plays at full strength. */
const FULL_STRENGTH = "champion";
/** The milliseconds between two reports. */
const REPORT_INTERVAL = 100;

/** @type {ReturnType<typeof sendSearchRequest> | null} */
let running = null;

/** Returns whether the game can be reviewed. A review needs two sides, because it compares them. */
export const canReviewGame = () => sideWords().length === 2 && state.game.tip.ply > 0;

/** Reviews the current game, or stops the running review. */
export async function toggleReview() {
    if (state.analysis.review?.isRunning) {
        stopSearch();
        setState({ analysis: { review: { ...state.analysis.review, isRunning: false } } });
        return;
    }
    if (!canReviewGame()) return;
    const { root, tip } = state.game;
    const nodes = [root, ...tip.path];
    const storeReview = (/** @type {any} */ response) => {
        if (current !== running) return;
        setState({ analysis: { review: { nodes, result: response.review, isRunning: Boolean(response.partial) } } });
    };
    const fields = { ask: "review", nodes: NODES_PER_POSITION, every: REPORT_INTERVAL };
    const current = running = sendSearchRequest({ ...requestFieldsOfPosition(tip), ...fields }, storeReview);
    setState({ analysis: { review: { nodes, result: null, isRunning: true } } });
    try {
        storeReview(await current.response);
    } catch (error) {
        setState({ analysis: { review: null }, app: { note: describeError(error) } });
    }
}

/**
 * Waits for the review of the game. Starts the review if there is none.
 *
 * @returns {Promise<boolean>} Whether it is complete.
 */
export async function awaitReview() {
    if (!state.analysis.review) await toggleReview();
    else await running?.response;
    return isReviewComplete();
}

/** Returns whether the whole game is reviewed. */
function isReviewComplete() {
    const { nodes = [], result = null, isRunning = false } = state.analysis.review ?? {};
    return nodes.length > 1 && result?.moves.length === nodes.length - 1 && !isRunning;
}

function stopSearch() {
    running?.stop();
    running = null;
}

/** Draws the review. Drops the review when its moves are deleted. */
export function mountReviewPanel() {
    elementById("review-keep").addEventListener("click", addReviewToMoves);
    subscribe(() => [state.game.treeVersion, state.engine.offlineReason], () => {
        const { nodes = [], isRunning = false } = state.analysis.review ?? {};
        // It suffices to check the last position, because the other positions lead to it.
        const isInTree = nodes.at(-1)?.isInTree(state.game.root) ?? true;
        if (isInTree && !(isRunning && state.engine.offlineReason !== null)) return;
        stopSearch();
        setState({ analysis: { review: null } });
    });
    subscribe(() => [state.analysis.review, state.game.geometry, state.game.tip], () => {
        const { nodes = [], result = null, isRunning = false } = state.analysis.review ?? {};
        const done = result?.moves.length ?? 0;
        const count = nodes.length - 1;
        const button = elementById("review");
        button.hidden = !canReviewGame();
        button.textContent = isRunning ? TEXT.stopReview : TEXT.review;
        elementById("review-progress").textContent = isRunning ? TEXT.reviewed(done, count) : "";
        const resultElement = elementById("review-result");
        const wasHidden = resultElement.hidden;
        resultElement.hidden = !isReviewComplete();
        setText(elementById("review-done"), isReviewComplete() ? TEXT.reviewDone : "");
        if (!isReviewComplete()) return;
        drawSummary();
        if (wasHidden) resultElement.scrollIntoView({ block: "nearest" });
    });
}

/** Adds the results of the review to the moves: marks, comments, and better moves as variations. */
function addReviewToMoves() {
    const { nodes, result } = /** @type {NonNullable<typeof state.analysis.review>} */ (state.analysis.review);
    for (const move of result?.moves ?? []) {
        const { ply, mark, best, race } = move;
        const node = nodes[ply];
        const isLonger = race?.after.some((steps, index) => steps > race.before[index]);
        if (!mark && race && isLonger) addComment(node, `${race.text}.`);
        if (!mark || !node.parent) continue;
        if (moveMarkOfNotes(node.notes) === "") node.notes = noteWithMark(node.notes, mark);
        addComment(node, TEXT.moment(node.name, move));
        node.parent.addMove(best, node.mover);
    }
    setState({ game: { treeVersion: state.game.treeVersion + 1 } });
}

/** Adds a text to the comment on a move, unless the comment has it. @param {GameNode} node @param {string} text */
function addComment(node, text) {
    const oldComment = node.notes.comment ?? "";
    if (oldComment.includes(text)) return;
    node.notes = noteWithComment(node.notes, sanitizeComment(`${oldComment} ${text}`));
}

/** Shows how the sides have played, and the moves that turned the game. */
function drawSummary() {
    const { nodes, result } = /** @type {NonNullable<typeof state.analysis.review>} */ (state.analysis.review);
    if (!result) return;
    const tallies = result.sides.flatMap(({ side, accuracy, mistakes, blunders }, index) =>
        (accuracy === null || isPlayedAtFullStrength(index)
            ? [] : [html("li", {}, TEXT.tally(side, accuracy, mistakes, blunders))]));
    const mattered = result.moments.map((ply) => `${nodes[ply].name}${result.moves[ply - 1].mark}`);
    elementById("tallies").replaceChildren(...tallies);
    const sentences = [
        ...(result.phase === null ? [] : [TEXT.lostIn[result.phase]]),
        ...(mattered.length === 0 ? [] : [TEXT.mattered(mattered)]),
    ];
    elementById("review-summary").textContent = sentences.join(" ");
    const momentItems = result.moves.flatMap((move) =>
        (move.mark ? [createMoment(nodes[move.ply], move, move.ply === result.turning_point)] : []));
    elementById("no-moments").hidden = momentItems.length > 0;
    elementById("practise").hidden = momentItems.length === 0;
    elementById("turning-point").hidden = result.turning_point === null;
    const list = elementById("moments");
    // The focus stays at the same entry of the list.
    const focused = [...list.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    list.replaceChildren(...momentItems);
    list.querySelectorAll("button")[focused]?.focus();
}

/**
 * Returns whether an engine of full strength plays this side. The review comes from the same engine, so its verdict
 * would say little.
 *
 * @param {number} index
 */
function isPlayedAtFullStrength(index) {
    const { players, level } = state.game.setup;
    return players[index] !== "person" && level === FULL_STRENGTH;
}

/**
 * Creates the button of a mistake. It shows the position before the mistake, and what the mistake cost.
 *
 * @param {GameNode} node
 * @param {ReviewedMove} move
 * @param {boolean} isTurning Whether the mistake is the turning point.
 */
function createMoment({ name, parent }, move, isTurning) {
    const { mark, line, refutation } = move;
    const note = TEXT.moment(name, move);
    const view = async () => {
        await viewPosition(parent);
        if (parent !== state.game.viewedNode) return;
        setState({ app: { note } });
        elementById("boards").scrollIntoView({ block: "nearest" });
    };
    return html("li", { class: isTurning ? "turning-point" : undefined },
        html("button", { type: "button", "aria-label": `${isTurning ? TEXT.turningPoint : ""}${note}`, onclick: view },
            `${name}${mark}`),
        html("p", {}, capitalise(TEXT.cost(move))),
        ...(line.length > 1 ? [html("p", {}, TEXT.betterLine(line.slice(0, SHOWN_MOVES)))] : []),
        ...(refutation.length > 0
            ? [html("p", {}, TEXT.refutationLine(move.move, refutation.slice(0, SHOWN_MOVES)))] : []));
}
