/** @import { Line, Worth } from "./score.js" */
/** @import { Verdict } from "./judgement.js" */
/** @import { Details, Scene } from "./types.js" */

/**
 * A position of a game with its variations, and the move that led to it. The root has no move.
 *
 * What is found out about a position is kept here, at the position that it belongs to, so that it is never shown at
 * another one.
 */
export class GameNode {
    /** @type {GameNode | null} */
    parent;
    /** The text of the move. */
    move;
    /** What the move did, if that is known. @type {Details | null} */
    details;
    /** The number of moves that led here. @type {number} */
    ply;
    /** The positions after the moves that were made here; the main one is the first. @type {GameNode[]} */
    children = [];
    /** What the position shows, as soon as it was asked for. @type {Scene | null} */
    scene = null;
    /** The best moves that the analysis has found here. @type {Line[]} */
    lines = [];
    /** What a review has found the position to be worth for the first side. @type {Worth | null} */
    worth = null;
    /** What a review says of the move. @type {Verdict | null} */
    verdict = null;

    /**
     * @param {GameNode | null} parent
     * @param {string} move
     * @param {Details | null} details
     */
    constructor(parent = null, move = "", details = null) {
        this.parent = parent;
        this.move = move;
        this.details = details;
        this.ply = parent ? parent.ply + 1 : 0;
    }

    /** The positions from the first move to this one. @returns {GameNode[]} */
    get path() {
        const path = [];
        for (let node = /** @type {GameNode} */ (this); node.parent; node = node.parent) path.push(node);
        return path.reverse();
    }

    /** The moves from the start to this position, as the engine reads them. */
    get moves() {
        return this.path.map(({ move }) => move).join(" ");
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
     * @param {Details | null} details
     */
    add(move, details = null) {
        let node = this.children.find((child) => child.move === move);
        if (!node) {
            node = new GameNode(this, move, details);
            this.children.push(node);
        }
        node.details ??= details;
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
        this.parent = null;
    }

    /** The moves of all lines that go on from the start, of which this is the position. */
    get texts() {
        return this.ends.map(({ moves }) => moves);
    }

    /** The last positions of all lines that go on from here, in their order. @returns {GameNode[]} */
    get ends() {
        const ends = [];
        const rest = [/** @type {GameNode} */ (this)];
        for (let node = rest.pop(); node; node = rest.pop()) {
            rest.push(...node.children.toReversed());
            if (node.children.length === 0) ends.push(node);
        }
        return ends;
    }
}
