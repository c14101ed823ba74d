/** @import { Board } from "./board.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Game } from "./game.js" */
/** @import { Player } from "./types.js" */
import { clockText } from "./clock.js";
import { byId, html } from "./dom.js";
import { TEXT } from "./strings.js";

/** More pieces in hand than these are shown as a number. */
const ROW = 20;

/** Where the sides sit, the first one below: two face each other, four go round with the clock. */
const SEATS = { two: ["near", "far"], four: ["near", "left", "far", "right"] };

/** What stands beside the board for each side: who plays it, what it has in hand and has lost, and its clock. */
export class Sides {
    /** @type {() => void} Called when somebody else is to play a side. */
    changed = () => {};
    /** @type {Board} */
    #board;
    /** @type {Game} */
    #game;
    /** @type {Clock} */
    #clock;
    /** @type {HTMLElement[]} Of each side. */
    #clocks = [];

    /**
     * @param {Board} board
     * @param {Game} game
     * @param {Clock} clock
     */
    constructor(board, game, clock) {
        this.#board = board;
        this.#game = game;
        this.#clock = clock;
        clock.shown = () => this.#tick();
    }

    /** Shows all sides, in the position that is looked at. */
    show() {
        const { sides } = this.#game.geometry;
        const seats = sides.length === 2 ? SEATS.two : SEATS.four;
        for (const id of SEATS.four) byId(id, HTMLElement).hidden = !seats.includes(id);
        const first = this.#board.flipped ? seats.length / 2 : 0;
        const places = sides.map((_, side) => byId(seats[(first + side) % seats.length], HTMLElement));
        const focused = document.activeElement?.getAttribute("data-side");
        this.#clocks = [];
        places.forEach((place, side) => this.#show(side, place));
        if (focused) places[Number(focused)]?.querySelector("select")?.focus();
        this.#tick();
    }

    /**
     * @param {number} side
     * @param {HTMLElement} place
     */
    #show(side, place) {
        const { geometry, scene, setup } = this.#game;
        const word = geometry.sides[side];
        place.classList.toggle("turn", scene.turn === word);
        this.#clocks[side] = html("span", { class: "clock", role: "timer", "aria-label": TEXT.clock(word) });
        const choice = html("select", { "aria-label": TEXT.player(word), "data-side": side },
            html("option", { value: "person" }, TEXT.person), html("option", { value: "engine" }, TEXT.engine));
        choice.value = setup.players[side];
        choice.addEventListener("change", () => {
            setup.players[side] = /** @type {Player} */ (choice.value);
            this.changed();
        });
        const hands = scene.hands.filter((hand) => hand.side === side);
        place.replaceChildren(
            html("span", { class: `badge side-${side} ${word}`, "aria-hidden": "true" }),
            html("strong", {}, TEXT.side(word)), choice,
            html("span", { class: "hands" }, ...hands.map(({ kind, count }) => this.#hand(side, kind, count))),
            html("span", { class: "lost" }, scene.captured[side] > 0 ? TEXT.captured(scene.captured[side]) : ""),
            this.#clocks[side],
        );
    }

    /**
     * @param {number} side
     * @param {string} kind
     * @param {number} count
     */
    #hand(side, kind, count) {
        const icons = Array.from({ length: Math.min(count, ROW) }, () => this.#board.icon(kind, side));
        return html("span", { class: "hand" },
            html("span", { class: "icons", "aria-hidden": "true" }, ...icons), TEXT.hand(count, kind));
    }

    #tick() {
        if (!this.#clock.setting) return;
        this.#clocks.forEach((element, side) => {
            const left = this.#clock.left(side);
            element.textContent = clockText(left);
            element.classList.toggle("low", left < 10_000);
        });
    }
}
