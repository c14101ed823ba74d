/** @import { Game } from "./game.js" */
import { byId, html } from "./dom.js";
import { TEXT } from "./strings.js";

/** The list of the moves of the game, each of which shows the position after it. */
export class Moves {
    #list = byId("moves", HTMLElement);
    /** @type {Game} */
    #game;

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
        const ways = /** @type {[string, () => number][]} */ ([
            ["first", () => 0], ["back", () => game.wanted - 1],
            ["forward", () => game.wanted + 1], ["last", () => game.moves.length],
        ]);
        for (const [id, ply] of ways) {
            byId(id, HTMLButtonElement).addEventListener("click", () => void game.look(ply()));
        }
    }

    show() {
        const { moves, ply, opener } = this.#game;
        const button = (/** @type {number} */ count, /** @type {string} */ text) => html("button", {
            type: "button",
            "aria-current": count === ply ? "step" : undefined,
            onclick: () => void this.#game.look(count),
        }, text);
        const rows = [];
        for (let index = -opener; index < moves.length && moves.length > 0; index += 2) {
            const pair = [index, index + 1].filter((at) => at >= 0 && at < moves.length);
            rows.push(html("li", { value: rows.length + 1 }, index < 0 ? "… " : "",
                ...pair.map((at) => button(at + 1, moves[at].move))));
        }
        const focused = this.#list.contains(document.activeElement) && document.activeElement !== this.#list;
        this.#list.replaceChildren(...rows);
        if (focused) this.#current?.focus({ preventScroll: true });
        byId("no-moves", HTMLElement).hidden = moves.length > 0;
        this.#scroll();
        for (const id of ["first", "back"]) byId(id, HTMLButtonElement).disabled = ply === 0;
        for (const id of ["forward", "last"]) byId(id, HTMLButtonElement).disabled = ply === moves.length;
    }

    /** @returns {HTMLElement | null} The move whose position is looked at. */
    get #current() {
        return this.#list.querySelector("[aria-current]");
    }

    /** Scrolls the list, and nothing around it, to the move whose position is looked at. */
    #scroll() {
        const list = this.#list;
        const row = this.#current?.closest("li");
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
    const { geometry, moves, opener, ply, scene } = game;
    if (!game.current) return TEXT.viewed(ply, moves.length);
    const last = moves.at(-1);
    const mover = geometry.sides[(opener + ply - 1) % 2];
    return `${last ? `${TEXT.moved(mover, last.move)} ` : ""}${scene.sentence}.`;
}
