/** @import { Board } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Clicks, Details } from "./types.js" */
import { svg } from "./dom.js";
import { note } from "./note.js";
import { TEXT } from "./strings.js";

/** @type {Clicks} The answer while nothing may be chosen. */
const NOTHING = { next: [], move: null, text: null, why: null };

/**
 * A move in the making: the sites that have been chosen so far, which belong to the page and not to the engine.
 *
 * Each choice asks the engine what may come next. A move is made when nothing may come next; where the rules also let
 * it end earlier, when it is confirmed; and always only on confirmation where a finger chooses, because fingers miss.
 */
export class Play {
    /** @type {Clicks} What may be chosen. */
    answer = NOTHING;
    /** @type {string[]} The sites that have been chosen. */
    chosen = [];
    /** @type {{ site: string, move: string } | null} A move that a finger has shown and not yet made. */
    pending = null;
    /** @type {() => void} Called when the choice has changed. */
    changed = () => {};
    /** @type {() => string | null} Says why no person may move now, or nothing if one may. */
    hindrance = () => null;
    /** @type {Game} */
    #game;
    /** @type {Board} */
    #board;
    /** @type {Set<string>} The sites that a move can begin at. */
    #first = new Set();
    /** Counts what has been done, so that a late answer about an earlier choice is dropped. */
    #step = 0;
    /** @type {Promise<void>} Until the engine has said what a move can begin with. */
    #known = Promise.resolve();
    /** @type {Promise<void>} Until the last choice has been dealt with. */
    #queue = Promise.resolve();
    /** Whether what is chosen is a piece that no move begins with: the next choice begins a move all the same. */
    #tentative = false;
    /** @type {Details | null} What a move does that is proposed. */
    #proposed = null;
    /** @type {string | null} The site under the pointer. */
    #hovered = null;
    /** @type {Map<string, Promise<any>>} What was asked in the position that is looked at. */
    #asked = new Map();

    /**
     * @param {Game} game
     * @param {Board} board
     */
    constructor(game, board) {
        this.#game = game;
        this.#board = board;
    }

    /** Begins anew, in another position. */
    reset() {
        this.#asked.clear();
        this.#first = new Set();
        this.#set([], NOTHING);
        const failed = (/** @type {Error} */ error) => note(error.message);
        this.#known = this.allowed ? this.#begin().catch(failed) : Promise.resolve();
    }

    /** Begins anew in another game, whatever has not been answered in the old one. */
    restart() {
        this.#queue = Promise.resolve();
        this.reset();
    }

    /** Waits no longer for answers that will never come, because their session has ended. */
    drop() {
        this.#queue = Promise.resolve();
        this.#known = Promise.resolve();
        this.#asked.clear();
        this.#set([], NOTHING);
    }

    /** Asks what a move can begin with. */
    async #begin() {
        const step = this.#step;
        const answer = await this.#clicks([]);
        if (!answer || step !== this.#step) return;
        this.#first = new Set(answer.next);
        this.#set([], answer);
    }

    /** Whether a person may move now. */
    get allowed() {
        return this.hindrance() === null;
    }

    /** Gives the half-made move up. */
    cancel() {
        note("");
        if (this.chosen.length > 0 || this.pending) this.reset();
    }

    /** The move that can be made now, without another choice. */
    get ready() {
        return this.pending?.move ?? this.answer.move;
    }

    /** Makes the move that is ready. */
    confirm() {
        if (this.ready !== null && this.allowed) void this.#game.make(this.ready);
    }

    /**
     * A site is chosen. Choices come one after the other, however fast they are made.
     *
     * @param {string} site
     * @param {boolean} careful Whether a whole move waits to be confirmed.
     */
    choose(site, careful) {
        const failed = (/** @type {Error} */ error) => note(error.message);
        this.#queue = this.#queue.then(() => this.#choose(site, careful)).catch(failed);
        return this.#queue;
    }

    /**
     * @param {string} site
     * @param {boolean} careful
     */
    async #choose(site, careful) {
        await this.#known;
        const hindrance = this.hindrance();
        if (hindrance !== null) {
            note(hindrance);
        } else if (this.pending?.site === site) {
            this.confirm();
        } else if (this.answer.next.includes(site)) {
            await this.#extend([...this.#begun, site], careful);
        } else if (this.chosen.at(-1) === site) {
            if (this.#tentative || this.answer.move === null) this.cancel();
            else this.confirm();
        } else if (this.#first.has(site)) {
            await this.#extend([site], careful);
        } else {
            await this.#refuse(site);
        }
    }

