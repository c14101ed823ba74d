/** @import { Details, Geometry, Scene, Setup } from "./types.js" */
import { parseRecord } from "./record.js";
import { Refused, Session } from "./session.js";

/**
 * What has changed: `begun` (another game), `position` (the position in play), `view` (only which position is looked
 * at).
 *
 * @typedef {{ kind: "begun" | "position" | "view", details: Details | null, back: boolean }} Change
 */

/**
 * The game in play: where it started, its moves, and which of its positions is looked at.
 *
 * The page keeps the game, and the engine is told all of it at each change. Each change begins a new **generation**; an
 * answer that was asked for in an earlier one belongs to another position, and whoever asked has to drop it. See
 * {@link fresh}.
 */
export class Game {
    /** @type {Session} */
    session;
    /** @type {Setup} */
    setup;
    /** @type {Geometry} */
    geometry;
    /** The start as in the command `position`. */
    start = "startpos";
    /** @type {{ move: string, details: Details | null }[]} */
    moves = [];
    /** @type {string | null} The command by which a player has ended the game. */
    end = null;
    /** How many moves have been made in the position that is looked at. */
    ply = 0;
    /** The same of the position that is going to be looked at, as soon as the engine has said what it shows. */
    wanted = 0;
    /** @type {(Scene | undefined)[]} The positions of the game that have been asked for, by the number of moves. */
    scenes = [];
    /** Whether the rules let the players agree on a draw. */
    agreement = false;
    /** Counts the changes of the position in play. */
    generation = 0;
    /** Whether the position in play has changed and its scene has not come yet. */
    busy = true;
    /** Whether another game is being begun, so that the old one can no longer be changed. */
    #beginning = false;
    /** @type {((change: Change) => void)[]} */
    #listeners = [];

    /**
     * @param {Session} session
     * @param {Setup} setup
     */
    constructor(session, setup) {
        this.session = session;
        this.setup = setup;
    }

    /** @param {(change: Change) => void} listener */
    listen(listener) {
        this.#listeners.push(listener);
    }

    /**
     * The answer to a question about the position in play, or nothing if that has changed meanwhile.
     *
     * @template T
     * @param {Promise<T>} answer
     * @returns {Promise<T | undefined>}
     */
    async fresh(answer) {
        const generation = this.generation;
        try {
            const value = await answer;
            return generation === this.generation ? value : undefined;
        } catch (error) {
            // A question about a position that is gone may well be refused.
            if (generation !== this.generation && error instanceof Refused) return undefined;
            throw error;
        }
    }

    /** @returns {Scene} The position that is looked at. */
    get scene() {
        return /** @type {Scene} */ (this.scenes[this.ply]);
    }

    /** @returns {Scene} The position in play, or the one before it while the engine has not answered yet. */
    get latest() {
        return this.scenes[this.moves.length] ?? this.scene;
    }

    get over() {
        return this.latest.turn === null;
    }

    /** Whether the position in play is looked at. */
    get current() {
        return this.ply === this.moves.length;
    }

    /** The side to move in the position in play: 0, 1, or -1 if the game is over. */
    get turn() {
        return this.geometry.sides.indexOf(this.latest.turn ?? "");
    }

    /** The side that moves first from the start, which need not be the first one. */
    get opener() {
        return Math.max(0, this.geometry.sides.indexOf(this.scenes[0]?.turn ?? ""));
    }

    /**
     * Begins a game, from the start position or another one.
     *
     * @param {Setup} setup
     * @param {string} start
     * @param {string[]} moves
     * @param {string | null} end
     */
    async begin(setup, start = "startpos", moves = [], end = null) {
        this.session.stop();
        const generation = ++this.generation;
        this.busy = true;
        this.#beginning = true;
        const lines = [`setoption name Game value ${setup.game}`];
        for (const [name, value] of Object.entries(setup.options)) lines.push(`setoption name ${name} value ${value}`);
        lines.push(`position ${start} moves ${moves.join(" ")}`.trim());
        try {
            await Promise.all(lines.map((line) => this.session.command(line)));
            const [geometry, first, agreement] = await Promise.all([
                this.session.json("board"), this.session.json(`scene ${start}`), this.#agreement(),
            ]);
            if (generation !== this.generation) return;
            this.geometry = geometry;
            this.agreement = agreement;
            this.scenes = [first];
            this.ply = 0;
        } finally {
            if (generation === this.generation) this.#beginning = false;
        }
        this.setup = setup;
        this.start = start;
        this.moves = moves.map((move) => ({ move, details: null }));
        this.end = end;
        await this.#position("begun", null, false);
    }

