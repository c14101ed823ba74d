/** @import { Setup } from "./types.js" */
/** @import { Game } from "./game.js" */
/** @import { GameNode } from "./tree.js" */
import { Session } from "./session.js";
import { connect } from "./transport.js";

/** Lets the engine do its best. */
export const STRONGEST = "setoption name Level value champion";

/**
 * A second session with the engine, for the position that is looked at, so that the one that plays the game is not
 * disturbed. It is opened when it is first needed.
 */
export class Study {
    /** @type {() => void} Called when the session has ended, or cannot be had. */
    ended = () => {};
    /** @type {Game} */
    #game;
    /** @type {Promise<Session> | null} */
    #session = null;
    /** @type {Setup | null} What the rules of the session were set by. */
    #setup = null;
    /** @type {GameNode | null} The position of the session. */
    #node = null;

    /** Whether the session has its tables, or makes them. */
    #prepared = false;

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
    }

    /**
     * The session, in this position. What is sent to it at once is answered in this position.
     *
     * @param {GameNode} node
     * @returns {Promise<Session>}
     */
    async at(node) {
        const session = await (this.#session ??= this.#open());
        const { setup, start } = this.#game;
        const lines = [];
        if (this.#setup !== setup) {
            this.#prepared = false;
            lines.push(...ruleLines(setup), STRONGEST);
        }
        if (lines.length > 0 || this.#node !== node) lines.push(`position ${start} moves ${node.moves}`.trim());
        if (lines.length > 0) session.stop();
        this.#setup = setup;
        this.#node = node;
        for (const line of lines) void session.ask(line);
        return session;
    }

    /**
     * Lets the next search wait for the tables of solved positions, with which it knows what is proven. A `stop` ends
     * the waiting.
     *
     * @param {Session} session
     */
    prepare(session) {
        if (!this.#prepared) void session.ask("uginewgame");
        this.#prepared = true;
    }

    /** Ends the search that runs. */
    async stop() {
        (await this.#session)?.stop();
    }

    async #open() {
        const forget = () => {
            this.#session = null;
            this.#setup = null;
            this.ended();
        };
        try {
            const session = new Session(await connect());
            session.ended = forget;
            return session;
        } catch (error) {
            forget();
            throw error;
        }
    }
}

/**
 * The lines that choose a game and its rules.
 *
 * @param {Setup} setup
 */
export function ruleLines({ game, options }) {
    const rules = Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`);
    return [`setoption name Game value ${game}`, ...rules];
}
