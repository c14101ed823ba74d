/** @import { Game } from "./game.js" */
/** @import { GameNode } from "./tree.js" */

/**
 * The side that has made the move which led to a position. Two sides move in turn. With more of them the position
 * before says whose turn it was, because the rules may pass a side over.
 *
 * @param {Game} game
 * @param {GameNode} node
 */
export function mover({ geometry: { sides }, opener }, node) {
    const side = sides.length > 2 ? sides.indexOf(node.parent?.scene?.turn ?? "") : -1;
    return side < 0 ? (opener + node.ply - 1) % sides.length : side;
}

/**
 * The number of the round in which the move was made. A round ends where the next side to move is not a later one.
 *
 * @param {Game} game
 * @param {GameNode} node
 */
export function round(game, node) {
    if (game.geometry.sides.length === 2) return Math.floor((game.opener + node.ply - 1) / 2) + 1;
    const movers = node.path.map((other) => mover(game, other));
    return 1 + movers.filter((side, index) => side <= movers[index - 1]).length;
}

/**
 * The number of a move as records have it: `3.` for the first side, `3…` for the others.
 *
 * @param {Game} game
 * @param {GameNode} node The position after the move.
 */
export function numbered(game, node) {
    return `${round(game, node)}${mover(game, node) === 0 ? "." : "…"}`;
}
