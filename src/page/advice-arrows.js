/** @import { GameNode } from "./game-tree.js" */
/** @import { Details, Site } from "./types.js" */
/** @import { Board } from "./board.js" */
import { knownAnalysisLines } from "./analysis.js";
import { rotatePoint } from "./board.js";
import { svg } from "./dom.js";
import { askAboutPosition } from "./requests.js";
import { setState, state, subscribe } from "./state.js";

/** The distance of a disc from the centre of the moved piece: at the edge of the piece. */
const DISC_DISTANCE = 0.45;
/** The radius of a disc in squares. Discs of large boards are larger, because these boards are scaled down. */
const DISC_RADIUS = { least: 0.11, perSquare: 0.011 };

/** @type {WeakMap<GameNode, Map<string, Details | null>>} The effects of moves; `null` until the response comes. */
const detailsByNode = new WeakMap();

/**
 * Draws the first moves of the best lines on the board, as arrows and outlines, with the rank of
 * each move. The scores are in the list of the lines.
 *
 * @param {Board} board
 */
export function mountAdviceArrows(board) {
    subscribe(() => [state.geometry, state.flipped, advisedMoves().map(({ text }) => text).join()], () => {
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
        const details = detailsOf(state.viewedNode, line.move);
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
    const start = board.sites.get(details.moved[0]?.from ?? details.placed[0]?.site ?? details.clicks.at(-1) ?? "");
    if (!start) return svg("g");
    const radius = DISC_RADIUS.least + DISC_RADIUS.perSquare * board.geometry.box[2];
    const [dx, dy] = directionOfArrow(board, start, details);
    let [x, y] = board.toSvg(start.x, start.y);
    if (details.moved.length > 0) {
        x += DISC_DISTANCE * dx;
        y += DISC_DISTANCE * dy;
    }
    while (centres.some(([otherX, otherY]) => Math.hypot(otherX - x, otherY - y) < 1.9 * radius)) {
        x += 2 * radius * dx;
        y += 2 * radius * dy;
    }
    centres.push([x, y]);
    return svg("g", { class: `label rank-${rank + 1}` }, svg("circle", { cx: x, cy: y, r: radius }),
        svg("text", { x, y, "font-size": 1.5 * radius }, String(rank + 1)));
}

/**
 * Returns the direction in which the arrow of a move begins, or to the right if it has no arrow.
 *
 * @param {Board} board
 * @param {Site} start
 * @param {Details} details
 */
function directionOfArrow(board, start, { moved, path, pivot, direction, degrees }) {
    const centre = board.sites.get(pivot ?? "");
    const turn = ((direction === "ccw" ? 1 : -1) * (degrees ?? 0)) / 12;
    const end = centre ? rotatePoint(start, centre, turn)
        : board.sites.get((path !== null && path.length > 2 ? path[1] : moved[0]?.to) ?? "");
    const [x, y] = board.toSvg(start.x, start.y);
    const [endX, endY] = end ? board.toSvg(end.x, end.y) : [x + 1, y];
    const length = Math.hypot(endX - x, endY - y) || 1;
    return [(endX - x) / length, (endY - y) / length];
}
