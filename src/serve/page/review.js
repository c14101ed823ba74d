/** @import { Game } from "./game.js" */
/** @import { Found } from "./judgement.js" */
/** @import { Worth } from "./score.js" */
/** @import { GameNode } from "./tree.js" */
/** @import { Scene } from "./types.js" */
import { byId, html } from "./dom.js";
import { Graph } from "./graph.js";
import { judge, tally, turningPoint } from "./judgement.js";
import { note } from "./note.js";
import { ended, opposite, parseInfo } from "./score.js";
import { Session } from "./session.js";
import { TEXT } from "./strings.js";
import { ruleLines, STRONGEST } from "./study.js";
import { connect } from "./transport.js";
import { numbered } from "./turns.js";

/** How many nodes are searched of each position, as by `pentarch analyse FILE`. */
const NODES = 20_000;

/**
 * The review of a game: what each move was worth, and the moments that turned it. The searches have a session of their
 * own, which ends with them.
 */
export class Review {
    /** @type {() => void} Called when there is something else to show. */
    changed = () => {};
    /** @type {(node: GameNode) => void} Called when somebody wants to play on from a position. */
    again = () => {};
    /** @type {Game} */
    #game;
    #graph;
    /** The positions that are reviewed: the start and those after the moves. @type {GameNode[]} */
    #nodes = [];
    /** How many of them were searched. */
    #done = 0;
    /** The session of the searches that run. @type {Session | null} */
    #session = null;
    /** Counts the reviews, so that an earlier one ends. */
    #run = 0;

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
        this.#graph = new Graph(game);
    }

    /** Whether there are reviews of this game at all: they weigh two sides against each other. */
    get possible() {
        return this.#game.geometry.sides.length === 2 && this.#game.moves.length > 0;
    }

    /** Reviews the game in play, or ends the review that runs. */
    async start() {
        if (this.#session) {
            this.#stop();
        } else if (this.possible) {
            this.#nodes = [this.#game.root, ...this.#game.moves];
            this.#done = 0;
            for (const node of this.#nodes) node.verdict = null;
            try {
                await this.#search(++this.#run);
            } catch (error) {
                note(/** @type {Error} */ (error).message);
            }
        }
        this.changed();
    }

    /** Shows what is known. A review of moves that are no longer there is forgotten. */
    show() {
        const first = this.#nodes.at(-1)?.path[0]?.parent;
        if (this.#nodes.length > 0 && first !== this.#game.root) {
            this.#stop();
            this.#nodes = [];
            this.#done = 0;
        }
        const whole = this.#nodes.length > 1 && this.#done === this.#nodes.length;
        const button = byId("review", HTMLButtonElement);
        button.disabled = !this.possible;
        button.textContent = this.#session ? TEXT.stopReview : TEXT.review;
        byId("review-progress", HTMLElement).textContent = this.#session
            ? TEXT.reviewed(Math.max(0, this.#done - 1), this.#nodes.length - 1) : "";
        this.#graph.show(this.#nodes.slice(0, this.#done));
        byId("review-result", HTMLElement).hidden = !whole;
        if (whole) this.#summarise();
    }

    #stop() {
        this.#run += 1;
        this.#session?.close();
        this.#session = null;
    }

    /**
     * Searches one position after the other.
     *
     * @param {number} run
     */
    async #search(run) {
        const session = new Session(await connect());
        if (run !== this.#run) {
            session.close();
            return;
        }
        this.#session = session;
        const lost = new Promise((_, failed) => {
            session.ended = () => failed(new Error(TEXT.noAnalysis));
        });
        try {
            await Promise.race([lost, this.#searchAll(run, session)]);
        } catch (error) {
            if (run === this.#run) throw error;
        } finally {
            if (run === this.#run) this.#stop();
        }
    }

    /**
     * @param {number} run
     * @param {Session} session
     */
    async #searchAll(run, session) {
        const { setup, start, geometry: { sides, odds } } = this.#game;
        // As `pentarch analyse` does: the same numbers in each review.
        for (const line of [...ruleLines(setup), STRONGEST, "setoption name Threads value 1"]) void session.ask(line);
        /** @type {(Found & { side: number }) | null} */
        let before = null;
        for (const node of this.#nodes) {
            void session.ask(`position ${start} moves ${node.moves}`.trim());
            /** @type {Scene} */
            const scene = await session.json("scene");
            const side = sides.indexOf(scene.turn ?? "");
            const found = side < 0 ? over(scene, sides) : await searched(session);
            if (run !== this.#run) return;
            if (before) node.verdict = judge(node.move, before.side, before, forNext(found, side, before.side), odds);
            node.worth = side > 0 ? opposite(found.worth) : found.worth;
            node.scene ??= scene;
            before = { ...found, side };
            this.#done += 1;
            this.changed();
        }
    }

    /** Says how the sides have played, and which moves have turned the game. */
    #summarise() {
        const { geometry: { sides } } = this.#game;
        const nodes = this.#nodes.slice(1);
        const verdicts = nodes.flatMap(({ verdict }) => verdict ?? []);
        const tallies = sides.flatMap((word, side) => {
            const found = tally(verdicts, side);
            return found ? [html("li", {}, TEXT.tally(word, found.accuracy, found.mistakes, found.blunders))] : [];
        });
        byId("tallies", HTMLElement).replaceChildren(...tallies);
        const [kind, winner] = (this.#nodes.at(-1)?.scene?.outcome ?? "").split(" ");
        const turning = turningPoint(verdicts, kind === "win" ? sides.indexOf(winner) : -1);
        const moments = nodes.flatMap((node, index) =>
            (node.verdict?.mark ? [this.#moment(node, index === turning)] : []));
        byId("no-moments", HTMLElement).hidden = moments.length > 0;
        const list = byId("moments", HTMLElement);
        // Whoever goes through the list stays where they are.
        const focused = [...list.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
        list.replaceChildren(...moments);
        list.querySelectorAll("button")[focused]?.focus();
    }

    /**
     * @param {GameNode} node
     * @param {boolean} turning Whether the move lost most.
     */
    #moment(node, turning) {
        const { geometry: { sides } } = this.#game;
        const { best, lost, mark, side } = /** @type {NonNullable<GameNode["verdict"]>} */ (node.verdict);
        const name = `${numbered(this.#game, node)} ${node.move}`;
        const text = TEXT.moment(name, mark, sides[side], lost, best);
        return html("li", { class: turning ? "turning-point" : undefined },
            turning ? html("strong", {}, TEXT.turningPoint) : "",
            html("button", { type: "button", class: "moment", onclick: () => void this.#game.look(node.parent) }, text),
            html("button", {
                type: "button",
                "aria-label": TEXT.againBefore(name),
                onclick: () => node.parent && this.again(node.parent),
            }, TEXT.again));
    }
}

/**
 * What the end of a game is worth, for the first side.
 *
 * @param {Scene} scene
 * @param {string[]} sides
 * @returns {Found}
 */
function over({ outcome }, sides) {
    return { worth: ended(outcome, sides[0]), best: "" };
}

/**
 * What a position is worth for the other side than the one that has moved there.
 *
 * @param {Found} found For the side to move, or for the first one if there is none.
 * @param {number} side The side to move, or -1.
 * @param {number} mover The side that has moved.
 * @returns {Found}
 */
function forNext(found, side, mover) {
    return side < 0 && mover === 0 ? { ...found, worth: opposite(found.worth) } : found;
}

/**
 * Searches the position of a session.
 *
 * @param {Session} session
 * @returns {Promise<Found>}
 */
async function searched(session) {
    /** @type {{ worth: Worth }} */
    const last = { worth: { cp: 0 } };
    const best = await session.go(`nodes ${NODES}`, (line) => {
        const report = parseInfo(line);
        if (report?.rank === 1) last.worth = report.line.worth;
    });
    return { worth: last.worth, best };
}
