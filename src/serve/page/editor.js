/** @import { Game } from "./game.js" */
import { Board } from "./board.js";
import { byId, html } from "./dom.js";
import { note } from "./note.js";
import { Refused } from "./session.js";
import { TEXT } from "./strings.js";

/** The position in play as a text that can be changed, drawn at each change; and the record of the game. */
export class Editor {
    #text = byId("fen", HTMLInputElement);
    #verdict = byId("fen-verdict", HTMLElement);
    #play = byId("fen-play", HTMLButtonElement);
    #record = byId("record", HTMLTextAreaElement);
    #panel = byId("position", HTMLDetailsElement);
    /** @type {Board | null} */
    #board = null;
    /** @type {Game} */
    #game;
    /** What was last written into the field, and not typed. */
    #given = "";
    /** Counts the texts that were asked about, so that only the last answer is shown. */
    #request = 0;

    /**
     * @param {Game} game
     * @param {() => boolean} flipped Whether the board is turned round.
     */
    constructor(game, flipped) {
        this.#game = game;
        this.#text.addEventListener("input", () => {
            // Only what has been judged can be played.
            this.#play.disabled = true;
            void this.#draw();
        });
        this.#play.addEventListener("click", () => void this.#begin());
        this.#panel.addEventListener("toggle", () => {
            this.#given = this.#text.value;
            this.show();
        });
        byId("fen-copy", HTMLButtonElement).addEventListener("click", () => void this.#copy(this.#text));
        byId("picture-save", HTMLButtonElement).addEventListener("click", () => void this.#picture(flipped()));
        byId("record-copy", HTMLButtonElement).addEventListener("click", () => void this.#copy(this.#record));
        byId("record-load", HTMLButtonElement).addEventListener("click", () => void this.#load());
        byId("record-save", HTMLButtonElement).addEventListener("click", () => this.#save());
        const share = byId("record-share", HTMLButtonElement);
        share.hidden = !("share" in navigator);
        // Whoever changes their mind has shared nothing, and need not be told.
        share.addEventListener("click", () => void navigator.share({ text: this.#record.value }).catch(() => {}));
        const file = byId("record-file", HTMLInputElement);
        file.addEventListener("change", () => void this.#open(file));
    }

    /** Begins a game at the position. */
    async #begin() {
        try {
            await this.#game.begin(this.#game.setup, `fen ${this.#text.value.trim()}`);
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            await this.#game.move(this.#game.session);
            note(error.message);
        }
    }

    /** Takes over the position that is looked at, unless another one is being typed; and the game. */
    show() {
        if (!this.#panel.open) return;
        const { fen } = this.#game.scene;
        const isOther = this.#board !== null && this.#board.geometry !== this.#game.geometry;
        if (this.#text.value === this.#given || this.#text.value.trim() === fen) {
            this.#given = fen;
            this.#text.value = fen;
            void this.#draw();
        } else if (isOther) {
            // Other rules judge what is being typed.
            this.#play.disabled = true;
            void this.#draw();
        }
        byId("record-note", HTMLElement).hidden = this.#game.root.texts.length < 2;
        void this.#write();
    }

    async #draw() {
        const request = ++this.#request;
        const { geometry, session } = this.#game;
        const drawing = byId("fen-board", SVGSVGElement);
        if (this.#board?.geometry !== geometry) this.#board = new Board(drawing, geometry, 1.7);
        if (this.#text.value.trim() === "") {
            this.#verdict.textContent = TEXT.noPosition;
            this.#judge(false);
            return;
        }
        try {
            // The word at the end keeps moves out of the field.
            const scene = await session.json(`scene fen ${this.#text.value.trim()} moves`);
            if (request !== this.#request) return;
            this.#board.show(scene);
            this.#verdict.textContent = `${scene.turn === null ? TEXT.decided : TEXT.setUp} ${scene.sentence}.`;
            this.#judge(true);
        } catch (error) {
            if (request !== this.#request || !(error instanceof Refused)) return;
            this.#verdict.textContent = inField(error.message);
            this.#judge(false);
        }
    }

    /** @param {boolean} right */
    #judge(right) {
        this.#play.disabled = !right;
        this.#text.setAttribute("aria-invalid", String(!right));
        byId("fen-board", SVGSVGElement).classList.toggle("stale", !right);
    }

    async #write() {
        const lines = await this.#game.fresh(this.#game.session.command("record"));
        if (lines) this.#record.value = lines.join("\n");
    }

    async #load() {
        try {
            await this.#game.session.command(`load text ${oneLine(this.#record.value)}`);
            await this.#game.adopt();
            note(TEXT.loaded);
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            note(error.message.replace(/^line 1, column \d+: /, ""));
        }
    }

    /** Gives the browser the record as a file to keep. */
    #save() {
        this.#give(`${this.#record.value}\n`, "text/plain", "txt");
    }

    /**
     * Gives the browser a picture of the position that is looked at.
     *
     * @param {boolean} flipped
     */
    async #picture(flipped) {
        const { start, here, session, current } = this.#game;
        // The game in play may have an end that its players have made.
        const line = current ? "" : `${start} moves ${here.moves}`;
        const picture = await session.json(`diagram ${flipped ? "flip " : ""}${line}`.trim());
        this.#give(picture, "image/svg+xml", "svg");
    }

    /**
     * Gives the browser a file to keep.
     *
     * @param {string} text
     * @param {string} type
     * @param {string} ending
     */
    #give(text, type, ending) {
        const href = URL.createObjectURL(new Blob([text], { type }));
        html("a", { href, download: `${this.#game.setup.game}.${ending}` }).click();
        URL.revokeObjectURL(href);
    }

    /** @param {HTMLInputElement} field Where a file was chosen. */
    async #open(field) {
        const text = await field.files?.[0]?.text();
        field.value = "";
        if (text === undefined) return;
        this.#record.value = text;
        await this.#load();
    }

    /** @param {HTMLInputElement | HTMLTextAreaElement} field */
    async #copy(field) {
        field.select();
        await navigator.clipboard.writeText(field.value);
        note(TEXT.copied);
    }
}

/**
 * A message about `query scene fen TEXT` with the columns of the text, not of the line.
 *
 * @param {string} message
 */
function inField(message) {
    return message.replace(/column (\d+)/, (_, column) => `column ${Number(column) - "query scene fen ".length}`);
}

/**
 * A record as one line. Comments that end with their line are left out.
 *
 * @param {string} record
 */
function oneLine(record) {
    const parts = /\{[^}]*\}|"(?:\\.|[^"\\\n])*"|;[^\n]*/g;
    return record.replace(parts, (part) => (part.startsWith(";") ? "" : part)).replace(/\s+/g, " ").trim();
}
