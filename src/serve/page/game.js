/** @import { Rights } from "./rights.js" */
/** @import { Details, Geometry, Scene, Setup } from "./types.js" */
import { ending, parseRecord } from "./record.js";
import { rights } from "./rights.js";
import { reseated } from "./seats.js";
import { Refused, Session } from "./session.js";
import { ruleLines, Study } from "./study.js";
import { GameNode } from "./tree.js";

/**
 * What has changed: `begun` (another game), `position` (the position in play), `view` (only which position is looked
 * at).
 *
 * @typedef {{ kind: "begun" | "position" | "view", details: Details | null, back: boolean }} Change
 */

/**
 * The game in play: where it started, its moves and their variations, and which of the positions is looked at.
 *
 * The game is played at the {@link tip}: what the players and the engine do happens there, and the line to it is the
 * main one of the tree. A move in any other position makes a variation, which changes nothing in the game in play.
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
    /** The start with all that has been played from there. */
    root = new GameNode();
    /** The position in play. */
    tip = this.root;
    /** @type {string | null} The command by which a player has ended the game. */
    end = null;
    /** The position that is looked at. Its scene is known. */
    here = this.root;
    /** The one that is going to be looked at, as soon as the engine has said what it shows. */
    wanted = this.root;
    /** The engine in the position that is looked at, where that is not the one in play, and for its analysis. */
    study = new Study(this);
    /** Whether the rules let the players agree on a draw. */
    agreement = false;
    /** @type {Rights["winners"]} Who wins when a side resigns, without those sides that cannot. */
    winners = new Map();
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

    /**
     * The answer to a question about the position that is looked at, or nothing if it is another one meanwhile.
     *
     * @template T
     * @param {(session: Session) => Promise<T>} question
     * @returns {Promise<T | undefined>}
     */
    async about(question) {
        const { here, generation } = this;
        const same = () => here === this.here && generation === this.generation;
        const session = this.current ? this.session : await this.study.at(here);
        if (!same()) return undefined;
        const answer = await this.fresh(question(session));
        return same() ? answer : undefined;
    }

    /** The moves of the game in play. */
    get moves() {
        return this.tip.path;
    }

    /** What the position that is looked at shows. @returns {Scene} */
    get scene() {
        return /** @type {Scene} */ (this.here.scene);
    }

    /** What the position in play shows, or the one that is looked at while the engine has not answered yet. */
    get latest() {
        return this.tip.scene ?? this.scene;
    }

    get over() {
        return this.latest.turn === null;
    }

    /** Whether the position in play is looked at. */
    get current() {
        return this.here === this.tip;
    }

    /** Whether a variation is looked at, and not the main line. */
    get astray() {
        return !this.here.leadsTo(this.tip);
    }

    /** The side to move in the position in play: 0, 1, or -1 if the game is over. */
    get turn() {
        return this.geometry.sides.indexOf(this.latest.turn ?? "");
    }

    /** The side that moves first from the start, which need not be the first one. */
    get opener() {
        return Math.max(0, this.geometry.sides.indexOf(this.root.scene?.turn ?? ""));
    }

    /**
     * Begins a game, from the start position or another one.
     *
     * @param {Setup} setup
     * @param {string} start
     * @param {string[]} moves
     * @param {string | null} end
     * @param {string[]} lines The moves of all lines, variations too.
     */
    async begin(setup, start = "startpos", moves = [], end = null, lines = []) {
        this.session.stop();
        const generation = ++this.generation;
        this.busy = true;
        this.#beginning = true;
        const orders = [...ruleLines(setup), `position ${start} moves ${moves.join(" ")}`.trim()];
        try {
            await Promise.all(orders.map((line) => this.session.command(line)));
            const [geometry, first] = await Promise.all([
                this.session.json("board"), this.session.json(`scene ${start}`),
            ]);
            const { agreement, winners } = await rights(this.session, start, geometry.sides);
            if (generation !== this.generation) return;
            this.geometry = geometry;
            this.agreement = agreement;
            this.winners = winners;
            this.root = new GameNode();
            this.root.scene = first;
            this.here = this.root;
            this.wanted = this.root;
        } finally {
            if (generation === this.generation) this.#beginning = false;
        }
        const players = reseated(setup.players, this.geometry.sides.length);
        this.setup = players === setup.players ? setup : { ...setup, players };
        this.start = start;
        for (const line of lines) line.split(" ").filter(Boolean).reduce((node, move) => node.add(move), this.root);
        this.tip = moves.reduce((node, move) => node.add(move), this.root);
        this.tip.lead();
        this.end = end;
        await this.#position("begun", null, false);
    }

    /**
     * Makes a move in the position that is looked at. It is played there if that is the position in play, else it
     * makes a variation.
     *
     * @param {string} move
     */
    async make(move) {
        if (this.current) await this.play(move);
        else await this.explore([move]);
    }

    /**
     * Looks at the position after some moves, which become a variation.
     *
     * @param {string[]} moves Legal ones in the position that is looked at.
     */
    async explore(moves) {
        if (!this.#beginning) await this.look(moves.reduce((node, move) => node.add(move), this.here));
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
        // Whoever looks at a variation goes on doing so.
        const here = this.astray ? this.here : null;
        this.tip = this.tip.add(details.move, details);
        this.tip.lead();
        await this.#position("position", details, false, here);
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
        } else if (count > 0 && count <= this.tip.ply) {
            await this.delete(this.moves[this.tip.ply - count]);
        }
    }

    /**
     * Forgets a move and all that follow it.
     *
     * @param {GameNode} node The position after the move.
     */
    async delete(node) {
        const { parent } = node;
        if (this.#beginning || !parent) return;
        const [played, seen] = [node.leadsTo(this.tip), node.leadsTo(this.here)];
        node.remove();
        if (node.leadsTo(this.wanted)) this.wanted = this.here;
        if (played) {
            const { details } = node;
            const single = this.tip === node;
            this.end = null;
            this.tip = parent;
            await this.#position("position", single ? details : null, true);
        } else if (seen) {
            await this.look(parent);
        } else {
            this.#tell({ kind: "view", details: null, back: false });
        }
    }

    /** Plays on from the position that is looked at. What has been played after it becomes a variation. */
    async playOn() {
        if (!this.current && !this.#beginning) await this.#playAt(this.here);
    }

    /**
     * Makes the variation that is looked at the main line where it leaves another one. It becomes the game in play if
     * it leaves that.
     */
    async promote() {
        const first = this.here.branch(this.tip);
        if (!first || this.#beginning) return;
        if (first.parent?.leadsTo(this.tip)) {
            await this.#playAt(this.here.end);
            return;
        }
        first.moveUp();
        this.#tell({ kind: "view", details: null, back: false });
    }

    /**
     * Makes another position the one in play.
     *
     * @param {GameNode} node
     */
    async #playAt(node) {
        // What the old one shows may be the end that a player has made.
        if (this.end !== null) this.tip.scene = null;
        this.end = null;
        this.tip = node;
        node.lead();
        await this.#position("position", null, true, this.here);
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
     * Looks at a position.
     *
     * @param {GameNode | null} wanted
     */
    async look(wanted) {
        if (!wanted || this.#beginning) return;
        this.wanted = wanted;
        const nodes = this.geometry.sides.length > 2 ? wanted.path : [wanted];
        if (!wanted.scene && !await this.fresh(this.#learn(nodes))) return;
        // Meanwhile somebody may want to look elsewhere.
        const before = this.here;
        if (wanted !== this.wanted || wanted === before) return;
        this.here = wanted;
        const details = wanted.parent === before ? wanted.details : before.parent === wanted ? before.details : null;
        this.#tell({ kind: "view", details, back: wanted.ply < before.ply });
    }

    /** The position after the one that is wanted, along its line. The game in play ends that line. */
    get next() {
        return this.wanted === this.tip ? null : (this.wanted.children[0] ?? null);
    }

    /**
     * Takes up the game that the engine has in play, after somebody else has told it of one.
     */
    async adopt() {
        const [geometry, lines] = await Promise.all([this.session.json("board"), this.session.command("record")]);
        const { fen, moves, outcome } = parseRecord(lines.join("\n"));
        const start = fen === null ? "startpos" : `fen ${fen}`;
        this.session.stop();
        const { winners } = await rights(this.session, start, geometry.sides);
        const setup = { ...this.setup, game: geometry.game, options: geometry.rules };
        const rules = (/** @type {Setup} */ chosen) => ruleLines(chosen).sort().join();
        const same = start === this.start && rules(setup) === rules(this.setup);
        await this.begin(setup, start, moves, ending(outcome, winners), same ? this.root.texts : []);
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
        const moves = this.moves.map(({ move }) => move);
        await this.begin(this.setup, this.start, moves, this.end, this.root.texts);
    }

    /** The command that sets up the position in play. */
    get #command() {
        return `position ${this.start} moves ${this.tip.moves}`.trim();
    }

    /**
     * Asks what positions show, where that is not known.
     *
     * @param {GameNode[]} nodes
     */
    async #learn(nodes) {
        await Promise.all(nodes.map(async (node) => {
            if (node.scene) return;
            const scene = await this.session.json(`scene ${this.start} moves ${node.moves}`);
            node.scene ??= scene;
        }));
        return true;
    }

    /** The positions in which it has to be known whose turn it is: of more than two sides, all but the one in play. */
    get #counted() {
        if (this.geometry.sides.length === 2) return [];
        const nodes = new Set(this.root.ends.flatMap(({ path }) => path));
        nodes.delete(this.tip);
        return [...nodes];
    }

    /**
     * Tells the engine of the position in play, and everybody else when its scene has come.
     *
     * @param {Change["kind"]} kind
     * @param {Details | null} details
     * @param {boolean} back
     * @param {GameNode | null} here What is looked at then, if that is not the position in play.
     */
    async #position(kind, details, back, here = null) {
        const generation = ++this.generation;
        this.busy = true;
        const { tip } = this;
        this.session.stop();
        const lines = [this.#command, ...(this.end === null ? [] : [this.end])];
        const told = Promise.all(lines.map((line) => this.session.command(line)));
        const [scene] = await Promise.all([this.session.json("scene"), told, this.#learn(this.#counted)]);
        if (generation !== this.generation) return;
        this.busy = false;
        tip.scene = scene;
        this.here = here?.scene ? here : tip;
        this.wanted = this.here;
        this.#tell({ kind, details, back });
    }

    /** @param {Change} change */
    #tell(change) {
        for (const listener of this.#listeners) listener(change);
    }
}
