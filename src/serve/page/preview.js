/** @import { Game } from "./game.js" */
/** @import { Scene } from "./types.js" */
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { TEXT } from "./strings.js";

/** A second board upon the first one, which shows where a line would lead. The first one stays as it is. */
export class Preview {
    /** Whether a line is shown, or is going to be. */
    active = false;
    /** @type {Game} */
    #game;
    /** @type {Board} */
    #board;
    #element = byId("preview", SVGSVGElement);
    #caption = byId("preview-caption", HTMLElement);
    /** @type {Board | null} */
    #drawing = null;
    /** Counts what was asked for, so that a late answer is dropped. */
    #step = 0;

    /**
     * @param {Game} game
     * @param {Board} board
     */
    constructor(game, board) {
        this.#game = game;
        this.#board = board;
    }

    /**
     * Shows the position after some moves in the one that is looked at.
     *
     * @param {string[]} moves
     */
    async show(moves) {
        const { here, start, session, geometry } = this.#game;
        const step = ++this.#step;
        this.active = true;
        const line = `${here.moves} ${moves.join(" ")}`.trim();
        /** @type {Scene | undefined} */
        const scene = await this.#game.fresh(session.json(`scene ${start} moves ${line}`));
        if (step !== this.#step || here !== this.#game.here || !scene) return;
        this.#element.toggleAttribute("hidden", false);
        this.#drawing ??= new Board(this.#element, geometry);
        if (this.#drawing.geometry !== geometry) this.#drawing.shape(geometry);
        this.#drawing.flip(this.#board.flipped);
        this.#drawing.show(scene);
        this.#caption.textContent = TEXT.preview(moves);
    }

    /** Shows the first board again. */
    end() {
        this.#step += 1;
        this.active = false;
        this.#element.toggleAttribute("hidden", true);
        this.#caption.textContent = "";
    }
}
