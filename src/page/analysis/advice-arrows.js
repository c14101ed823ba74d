/** @import { Board } from "../board/board.js" */
/** @import { GameNode } from "../core/game-tree.js" */
/** @import { Details } from "../core/types.js" */
import { knownAnalysisLines } from "./analysis.js";
import { svg } from "../core/dom.js";
import { askAboutPosition } from "../engine/requests.js";
import { formatShortScore, scorePerspective } from "../engine/score.js";
import { setState, state, subscribe } from "../core/state.js";

/** The distance of a label above the target of its move, so that both are visible. */
const LABEL_OFFSET = 0.36;

/** @type {WeakMap<GameNode, Map<string, Details | null>>} The effects of moves; `null` until the response comes. */
const detailsByNode = new WeakMap();

/**
 * Draws the first moves of the best lines on the board, as arrows and outlines. They show the rank
 * and the score of each move.
 *
 * @param {Board} board
 */
export function mountAdviceArrows(board) {
    subscribe(() => [state.game.geometry, state.board.flipped, advisedMoves().map(({ text }) => text).join()], () => {
        /** @type {[number, number][]} */
        const labelCentres = [];
        const moves = advisedMoves();
        const labels = moves.map(({ rank, details, score }) => createLabel(board, rank, details, score, labelCentres));
        // The best move is drawn above the other moves.
        const shapes = moves.map(({ rank, details }) =>
            svg("g", { class: `rank-${rank + 1}` }, ...board.createMoveShapes(details)));
        board.layers.advice.replaceChildren(...shapes.reverse(), ...labels);
    });
}

/** Returns the moves to draw. Requests the details that are missing. */
function advisedMoves() {
    const { isNegated } = scorePerspective();
    return knownAnalysisLines().flatMap((line, rank) => {
        const details = detailsOf(state.game.viewedNode, line.move);
        const score = formatShortScore(line, isNegated);
        return details ? [{ rank, details, score, text: `${rank} ${line.move} ${score}` }] : [];
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
 * Creates the label of a move with its rank and score. The label is above the target of the move,
 * and above all labels that would overlap it.
 *
 * @param {Board} board
 * @param {number} rank
 * @param {Details} details
 * @param {string} score
 * @param {[number, number][]} labelCentres The centres of the other labels; the centre of this label is appended.
 */
function createLabel(board, rank, { clicks, moved, placed }, score, labelCentres) {
    const site = board.sites.get(placed[0]?.site ?? moved[0]?.to ?? clicks.at(-1) ?? "");
    if (!site) return svg("g");
    const size = 0.1 + 0.016 * board.geometry.box[2];
    const text = `${rank + 1}  ${score}`;
    const width = size * (0.58 * text.length + 0.5);
    const height = 1.35 * size;
    const [centre, middle] = board.toSvg(site.x, site.y);
    const { x: left, width: whole } = board.element.viewBox.baseVal;
    const x = Math.min(Math.max(centre, left + width / 2), left + whole - width / 2);
    let y = middle - LABEL_OFFSET;
    const isCovered = () => labelCentres.some(([otherX, otherY]) =>
        Math.abs(otherX - x) < width && Math.abs(otherY - y) < height);
    while (isCovered()) y += height;
    labelCentres.push([x, y]);
    return svg("g", { class: `label rank-${rank + 1}` },
        svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 0.3 * size }),
        svg("text", { x, y, "font-size": size }, text));
}
