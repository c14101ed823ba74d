/** @import { Board } from "../board/board.js" */
/** @import { GameNode } from "../core/game-tree.js" */
/** @import { Details } from "../core/types.js" */
import { setState, state, subscribe, svg } from "../core/index.js";
import { askAboutPosition } from "../engine/index.js";
import { rotatePoint } from "../board/index.js";
import { knownAnalysisLines } from "./analysis.js";

/** The distance of the edge of a disc from the centre of the moved piece. Arcs are short. */
const DISC_DISTANCE = { arrow: 0.34, arc: 0.22 };
/** The radius of a disc in squares. Discs of large boards are larger, because these boards are scaled down. */
const DISC_RADIUS = { least: 0.11, perSquare: 0.011 };
/** The maximum number of places that are tried for a disc, so that it covers no other disc. */
const MAX_TRIES = 8;

/** @type {WeakMap<GameNode, Map<string, Details | null>>} The effects of moves; `null` until the response comes. */
const detailsByNode = new WeakMap();

/**
 * Draws the first moves of the best lines on the board, as arrows and outlines, with the rank of
 * each move. The scores are in the list of the lines.
 *
 * @param {Board} board
 */
export function mountAdviceArrows(board) {
    subscribe(() => [state.game.geometry, state.board.flipped, advisedMoves().map(({ text }) => text).join()], () => {
        /** @type {[number, number][]} */
        const centres = [];
        const moves = advisedMoves();
        const discs = moves.map(({ rank, details }) => createDisc(board, rank, details, centres));
        // The best move is drawn above the other moves.
        const shapes = moves.map(({ rank, details }) =>
            svg("g", { class: `rank-${rank + 1}` }, ...board.createMoveShapes(details)));
        board.layers.advice.replaceChildren(...shapes.reverse(), ...discs);
    });
}

/** Returns the moves to draw. Requests the details that are missing. */
function advisedMoves() {
    return knownAnalysisLines().flatMap((line, rank) => {
        const details = detailsOf(state.game.viewedNode, line.move);
        return details ? [{ rank, details, text: `${rank} ${line.move}` }] : [];
    });
}

/** Returns the details of a move; `null` until the response comes. @param {GameNode} node @param {string} move */
function detailsOf(node, move) {
    const moves = detailsByNode.get(node) ?? new Map();
    detailsByNode.set(node, moves);
    if (!moves.has(move)) {
        moves.set(move, null);
        askAboutPosition(node, "details", { move }).then((details) => {
            moves.set(move, details);
            setState();
        }, () => moves.delete(move));
    }
    return moves.get(move);
}

/**
 * Creates the disc with the rank of a move. The disc is at the tail of the arrow, so that it covers
 * no piece or goal. A move without an arrow has its disc on the placed piece.
 *
 * @param {Board} board
 * @param {number} rank
 * @param {Details} details
 * @param {[number, number][]} centres The centres of the other discs; the centre of this disc is appended.
 */
function createDisc(board, rank, details, centres) {
    const radius = DISC_RADIUS.least + DISC_RADIUS.perSquare * board.geometry.box[2];
    const { arrow, arc } = DISC_DISTANCE;
    let distance = details.moved.length > 0 ? (details.pivot === null ? arrow : arc) + radius : 0;
    let centre = pointOnArrow(board, details, distance);
    if (!centre) return svg("g");
    const isCovered = () => centres.some(([x, y]) =>
        centre && Math.hypot(centre[0] - x, centre[1] - y) < 1.6 * radius);
    for (let tries = 0; tries < MAX_TRIES && isCovered(); tries += 1) {
        distance += 2 * radius;
        centre = pointOnArrow(board, details, distance) ?? centre;
    }
    centres.push(centre);
    const [x, y] = centre;
    return svg("g", { class: `label rank-${rank + 1}` }, svg("circle", { cx: x, cy: y, r: radius }),
        svg("text", { x, y, "font-size": 1.5 * radius }, String(rank + 1)));
}

/**
 * Returns a point on the arrow or arc of a move. Without an arrow, the point is to the right of the
 * placed piece.
 *
 * @param {Board} board
 * @param {Details} details
 * @param {number} distance The distance from the tail of the arrow.
 * @returns {[number, number] | null} `null` if the move has no site.
 */
function pointOnArrow(board, { clicks, moved, placed, path, pivot, direction }, distance) {
    const start = board.sites.get(moved[0]?.from ?? placed[0]?.site ?? clicks.at(-1) ?? "");
    if (!start) return null;
    const centre = board.sites.get(pivot ?? "");
    if (centre) {
        const radius = Math.hypot(start.x - centre.x, start.y - centre.y) || 1;
        const turn = (distance / radius) * (180 / Math.PI);
        const { x, y } = rotatePoint(start, centre, direction === "ccw" ? turn : -turn);
        return board.toSvg(x, y);
    }
    const end = board.sites.get((path !== null && path.length > 2 ? path[1] : moved[0]?.to) ?? "");
    const [x, y] = board.toSvg(start.x, start.y);
    const [endX, endY] = end ? board.toSvg(end.x, end.y) : [x + 1, y];
    const share = distance / (Math.hypot(endX - x, endY - y) || 1);
    return [x + share * (endX - x), y + share * (endY - y)];
}