    /**
     * Makes a move in the position in play.
     *
     * @param {string} move
     */
    async play(move) {
        if (this.busy) return;
        /** @type {Details | undefined} */
        const details = await this.fresh(this.session.json(`details ${move}`));
        if (!details) return;
        this.moves.push({ move: details.move, details });
        await this.#position("position", details, false);
    }

    /**
     * Takes moves back, or the end that a player has made.
     *
     * @param {number} count
     */
    async undo(count) {
        if (this.#beginning) return;
        if (this.end !== null) {
            this.end = null;
            await this.#position("position", null, false);
        } else if (count > 0 && count <= this.moves.length) {
            await this.cut(this.moves.length - count);
        }
    }

    /**
     * Forgets all moves after the first ones.
     *
     * @param {number} count How many stay.
     */
    async cut(count) {
        if (this.#beginning) return;
        const dropped = this.moves.splice(count);
        this.end = null;
        await this.#position("position", dropped.length === 1 ? dropped[0].details : null, true);
    }

    /**
     * Ends the game by a command of the players: `resign`, `agree` or `flag`.
     *
     * @param {string} command
     */
    async finish(command) {
        if (this.#beginning) return;
        this.end = command;
        await this.#position("position", null, false);
    }

    /**
     * Looks at the position after so many moves.
     *
     * @param {number} ply
     */
    async look(ply) {
        const wanted = Math.max(0, Math.min(ply, this.moves.length));
        this.wanted = wanted;
        if (!this.scenes[wanted]) {
            const moves = this.moves.slice(0, wanted).map(({ move }) => move).join(" ");
            const scene = await this.fresh(this.session.json(`scene ${this.start} moves ${moves}`));
            if (!scene) return;
            this.scenes[wanted] = scene;
        }
        // Meanwhile somebody may want to look elsewhere.
        const before = this.ply;
        if (wanted !== this.wanted || wanted === before) return;
        this.ply = wanted;
        const step = Math.abs(wanted - before) === 1;
        const details = step ? (this.moves[Math.min(wanted, before)]?.details ?? null) : null;
        this.#tell({ kind: "view", details, back: wanted < before });
    }

    /**
     * Takes up the game that the engine has in play, after somebody else has told it of one.
     */
    async adopt() {
        const [geometry, lines] = await Promise.all([this.session.json("board"), this.session.command("record")]);
        const { fen, moves, end } = parseRecord(lines.join("\n"), geometry.sides);
        const start = fen === null ? "startpos" : `fen ${fen}`;
        const setup = { ...this.setup, game: geometry.game, options: geometry.rules };
        await this.begin(setup, start, moves, end);
    }

    /** Lets everybody begin anew in the same position: its players have changed, say. */
    renew() {
        this.generation += 1;
        this.session.stop();
        this.#tell({ kind: "position", details: null, back: false });
    }

    /**
     * Goes on with the same game in another session.
     *
     * @param {Session} session
     */
    async move(session) {
        this.session = session;
        await this.begin(this.setup, this.start, this.moves.map(({ move }) => move), this.end);
    }

    /** The command that sets up the position in play. */
    get #command() {
        return `position ${this.start} moves ${this.moves.map(({ move }) => move).join(" ")}`.trim();
    }

    /** Whether the rules know a draw by agreement: found out by agreeing, and setting the position up again. */
    async #agreement() {
        try {
            await this.session.command("agree");
            await this.session.command("undo");
            return true;
        } catch (error) {
            if (error instanceof Refused) return false;
            throw error;
        }
    }

    /**
     * Tells the engine of the position in play, and everybody else when its scene has come.
     *
     * @param {Change["kind"]} kind
     * @param {Details | null} details
     * @param {boolean} back
     */
    async #position(kind, details, back) {
        const generation = ++this.generation;
        this.busy = true;
        const count = this.moves.length;
        this.session.stop();
        const lines = [this.#command, ...(this.end === null ? [] : [this.end])];
        const told = Promise.all(lines.map((line) => this.session.command(line)));
        const [scene] = await Promise.all([this.session.json("scene"), told]);
        if (generation !== this.generation) return;
        this.busy = false;
        // The scenes after this one are of moves that were taken back.
        this.scenes.length = Math.min(this.scenes.length, count);
        this.scenes[count] = scene;
        this.ply = count;
        this.wanted = count;
        this.#tell({ kind, details, back });
    }

    /** @param {Change} change */
    #tell(change) {
        for (const listener of this.#listeners) listener(change);
    }
}
