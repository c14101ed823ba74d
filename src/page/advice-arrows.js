/** @import { Board } from "./board.js" */
/** @import { GameNode } from "./tree.js" */
/** @import { Details } from "./types.js" */
import { knownLines } from "./analysis.js";
import { svg } from "./dom.js";
import { askAbout } from "./requests.js";
import { inBrief, view } from "./score.js";
import { change, state, whenever } from "./state.js";

/** The distance of a label above the target of its move, so that both are visible. */
const ASIDE = 0.36;

/** @type {WeakMap<GameNode, Map<string, Details | null>>} The effects of moves; `null` until the response comes. */
const known = new WeakMap();

/**
 * Draws the first moves of the best lines on the board, as arrows and outlines by rank with their
 * scores.
 *
 * @param {Board} board
 */
export function drawAdvice(board) {
    whenever(() => [state.geometry, state.flipped, advised().map(({ text }) => text).join()], () => {
        /** @type {[number, number][]} */
        const places = [];
        const moves = advised();
        const labels = moves.map(({ rank, details, score }) => label(board, rank, details, score, places));
        // The best move is drawn above the others.
        const ways = moves.map(({ rank, details }) => svg("g", { class: `rank-${rank + 1}` }, ...board.ways(details)));
        board.layers.advice.replaceChildren(...ways.reverse(), ...labels);
    });
}

/** Returns the moves to draw. Requests the details that are missing. */
function advised() {
    const { turned } = view();
    return knownLines().flatMap((line, rank) => {
        const details = learnt(state.here, line.move);
        const score = inBrief(line, turned);
        return details ? [{ rank, details, score, text: `${rank} ${line.move} ${score}` }] : [];
    });
}

/** Returns the details of a move; `null` until the response comes. @param {GameNode} node @param {string} move */
function learnt(node, move) {
    const moves = known.get(node) ?? new Map();
    known.set(node, moves);
    if (!moves.has(move)) {
        moves.set(move, null);
        askAbout(node, "details", { move }).then((details) => {
            moves.set(move, details);
            change();
        }, () => moves.delete(move));
    }
    return moves.get(move);
}

/**
 * Creates the label of a move with its rank and score. It is above the target of the move, and
 * above all labels that would overlap it.
 *
 * @param {Board} board
 * @param {number} rank
 * @param {Details} details
 * @param {string} score
 * @param {[number, number][]} places The centres of the other labels; this one is appended.
 */
function label(board, rank, { clicks, moved, placed }, score, places) {
    const site = board.sites.get(placed[0]?.site ?? moved[0]?.to ?? clicks.at(-1) ?? "");
    if (!site) return svg("g");
    const size = 0.1 + 0.016 * board.geometry.box[2];
    const text = `${rank + 1}  ${score}`;
    const [width, height] = [size * (0.58 * text.length + 0.5), 1.35 * size];
    const [centre, middle] = board.at(site.x, site.y);
    const { x: left, width: whole } = board.element.viewBox.baseVal;
    const x = Math.min(Math.max(centre, left + width / 2), left + whole - width / 2);
    let y = middle - ASIDE;
    while (places.some(([aside, above]) => Math.abs(aside - x) < width && Math.abs(above - y) < height)) y += height;
    places.push([x, y]);
    return svg("g", { class: `label rank-${rank + 1}` },
        svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 0.3 * size }),
        svg("text", { x, y, "font-size": size }, text));
}
