/** @import { Game } from "./game.js" */
/** @import { GameNode } from "./tree.js" */
import { byId, html } from "./dom.js";
import { reach, rove } from "./roving.js";
import { TEXT } from "./strings.js";
import { mover, numbered, round } from "./turns.js";

/** The list of the moves of the game and of its variations, each of which shows the position after it. */
export class Moves {
    #list = byId("moves", HTMLElement);
    /** @type {Game} */
    #game;

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
        const ways = /** @type {[string, () => GameNode | null][]} */ ([
            ["first", () => game.root], ["back", () => game.wanted.parent],
            ["forward", () => game.next], ["last", () => (game.astray ? game.here.end : game.tip)],
        ]);
        for (const [id, node] of ways) {
            byId(id, HTMLButtonElement).addEventListener("click", () => void game.look(node()));
        }
        rove(this.#list, "li");
    }

    show() {
        const { here, root, tip } = this.#game;
        /** @type {GameNode[][]} */
        const rounds = [];
        for (const node of this.#game.moves) (rounds[round(this.#game, node) - 1] ??= []).push(node);
        const rows = rounds.flatMap((played, index) => [
            html("li", { value: index + 1 }, ...this.#round(played)),
            ...played.flatMap(({ parent }) => parent?.children.slice(1) ?? []).map((node) => this.#variation(node)),
        ]);
        rows.push(...tip.children.map((node) => this.#variation(node)));
        const focused = this.#list.contains(document.activeElement) && document.activeElement !== this.#list;
        this.#list.replaceChildren(...rows);
        this.#list.dataset.line = here.moves;
        const current = this.#current;
        reach(this.#list, current);
        if (focused) (current ?? this.#list.querySelector("button"))?.focus({ preventScroll: true });
        byId("no-moves", HTMLElement).hidden = root.children.length > 0;
        this.#scroll();
        for (const id of ["first", "back"]) byId(id, HTMLButtonElement).disabled = here === root;
        const isLast = here === tip || here.children.length === 0;
        for (const id of ["forward", "last"]) byId(id, HTMLButtonElement).disabled = isLast;
    }

    /**
     * The moves of a round, with a sign for each side that has not moved before another one.
     *
     * @param {GameNode[]} played
     */
    #round(played) {
        const sides = played.map((node) => mover(this.#game, node));
        const missing = (/** @type {number} */ index) => sides[index] - (index > 0 ? sides[index - 1] + 1 : 0);
        return played.flatMap((node, index) => ["… ".repeat(missing(index)), this.#move(node)]);
    }

    /**
     * A move of the list.
     *
     * @param {GameNode} node The position after it.
     * @param {string} number What stands before it, if anything does.
     */
    #move(node, number = "") {
        const mark = node.verdict?.mark;
        const name = mark ? `${node.move}, ${TEXT.markNames[mark]}` : node.move;
        return html("button", {
            type: "button",
            "data-move": node.move,
            "aria-current": node === this.#game.here ? "step" : undefined,
            "aria-label": number || mark ? `${number} ${name}`.trim() : undefined,
            onclick: () => void this.#game.look(node),
        }, number ? `${number} ` : "", node.move, mark ? html("span", { class: "mark-of-move" }, mark) : "");
    }

    /** @param {GameNode} node The first position of the variation. */
    #variation(node) {
        return html("li", { class: "variation" }, ...this.#line(node));
    }

    /**
     * The moves of a variation, with those that leave it in brackets.
     *
     * @param {GameNode} first
     * @returns {(HTMLElement | string)[]}
     */
    #line(first) {
        const parts = [];
        let interrupted = true;
        for (let node = first; node; node = node.children[0]) {
            const number = numbered(this.#game, node);
            parts.push(this.#move(node, interrupted || !number.endsWith("…") ? number : ""));
            const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
            for (const other of others) parts.push(html("span", { class: "nested" }, "(", ...this.#line(other), ")"));
            interrupted = others.length > 0;
        }
        return parts;
    }

    /** @returns {HTMLButtonElement | null} The move whose position is looked at. */
    get #current() {
        return this.#list.querySelector("button[aria-current]");
    }

    /** Scrolls the list, and nothing around it, to the move whose position is looked at. */
    #scroll() {
        const list = this.#list;
        const row = this.#current;
        if (!row) return;
        const [top, bottom] = [row.offsetTop - list.offsetTop, row.offsetTop - list.offsetTop + row.offsetHeight];
        if (top < list.scrollTop) list.scrollTop = top;
        else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    }
}

/**
 * What is said about the position that is looked at.
 *
 * @param {Game} game
 */
export function sentence(game) {
    const { geometry: { sides }, here, moves, scene } = game;
    const moved = here.parent ? `${TEXT.moved(sides[mover(game, here)], here.move)} ` : "";
    if (game.current) return `${moved}${scene.sentence}.`;
    const place = game.astray ? TEXT.astray(`${numbered(game, here)} ${here.move}`) : TEXT.viewed(here.ply, moves.length);
    return `${place} ${scene.sentence}.`;
}
