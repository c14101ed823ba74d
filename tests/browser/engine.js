/** A UGI session with the program over standard input and output. The tests compare the page with it. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The path of the program. */
export const PROGRAM = process.env.PENTARCH ?? "pentarch";

export class EngineSession {
    #child;
    #lines;

    /**
     * @param {string} game
     * @param {Record<string, string>} options The values of the options that differ from the defaults.
     */
    constructor(game, options = {}) {
        const sets = Object.entries(options).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
        this.#child = spawn(PROGRAM, ["--game", game, ...sets], { stdio: ["pipe", "pipe", "inherit"] });
        this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    }

    /**
     * Sends lines. Returns the lines of the response.
     *
     * @param {...string} questions
     * @returns {Promise<string[]>}
     */
    async ask(...questions) {
        this.#child.stdin.write([...questions, "isready", ""].join("\n"));
        const answer = [];
        for (;;) {
            const { value, done } = await this.#lines.next();
            if (done) throw new Error(`The program has ended after ${questions}.`);
            if (value === "readyok") return answer;
            answer.push(value);
        }
    }

    /** Returns the responses to queries in JSON. @param {...string} questions */
    async query(...questions) {
        const lines = await this.ask(...questions.map((question) => `query ${question}`));
        return lines.map((line) => {
            if (!line.startsWith("response ")) throw new Error(line);
            return JSON.parse(line.slice("response ".length));
        });
    }

    /** Sends lines that have no response. @param {...string} lines */
    async send(...lines) {
        const answer = await this.ask(...lines);
        if (answer.length > 0) throw new Error(answer.join("\n"));
    }

    /** Returns the details of all legal moves of the current position. */
    async moveDetails() {
        const [line] = await this.ask("legal");
        return this.query(...line.split(" ").slice(2).map((move) => `details ${move}`));
    }

    close() {
        this.#child.stdin.end();
    }
}

/**
 * Returns the sites to click for a move.
 *
 * @param {string} game
 * @param {string | null} fen The first position; `null` for the start position.
 * @param {string[]} moves The moves before this move.
 * @param {string} move
 */
export async function clicksOfMove(game, fen, moves, move) {
    const engine = new EngineSession(game);
    try {
        await engine.send(`position ${fen === null ? "startpos" : `fen ${fen}`} moves ${moves.join(" ")}`);
        const [{ clicks }] = await engine.query(`details ${move}`);
        return clicks;
    } finally {
        engine.close();
    }
}
