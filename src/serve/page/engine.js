/** @import { Clock } from "./clock.js" */
/** @import { Game } from "./game.js" */
import { TEXT } from "./strings.js";

/** The least time between two moves in milliseconds, so that they can be followed. */
const PAUSE = 700;

/** What a search has reported last. @typedef {{ score: string, depth: string, line: string[] }} Report */

/** The engine as a player, and as one who gives advice. */
export class Engine {
    /** @type {(report: Report | null) => void} Called with what the analysis has found. */
    report = () => {};
    /** @type {boolean} Whether the positions in which people are to move are analysed. */
    analysing = false;
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

    /** Does what there is to be done in the position in play: moves, or analyses, or nothing. */
    async act() {
        if (this.due) await this.#move();
        else if (this.analysing && !this.#game.over) await this.#analyse();
    }

    /**
     * The move that the engine would make at full strength, and what it thinks of it.
     *
     * @returns {Promise<{ move: string, score: string } | undefined>} Nothing if the position has changed meanwhile.
     */
    async hint() {
        let score = "";
        this.#game.session.stop();
        const move = await this.#game.fresh(this.#search("champion", "movetime 1000", (line) => {
            score = parsed(line)?.score ?? score;
        }));
        return move === undefined ? undefined : { move, score };
    }

    async #move() {
        const game = this.#game;
        const { level, seconds } = game.setup;
        const clock = this.#clock;
        const limits = clock.setting
            ? [0, 1].map((side) => `p${side + 1}time ${Math.round(clock.left(side))} `
                + `p${side + 1}inc ${clock.setting?.increment ? clock.setting.increment * 1000 : 0}`).join(" ")
            : `movetime ${seconds * 1000}`;
        const pause = new Promise((done) => setTimeout(done, PAUSE));
        const move = await game.fresh(Promise.all([this.#search(level, limits), pause]).then(([found]) => found));
        if (move !== undefined && move !== "(none)") await game.play(move);
    }

    async #analyse() {
        const generation = this.#game.generation;
        await this.#search("champion", "infinite", (line) => {
            const report = generation === this.#game.generation ? parsed(line) : null;
            if (report) this.report(report);
        });
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

/**
 * What a line of a search says, if it has a score.
 *
 * @param {string} line
 * @returns {Report | null}
 */
function parsed(line) {
    const match = /\bdepth (\d+).*\bscore (cp|mate) (-?\d+)(?:.*\bpv (.*))?/.exec(line);
    if (!match) return null;
    const [, depth, kind, number, moves] = match;
    const value = Number(number);
    const score = kind === "cp"
        ? `${value > 0 ? "+" : ""}${(value / 100).toFixed(2)}`
        : value > 0 ? TEXT.wins(value) : TEXT.loses(-value);
    return { score, depth, line: (moves ?? "").split(" ") };
}
