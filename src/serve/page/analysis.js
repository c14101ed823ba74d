/** @import { Game } from "./game.js" */
/** @import { Line, Worth } from "./score.js" */
/** @import { GameNode } from "./tree.js" */
import { ended, opposite, parseInfo, view, withReport } from "./score.js";

/** The least time between two updates in milliseconds. */
const UPDATE = 110;
/** How long a position is searched unless somebody wants it deeper, in milliseconds. */
const ENOUGH = 10_000;

/** The most lines that are shown. */
export const MOST_LINES = 5;

/**
 * The engine's opinion of the position that is looked at.
 *
 * What a search reports is kept at the position that it was begun for, and what is shown is what is kept at the
 * position that is looked at. So nothing can be shown of another one, however late a report comes.
 */
export class Analysis {
    /** @type {() => void} Called when there may be something else to show, for updates not too often. */
    changed = () => {};
    /** @type {() => boolean} Whether the engine has something better to do in the position that is looked at. */
    busy = () => false;
    /** @type {(error: Error) => void} */
    failed = () => {};
    /** Whether there is any analysis. */
    on = false;
    /** How many lines are shown. */
    count = 3;
    /** Whether a search runs. */
    searching = false;
    /** @type {GameNode | null} The position that is searched without end. */
    deep = null;
    /** @type {Game} */
    #game;
    /** Counts the searches, so that the end of an earlier one is passed over. */
    #step = 0;
    /** Ends the search that runs. */
    #end = 0;
    /** Shows what has come since the last update. */
    #update = 0;
    #updated = 0;

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
    }

    /** The lines that are known of the position that is looked at, best first. @returns {Line[]} */
    get lines() {
        return this.on ? this.#game.here.lines.slice(0, this.count) : [];
    }

    /**
     * What the position that is looked at is worth from the usual view, if that is known.
     *
     * @returns {Worth | null}
     */
    get worth() {
        const { scene, geometry: { sides } } = this.#game;
        if (scene.turn === null) return ended(scene.outcome, sides[0]);
        const best = this.lines[0]?.worth;
        if (!best) return null;
        return view(scene, sides).turned ? opposite(best) : best;
    }

    /** @param {boolean} on */
    switch(on) {
        this.on = on;
        this.act();
    }

    /** @param {number} count How many lines are to be shown. */
    show(count) {
        this.count = Math.max(1, Math.min(count, MOST_LINES));
        this.act();
    }

    /** Searches the position that is looked at without end. */
    deepen() {
        if (!this.on) return;
        this.deep = this.#game.here;
        this.act();
    }

    /** Begins anew, because another position is looked at, or something else has changed. */
    act() {
        const { here, scene, study } = this.#game;
        const step = ++this.#step;
        clearTimeout(this.#end);
        void study.stop();
        if (this.deep !== here) this.deep = null;
        this.searching = this.on && scene.turn !== null && !this.busy();
        this.#show();
        if (!this.searching) return;
        this.#search(step, here).catch((error) => {
            if (step === this.#step) this.failed(error);
        });
    }

    /**
     * @param {number} step
     * @param {GameNode} node
     */
    async #search(step, node) {
        const session = await this.#game.study.at(node);
        if (step !== this.#step) return;
        const { count } = this;
        this.#game.study.prepare(session);
        /** @type {Line[]} */
        let lines = [];
        const option = session.command(`setoption name MultiPV value ${count}`);
        const search = session.go("infinite", (text) => {
            const report = parseInfo(text);
            if (!report) return;
            lines = withReport(lines, report).slice(0, count);
            if (isBetter(lines, node.lines, count)) node.lines = lines;
            this.#due();
        });
        if (this.deep !== node) this.#end = setTimeout(() => session.stop(), ENOUGH);
        await Promise.all([option, search]);
        if (step !== this.#step) return;
        this.searching = false;
        this.#show();
    }

    /** Something has come that is to be shown soon. */
    #due() {
        if (this.#update) return;
        const wait = Math.max(0, this.#updated + UPDATE - performance.now());
        this.#update = setTimeout(() => this.#show(), wait);
    }

    #show() {
        clearTimeout(this.#update);
        this.#update = 0;
        this.#updated = performance.now();
        this.changed();
    }
}

/**
 * Whether lines are worth more than those that were known before: a new search begins at depth 1 again.
 *
 * @param {Line[]} lines
 * @param {Line[]} known
 * @param {number} count How many are wanted.
 */
function isBetter(lines, known, count) {
    if (lines.length !== Math.min(known.length, count)) return lines.length > known.length;
    return lines[0].depth >= known[0].depth;
}
