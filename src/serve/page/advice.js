/** @import { Board } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Line } from "./score.js" */
/** @import { GameNode } from "./tree.js" */
/** @import { Details } from "./types.js" */
import { svg } from "./dom.js";
import { brief, view } from "./score.js";

/** How far above its place a label stands, so that both are seen. */
const ASIDE = 0.36;

/** The first moves of the best lines, drawn on the board: ways and places by rank, with their scores. */
export class Advice {
    /** @type {Game} */
    #game;
    /** @type {Board} */
    #board;
    /** @type {GameNode | null} The position whose moves were asked about. */
    #node = null;
    /** @type {Line[]} */
    #lines = [];
    /** @type {Map<string, Details | null>} What these moves do; nothing while the answer has not come. */
    #known = new Map();
    /** What is drawn, as a text. */
    #drawn = "";

    /**
     * @param {Game} game
     * @param {Board} board
     */
    constructor(game, board) {
        this.#game = game;
        this.#board = board;
    }

    /**
     * Draws the moves of the position that is looked at.
     *
     * @param {Line[]} lines Its lines, best first.
     */
    show(lines) {
        const { here } = this.#game;
        if (here !== this.#node) this.#known.clear();
        this.#node = here;
        this.#lines = lines;
        for (const { moves: [move] } of lines) this.#ask(here, move);
        this.#draw();
    }

    /** Draws everything again at the next time, because the board was drawn anew. */
    forget() {
        this.#drawn = "";
    }

    /**
     * @param {GameNode} node
     * @param {string} move
     */
    async #ask(node, move) {
        if (this.#known.has(move)) return;
        this.#known.set(move, null);
        /** @type {Details | undefined} */
        const details = await this.#game.about((session) => session.json(`details ${move}`)).catch(() => undefined);
        if (node !== this.#node) return;
        if (details) this.#known.set(move, details);
        else this.#known.delete(move);
        this.#draw();
    }

    #draw() {
        const { turned } = view(this.#game.scene, this.#game.geometry.sides);
        if (this.#node !== this.#game.here) return;
        const moves = this.#lines.flatMap(({ worth, moves: [move] }, rank) => {
            const details = this.#known.get(move);
            return details ? [{ rank, details, text: brief(worth, turned) }] : [];
        });
        const drawn = moves.map(({ rank, details, text }) => `${rank} ${details.move} ${text}`).join();
        if (drawn === this.#drawn) return;
        this.#drawn = drawn;
        /** @type {[number, number][]} */
        const places = [];
        const labels = moves.map(({ rank, details, text }) => this.#label(rank, details, text, places));
        // The best move lies upon the others.
        const ways = moves.map(({ rank, details }) => svg("g", { class: `rank-${rank + 1}` },
            ...this.#board.ways(details))).reverse();
        this.#board.layers.advice.replaceChildren(...ways, ...labels);
    }

    /**
     * The rank and the score of a move, where it ends, unless another label is there already.
     *
     * @param {number} rank
     * @param {Details} details
     * @param {string} score
     * @param {[number, number][]} places Those of the labels.
     */
    #label(rank, { clicks, moved, placed }, score, places) {
        const site = this.#board.sites.get(placed[0]?.site ?? moved[0]?.to ?? clicks.at(-1) ?? "");
        if (!site) return svg("g");
        const size = 0.1 + 0.016 * this.#board.geometry.box[2];
        const text = `${rank + 1}  ${score}`;
        const [width, height] = [size * (0.58 * text.length + 0.5), 1.35 * size];
        const [centre, middle] = this.#board.at(site.x, site.y);
        const { x: left, width: whole } = this.#board.element.viewBox.baseVal;
        const x = Math.min(Math.max(centre, left + width / 2), left + whole - width / 2);
        let y = middle - ASIDE;
        while (places.some(([aside, above]) => Math.abs(aside - x) < width && Math.abs(above - y) < height)) y += height;
        places.push([x, y]);
        return svg("g", { class: `label rank-${rank + 1}` },
            svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 0.3 * size }),
            svg("text", { x, y, "font-size": size }, text));
    }
}
