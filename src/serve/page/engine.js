/** @import { Clock } from "./clock.js" */
/** @import { Game } from "./game.js" */
/** @import { Worth } from "./score.js" */
import { named, opposite, parseInfo, view } from "./score.js";

/** The least time between two moves in milliseconds, so that they can be followed. */
const PAUSE = 700;

/** The engine as a player, and as one who gives advice. */
export class Engine {
    /** @type {Game} */
    #game;
    /** @type {Clock} */
    #clock;

    /**
     * @param {Game} game
     * @param {Clock} clock
     */
    constructor(game, clock) {
        this.#game = game;
        this.#clock = clock;
    }

    /** Whether the engine is to move. */
    get due() {
        return !this.#game.over && this.#game.setup.players[this.#game.turn] === "engine";
    }

    /** Moves, if it is to move. */
    async act() {
        if (this.due) await this.#move();
    }

    /**
     * The move that the engine would make at full strength, and what it thinks of it.
     *
     * @returns {Promise<{ move: string, score: string } | undefined>} Nothing if the position has changed meanwhile.
     */
    async hint() {
        const { geometry, latest, session } = this.#game;
        const { names, turned } = view(latest, geometry.sides);
        const found = /** @type {{ worth: Worth | null }} */ ({ worth: null });
        session.stop();
        const move = await this.#game.fresh(this.#search("champion", "movetime 1000", (line) => {
            const report = parseInfo(line);
            if (report?.rank === 1) found.worth = report.line.worth;
        }));
        const { worth } = found;
        if (move === undefined) return undefined;
        return { move, score: worth ? named(turned ? opposite(worth) : worth, names) : "" };
    }

    async #move() {
        const game = this.#game;
        const { level, seconds } = game.setup;
        const clock = this.#clock;
        const limits = clock.setting
            ? game.geometry.sides.map((_, side) => `p${side + 1}time ${Math.round(clock.left(side))} `
                + `p${side + 1}inc ${clock.setting?.increment ? clock.setting.increment * 1000 : 0}`).join(" ")
            : `movetime ${seconds * 1000}`;
        const pause = new Promise((done) => setTimeout(done, PAUSE));
        const move = await game.fresh(Promise.all([this.#search(level, limits), pause]).then(([found]) => found));
        if (move !== undefined && move !== "(none)") await game.play(move);
    }

    /**
     * @param {string} level
     * @param {string} limits
     * @param {(line: string) => void} [info]
     */
    async #search(level, limits, info) {
        const { session } = this.#game;
        // Both lines go at once: nothing can come between them.
        const [, move] = await Promise.all([
            session.command(`setoption name Level value ${level}`), session.go(limits, info),
        ]);
        return move;
    }
}
