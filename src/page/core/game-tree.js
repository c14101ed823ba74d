/** @import { Details, Line, MoveNotes, PositionView } from "./types.js" */

/**
 * A position of a game with its variations, and the move that led to it. The root has no move.
 *
 * All results about a position are stored at the position, so that the page never shows them at
 * another position.
 */
export class GameNode {
    /** @type {GameNode | null} */
    parent;
    /** The move string. @type {string} */
    move;
    /** The index of the player who made the move. @type {number} */
    mover;
    /** The number of the round. @type {number} */
    round;
    /** The effects of the move, if they are known. @type {Details | null} */
    details = null;
    /** The number of moves from the root. @type {number} */
    ply;
    /** The moves from the root, separated by spaces. @type {string} */
    moves;
    /** The positions after the moves made here. The main line is first. @type {GameNode[]} */
    children = [];
    /** The view of the position, if it is known. @type {PositionView | null} */
    view = null;
    /** The best lines of the analysis. @type {Line[]} */
    analysisLines = [];
    /** The notes on the move; at the root, the notes before the first move. @type {MoveNotes} */
    notes = {};

    /** @param {GameNode | null} parent @param {string} move @param {number} mover */
    constructor(parent = null, move = "", mover = -1) {
        this.parent = parent;
        this.move = move;
        this.mover = mover;
        this.ply = parent ? parent.ply + 1 : 0;
        this.moves = parent?.parent ? `${parent.moves} ${move}` : move;
        // A new round begins if the player who moves does not come after the previous player.
        this.round = parent ? parent.round + Number(mover <= parent.mover) : 1;
    }

    /** Returns the move with its number as in records: `3.` for the first player, `3…` for the others. */
    get name() {
        return `${this.number} ${this.move}`;
    }

    /** Returns the number of the move as in records. */
    get number() {
        return `${this.round}${this.mover === 0 ? "." : "…"}`;
    }

    /** Returns the positions after each move to this position. @returns {GameNode[]} */
    get path() {
        const path = [];
        for (let node = /** @type {GameNode} */ (this); node.parent; node = node.parent) path.push(node);
        return path.reverse();
    }

    /** Returns the last position of the main line from here. @returns {GameNode} */
    get lineEnd() {
        let node = /** @type {GameNode} */ (this);
        while (node.children.length > 0) node = node.children[0];
        return node;
    }

    /** Returns whether a position is this position or comes after it. @param {GameNode | null} other */
    contains(other) {
        let node = other;
        while (node && node.ply > this.ply) node = node.parent;
        return node === this;
    }

    /**
     * Returns the position after a move. If the move was not made here before, the position is new.
     *
     * @param {string} move
     * @param {number} mover The index of the player who makes it.
     */
    addMove(move, mover) {
        let node = this.children.find((child) => child.move === move);
        if (!node) {
            node = new GameNode(this, move, mover);
            this.children.push(node);
        }
        return node;
    }

    /** Makes the line to this position the main line. */
    makeMainLine() {
        for (const node of this.path) node.moveToFront();
    }

    /** Makes this move the main move of its parent. */
    moveToFront() {
        const siblings = this.parent?.children ?? [];
        siblings.unshift(...siblings.splice(siblings.indexOf(this), 1));
    }

    /**
     * Returns the position after another move of the same parent.
     *
     * @param {number} step 1 for the next move, -1 for the previous move.
     */
    siblingAt(step) {
        const siblings = this.parent?.children ?? [];
        return siblings.at((siblings.indexOf(this) + step) % Math.max(1, siblings.length)) ?? null;
    }

    /**
     * Returns the first position of this variation; `null` if this position is on the main line.
     *
     * @param {GameNode} tip The end of the tree's main line.
     */
    variationStart(tip) {
        const isMain = (/** @type {GameNode} */ node) =>
            node.contains(tip) || (node.parent !== tip && node.parent?.children[0] === node);
        return this.path.reverse().find((node) => !isMain(node)) ?? null;
    }

    /** Removes this position and all later positions from the tree. */
    remove() {
        const siblings = this.parent?.children ?? [];
        siblings.splice(siblings.indexOf(this), 1);
    }

    /** Returns whether this position is still in the tree of a root. @param {GameNode} root */
    isInTree(root) {
        const path = this.path;
        return (path[0]?.parent ?? this) === root && path.every((node) => node.parent?.children.includes(node));
    }
}
