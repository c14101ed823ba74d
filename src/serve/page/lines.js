/** @import { Analysis } from "./analysis.js" */
/** @import { Game } from "./game.js" */
/** @import { Preview } from "./preview.js" */
/** @import { Line } from "./score.js" */
/** @import { GameNode } from "./tree.js" */
import { MOST_LINES } from "./analysis.js";
import { byId, html } from "./dom.js";
import { reach, rove } from "./roving.js";
import { named, opposite, view } from "./score.js";

/** The most moves of a line that are shown. */
const MOST_MOVES = 10;

/** @typedef {{ item: HTMLElement, score: HTMLElement, buttons: HTMLButtonElement[] }} Row */

/**
 * The lines of the analysis. The board shows where a line leads while the pointer or the focus rests on one of its
 * moves, and the lines stand still meanwhile; choosing the move makes the line a variation.
 */
export class Lines {
    /** @type {Game} */
    #game;
    /** @type {Analysis} */
    #analysis;
    /** @type {Preview} */
    #preview;
    #list = byId("lines", HTMLElement);
    /** @type {Row[]} */
    #rows;
    /** @type {Line[]} What the list shows. */
    #shown = [];
    /** @type {GameNode | null} The position that it is about. */
    #node = null;
    /** Whether a button of the pointer is held down: what is pressed must not move away before it is released. */
    #pressed = false;
    /** Whether the focus is to come back, as soon as there are lines again. */
    #awaited = false;

    /**
     * @param {Game} game
     * @param {Analysis} analysis
     * @param {Preview} preview
     */
    constructor(game, analysis, preview) {
        this.#game = game;
        this.#analysis = analysis;
        this.#preview = preview;
        this.#rows = Array.from({ length: MOST_LINES }, (_, row) => this.#row(row));
        this.#list.replaceChildren(...this.#rows.map(({ item }) => item));
        rove(this.#list, "li");
        this.#list.addEventListener("pointerleave", () => {
            // Whoever goes by keys does not care where the pointer is.
            if (!this.#list.querySelector("button:focus-visible")) this.#leave();
        });
        this.#list.addEventListener("focusout", () => this.#leave());
        addEventListener("pointerdown", () => (this.#pressed = true), true);
        for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => this.#release(), true);
        this.#list.addEventListener("keydown", (event) => {
            if (event.key === "Escape") this.#leave();
        });
    }

    /** Goes to the first move of the best line. */
    focus() {
        const first = this.#rows[0].buttons[0];
        if (this.#shown.length > 0) first.focus();
        else if (this.#analysis.on) this.#wait();
    }

    /** Shows the lines that are known. */
    show() {
        const { here } = this.#game;
        if (here !== this.#node || !this.#analysis.on) this.#preview.end();
        else if (this.#preview.active || this.#pressed) return;
        this.#node = here;
        this.#shown = this.#analysis.lines;
        const active = document.activeElement;
        const focused = this.#list.contains(active);
        this.#rows.forEach((row, index) => this.#write(row, this.#shown[index]));
        reach(this.#list, active instanceof HTMLButtonElement ? active : null);
        this.#list.hidden = this.#shown.length === 0 && !focused;
        if (focused && active instanceof HTMLElement && active.hidden) this.#wait();
        if (this.#awaited && this.#shown.length > 0) {
            const waiting = active === this.#list;
            this.#awaited = false;
            if (waiting) this.#rows[0].buttons[0].focus();
        }
    }

    /** Keeps the focus in the list while it is empty. */
    #wait() {
        this.#awaited = true;
        this.#list.hidden = false;
        this.#list.focus();
    }

    /** @param {number} row */
    #row(row) {
        const id = `score-${row + 1}`;
        const score = html("span", { class: "score", id });
        const buttons = Array.from({ length: MOST_MOVES }, (_, index) => html("button", {
            type: "button",
            "aria-describedby": id,
            onpointerenter: () => this.#look(row, index),
            onfocus: () => {
                if (buttons[index].matches(":focus-visible")) this.#look(row, index);
            },
            onclick: () => this.#choose(row, index),
        }));
        const item = html("li", {}, score, ...buttons);
        score.addEventListener("pointerenter", () => this.#look(row, MOST_MOVES - 1));
        return { item, score, buttons };
    }

    /**
     * @param {Row} row
     * @param {Line | undefined} line
     */
    #write({ item, score, buttons }, line) {
        item.hidden = !line;
        const { names, turned } = view(this.#game.scene, this.#game.geometry.sides);
        const worth = line && (turned ? opposite(line.worth) : line.worth);
        put(score, worth ? named(worth, names) : "");
        buttons.forEach((button, index) => {
            put(button, line?.moves[index] ?? "");
            button.hidden = !line?.moves[index];
        });
    }

    /**
     * Shows on the board where a line leads.
     *
     * @param {number} row
     * @param {number} index Of its last move that is shown.
     */
    #look(row, index) {
        const line = this.#shown[row];
        if (line && this.#node === this.#game.here) this.#preview.show(line.moves.slice(0, index + 1));
    }

    /** The click comes after this; the lines of now are shown after it. */
    #release() {
        this.#pressed = false;
        setTimeout(() => this.show());
    }

    #leave() {
        if (!this.#preview.active) return;
        this.#preview.end();
        this.show();
    }

    /**
     * @param {number} row
     * @param {number} index
     */
    #choose(row, index) {
        const moves = this.#shown[row]?.moves.slice(0, index + 1);
        if (moves && this.#node === this.#game.here) void this.#game.explore(moves);
    }
}

/**
 * Writes a text, if it is another one: what is written again is read out again.
 *
 * @param {HTMLElement} element
 * @param {string} text
 */
function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
