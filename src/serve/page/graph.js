/** @import { Game } from "./game.js" */
/** @import { Worth } from "./score.js" */
/** @import { GameNode } from "./tree.js" */
import { byId, svg } from "./dom.js";
import { chance, named } from "./score.js";
import { TEXT } from "./strings.js";
import { numbered } from "./turns.js";

/** The size of the drawing. */
const [WIDTH, HEIGHT] = [320, 90];
/** The room above and below the curve for these. */
const ROOM = 6;
/** Shapes of a mistake and of a blunder, about 0,0. */
const SHAPES = /** @type {Record<string, string>} */ ({ "?": "M-4 4L0 -4L4 4z", "??": "M-5 0L0 -5L5 0L0 5z" });

/** The chances of the first side after each move of a game, as a curve. A click goes to the position; so do keys. */
export class Graph {
    #element = byId("graph", SVGSVGElement);
    /** @type {Game} */
    #game;
    /** @type {GameNode[]} */
    #nodes = [];

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
        this.#element.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
        this.#element.addEventListener("click", (event) => {
            const { left, width } = this.#element.getBoundingClientRect();
            this.#go(Math.round(((event.clientX - left) / width) * (this.#nodes.length - 1)));
        });
        this.#element.addEventListener("keydown", (event) => this.#key(event));
    }

    focus() {
        this.#element.focus();
    }

    /**
     * Draws the curve, and where the position that is looked at lies on it.
     *
     * @param {GameNode[]} nodes Those that are known, from the start on.
     */
    show(nodes) {
        this.#nodes = nodes;
        const { geometry: { sides, odds } } = this.#game;
        this.#element.toggleAttribute("hidden", nodes.length < 2);
        if (nodes.length < 2) return;
        const y = (/** @type {Worth} */ worth) => ROOM + (HEIGHT - 2 * ROOM) * (1 - chance(worth, odds));
        const points = nodes.flatMap(({ worth }, index) => (worth ? [[this.#x(index), y(worth)]] : []));
        const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
        const end = points[points.length - 1][0].toFixed(1);
        const moment = (/** @type {string} */ mark, /** @type {number} */ index) => svg("path",
            { class: "moment", d: SHAPES[mark], transform: `translate(${points[index].join(" ")})` });
        const marks = nodes.flatMap(({ verdict }, index) => (verdict?.mark ? [moment(verdict.mark, index)] : []));
        const at = this.#index;
        const here = nodes[at]?.worth;
        this.#element.replaceChildren(
            svg("rect", { class: `part side-1 ${sides[1]}`, width: WIDTH, height: HEIGHT }),
            svg("path", { class: `part side-0 ${sides[0]}`, d: `M0 ${HEIGHT}L${line}L${end} ${HEIGHT}z` }),
            svg("line", { class: "middle", x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2 }),
            svg("path", { class: "curve", d: `M${line}` }),
            ...marks,
            ...(at < 0 ? [] : [svg("line", { class: "here", x1: this.#x(at), y1: 0, x2: this.#x(at), y2: HEIGHT })]),
        );
        const move = nodes[at]?.move ? `${numbered(this.#game, nodes[at])} ${nodes[at].move}` : TEXT.first;
        this.#element.setAttribute("aria-valuemax", String(nodes.length - 1));
        this.#element.setAttribute("aria-valuenow", String(Math.max(0, at)));
        const words = here ? named(here, sides) : TEXT.unknown;
        this.#element.setAttribute("aria-valuetext",
            at < 0 ? TEXT.offGraph : TEXT.graphAt(move, words, nodes[at].verdict?.mark ?? ""));
    }

    /** Where the position that is looked at stands among the nodes, or -1. */
    get #index() {
        return this.#nodes.indexOf(this.#game.here);
    }

    /** @param {number} index */
    #x(index) {
        return (WIDTH * index) / (this.#nodes.length - 1);
    }

    /** @param {number} index */
    #go(index) {
        void this.#game.look(this.#nodes[Math.max(0, Math.min(index, this.#nodes.length - 1))]);
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        const wanted = this.#nodes.indexOf(this.#game.wanted);
        const goal = /** @type {Record<string, number>} */ ({
            ArrowLeft: wanted - 1, ArrowDown: wanted - 1, ArrowRight: wanted + 1, ArrowUp: wanted + 1,
            PageDown: wanted - 10, PageUp: wanted + 10, Home: 0, End: this.#nodes.length - 1,
        })[event.key];
        if (goal === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.#go(goal);
    }
}
