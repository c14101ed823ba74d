/** @import { Details, Line, Note, Seen } from "./types.js" */

/**
 * A position of a game with its variations, and the move that led to it. The root has no move.
 *
 * What is found out about a position is kept here, at the position that it belongs to, so that it is never shown at
 * another one.
 */
export class GameNode {
    /** @type {GameNode | null} */
    parent;
    /** The text of the move. @type {string} */
    move;
    /** The index of the player who has made it. @type {number} */
    mover;
    /** The number of the move. @type {number} */
    round;
    /** What the move did, if that is known. @type {Details | null} */
    details = null;
    /** The number of moves that led here. @type {number} */
    ply;
    /** The moves from the start to this position, as the engine reads them. @type {string} */
    moves;
    /** The positions after the moves that were made here; the main one is the first. @type {GameNode[]} */
    children = [];
    /** What the position shows, as soon as it was asked for. @type {Seen | null} */
    seen = null;
    /** The best moves that the analysis has found here. @type {Line[]} */
    lines = [];
    /** What people have added to the move, or said before the first one. @type {Note} */
    notes = {};

    /** @param {GameNode | null} parent @param {string} move @param {number} mover */
    constructor(parent = null, move = "", mover = -1) {
        this.parent = parent;
        this.move = move;
        this.mover = mover;
        this.ply = parent ? parent.ply + 1 : 0;
        this.moves = parent?.parent ? `${parent.moves} ${move}` : move;
        // A round ends where the next player to move is not a later one.
        this.round = parent ? parent.round + Number(mover <= parent.mover) : 1;
    }

    /** The move with its number, as records have it: `3.` for the first player, `3…` for the others. */
    get name() {
        return `${this.number} ${this.move}`;
    }

    /** The number of the move, as records have it. */
    get number() {
        return `${this.round}${this.mover === 0 ? "." : "…"}`;
    }

    /** The positions from the first move to this one. @returns {GameNode[]} */
    get path() {
        const path = [];
        for (let node = /** @type {GameNode} */ (this); node.parent; node = node.parent) path.push(node);
        return path.reverse();
    }

    /** The last position of the line that goes on from here. @returns {GameNode} */
    get end() {
        let node = /** @type {GameNode} */ (this);
        while (node.children.length > 0) node = node.children[0];
        return node;
    }

    /** Whether a position is this one or comes after it. @param {GameNode | null} other */
    leadsTo(other) {
        let node = other;
        while (node && node.ply > this.ply) node = node.parent;
        return node === this;
    }

    /**
     * The position after a move, which is new unless the move has been made here before.
     *
     * @param {string} move
     * @param {number} mover The index of the player who makes it.
     */
    add(move, mover) {
        let node = this.children.find((child) => child.move === move);
        if (!node) {
            node = new GameNode(this, move, mover);
            this.children.push(node);
        }
        return node;
    }

    /** Makes the line to this position the main one. */
    lead() {
        for (const node of this.path) node.moveUp();
    }

    /** Makes the move the main one in the position before. */
    moveUp() {
        const siblings = this.parent?.children ?? [];
        siblings.unshift(...siblings.splice(siblings.indexOf(this), 1));
    }

    /**
     * The position after another move than the one that led to this one.
     *
     * @param {number} step 1 for the next move, -1 for the one before.
     */
    sibling(step) {
        const siblings = this.parent?.children ?? [];
        return siblings.at((siblings.indexOf(this) + step) % Math.max(1, siblings.length)) ?? null;
    }

    /**
     * The first position of the variation of this one, or nothing if it is on the main line.
     *
     * @param {GameNode} tip Where the main line of the whole tree ends.
     */
    branch(tip) {
        const isMain = (/** @type {GameNode} */ node) =>
            node.leadsTo(tip) || (node.parent !== tip && node.parent?.children[0] === node);
        return this.path.reverse().find((node) => !isMain(node)) ?? null;
    }

    /** Takes this position and all that follow it out of the tree. */
    remove() {
        const siblings = this.parent?.children ?? [];
        siblings.splice(siblings.indexOf(this), 1);
    }

    /** Whether it is still in the tree of this start. @param {GameNode} root */
    isIn(root) {
        const path = this.path;
        return (path[0]?.parent ?? this) === root && path.every((node) => node.parent?.children.includes(node));
    }
}
