/** @import { Game } from "./game.js" */
/** @import { GameNode } from "./tree.js" */
import { byId, html } from "./dom.js";
import { reach, rove } from "./roving.js";
import { TEXT } from "./strings.js";

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
        const { here, root, tip, geometry: { sides }, opener } = this.#game;
        const main = [null, ...this.#game.moves];
        const rows = [];
        for (let at = 1 - opener; at < main.length && main.length > 1; at += sides.length) {
            const round = Array.from({ length: sides.length }, (_, index) => main[at + index]);
            const played = round.flatMap((node) => node ?? []);
            rows.push(html("li", { value: Math.floor((at + opener - 1) / sides.length) + 1 },
                ...round.slice(0, Math.max(0, 1 - at)).map(() => "… "), ...played.map((node) => this.#move(node))));
            rows.push(...played.flatMap(({ parent }) => parent?.children.slice(1) ?? [])
                .map((node) => this.#variation(node)));
        }
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
        const { opener, geometry: { sides } } = this.#game;
        const parts = [];
        let interrupted = true;
        for (let node = first; node; node = node.children[0]) {
            const number = numbered(node.ply, opener, sides.length);
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
 * The number of a move as records have it: `3.` for the side that moves first, `3…` for the others.
 *
 * @param {number} ply From 1.
 * @param {number} opener The side that has made the first move.
 * @param {number} sides How many there are.
 */
export function numbered(ply, opener, sides) {
    const index = opener + ply - 1;
    return `${Math.floor(index / sides) + 1}${index % sides === 0 ? "." : "…"}`;
}

/**
 * What is said about the position that is looked at.
 *
 * @param {Game} game
 */
export function sentence(game) {
    const { geometry: { sides }, here, moves, opener, scene } = game;
    const mover = sides[(opener + here.ply - 1) % sides.length];
    if (game.current) return `${here.parent ? `${TEXT.moved(mover, here.move)} ` : ""}${scene.sentence}.`;
    const number = numbered(here.ply, opener, sides.length);
    const place = game.astray ? TEXT.astray(`${number} ${here.move}`) : TEXT.viewed(here.ply, moves.length);
    return `${place} ${scene.sentence}.`;
}