    /**
     * Shows what choosing a site would do.
     *
     * @param {string | null} site `null` for none.
     */
    async hover(site) {
        if (site === this.#hovered) return;
        this.#hovered = site;
        if (this.pending) return;
        const details = site === null ? null : await this.#outcome([...this.#begun, site]);
        if (site !== this.#hovered || this.pending) return;
        if (details) this.#board.ghost(details);
        else this.#idle();
    }

    /**
     * Shows a move wherever nothing else is shown.
     *
     * @param {Details | null} details `null` to show none.
     */
    propose(details) {
        this.#proposed = details;
        if (this.#hovered === null && !this.pending) this.#idle();
    }

    /** Shows what there is to be shown while no site is pointed at. */
    #idle() {
        this.#board.ghost(this.chosen.length === 0 ? this.#proposed : null, "hint");
    }

    /**
     * A move is typed, or taken from a list.
     *
     * @param {string} text
     * @returns {Promise<boolean>} Whether it was made.
     */
    async type(text) {
        const hindrance = this.hindrance();
        if (hindrance !== null) {
            note(hindrance);
            return false;
        }
        const lines = await this.#game.about((session) => session.ask(`legal ${text}`));
        const answer = lines?.[0] ?? "";
        if (answer.startsWith("legal ")) {
            void this.#game.make(answer.slice("legal ".length));
            return true;
        }
        note(answer.replace(/^(info string error: column \d+: |illegal \S+: )/, ""));
        return false;
    }

    /** The sites with which a move has been begun. */
    get #begun() {
        return this.#tentative ? [] : this.chosen;
    }

    /**
     * The choice is longer by a site.
     *
     * @param {string[]} chosen
     * @param {boolean} careful
     */
    async #extend(chosen, careful) {
        note("");
        const step = ++this.#step;
        const answer = await this.#clicks(chosen);
        if (!answer || step !== this.#step) return;
        const whole = answer.move !== null && answer.next.length === 0;
        if (whole && !careful) {
            this.#set([], NOTHING);
            await this.#game.make(/** @type {string} */ (answer.move));
            return;
        }
        if (!whole) {
            this.#set(chosen, answer);
            if (answer.move === null) return;
            note(TEXT.mayStop);
            const sofar = await this.#outcome(chosen);
            if (sofar && this.chosen === chosen) this.#board.ghost(sofar, "pending");
            return;
        }
        // The move is only shown: what may be chosen stays what it was before its last site.
        const earlier = await this.#clicks(chosen.slice(0, -1));
        const details = await this.#outcome(chosen);
        if (!earlier || step !== this.#step) return;
        this.#set(chosen.slice(0, -1), earlier);
        this.pending = { site: /** @type {string} */ (chosen.at(-1)), move: /** @type {string} */ (answer.move) };
        this.#board.ghost(details ?? null, "pending");
        note(TEXT.confirm(this.pending.move));
        this.changed();
    }

    /**
     * A site was chosen where no move goes on: says why. A piece that is not the other side's stays chosen, so that
     * where it was meant to go can be chosen, too, and be explained.
     *
     * @param {string} site
     */
    async #refuse(site) {
        const step = ++this.#step;
        const chosen = [...this.chosen, site];
        const [whole, alone] = await Promise.all([this.#clicks(chosen), this.#clicks([site])]);
        if (!whole || !alone || step !== this.#step) return;
        const { scene, geometry: { sides } } = this.#game;
        const turn = sides.indexOf(scene.turn ?? "");
        const piece = this.chosen.length === 0 && scene.pieces.find((other) => other.site === site);
        const mark = scene.marks.find((other) => other.site === site);
        if (piece && piece.side !== null && piece.side !== turn) {
            note(TEXT.otherSide(piece.kind, site, sides[piece.side], sides[turn]));
        } else if (piece && mark) {
            note(TEXT.marked(piece.kind, site, mark.kind));
        } else if (piece && (piece.side !== null || alone.why === null)) {
            this.#set([site], this.answer);
            this.#tentative = true;
            note(TEXT.whereTo(piece.kind, site));
        } else {
            note(whole.why ?? alone.why ?? (this.chosen.length === 0 ? TEXT.nothing(site) : TEXT.noWay(chosen)));
        }
    }

    /**
     * @param {string[]} chosen
     * @param {Clicks} answer
     */
    #set(chosen, answer) {
        this.#step += 1;
        this.chosen = chosen;
        this.answer = answer;
        this.#tentative = false;
        this.pending = null;
        this.#hovered = null;
        this.#idle();
        this.#mark();
        this.changed();
    }

    /** Marks what is chosen and what may be. */
    #mark() {
        const board = this.#board;
        const drawn = (/** @type {string} */ id, /** @type {string} */ name) => {
            const site = board.sites.get(id);
            if (!site) return [];
            const taken = board.pieces.has(id) ? "taken" : "free";
            const [cx, cy] = board.at(site.x, site.y);
            return [svg("g", { class: `${name} ${taken} ${site.class}` },
                board.outline(site, "area"), svg("circle", { class: "dot", cx, cy, r: 0.13 }))];
        };
        const name = this.chosen.length === 0 ? "choice first" : "choice";
        board.layers.next.replaceChildren(
            ...this.answer.next.flatMap((id) => drawn(id, name)),
            ...this.chosen.flatMap((id) => drawn(id, "chosen")),
        );
    }

    /**
     * @param {string[]} sites
     * @returns {Promise<Clicks | undefined>}
     */
    #clicks(sites) {
        return this.#ask(`clicks ${sites.join(" ")}`.trim());
    }

    /**
     * What the move does that these sites are, if they are one.
     *
     * @param {string[]} sites
     * @returns {Promise<Details | null | undefined>}
     */
    async #outcome(sites) {
        const answer = await this.#clicks(sites);
        return answer?.move ? this.#ask(`details ${answer.move}`) : null;
    }

    /**
     * Asks once in a position.
     *
     * @param {string} question
     * @returns {Promise<any>}
     */
    #ask(question) {
        let answer = this.#asked.get(question);
        if (!answer) {
            answer = this.#game.about((session) => session.json(question));
            this.#asked.set(question, answer);
        }
        return answer;
    }
}
