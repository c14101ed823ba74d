/** @import { Transport } from "./transport.js" */

/** The engine refused a line. The message says why, in the engine's words. */
export class Refused extends Error {}

const ERROR = "info string error: ";

/**
 * One conversation with the engine in its line protocol.
 *
 * Each line that is sent is followed by `isready`: whatever comes before its `readyok` is the answer. So an answer
 * always finds its question, also if a line is refused, or answered by nothing at all.
 */
export class Session {
    /** @type {(line: string, sent: boolean) => void} Called with each line, in both directions, for a log. */
    log = () => {};
    /** @type {(code: number) => void} Called when the connection has ended, with the code of that. */
    ended = () => {};
    /** @type {boolean} Whether the connection stands. */
    open = true;
    /** @type {Transport} */
    #transport;
    /** @type {{ lines: string[], done: (lines: string[]) => void }[]} The questions not yet answered, oldest first. */
    #questions = [];
    /** @type {{ info: (line: string) => void, done: (move: string) => void }[]} The searches not yet answered. */
    #searches = [];

    /** @param {Transport} transport */
    constructor(transport) {
        this.#transport = transport;
        transport.receive = (line) => this.#receive(line);
        transport.ended = (code) => {
            this.open = false;
            this.ended(code);
        };
    }

    /**
     * Sends a line, and gives all lines of its answer. Never answered if the connection ends.
     *
     * @param {string} line
     * @returns {Promise<string[]>}
     */
    ask(line) {
        return new Promise((done) => {
            this.#questions.push({ lines: [], done });
            // The answer to a typed `isready` ends the question by itself.
            for (const text of line === "isready" ? [line] : [line, "isready"]) this.#send(text);
        });
    }

    /**
     * Sends a line that has no answer if all is well.
     *
     * @param {string} line
     * @returns {Promise<string[]>} The lines of the answer, if there are any.
     */
    async command(line) {
        const lines = await this.ask(line);
        const error = lines.find((answer) => answer.startsWith(ERROR));
        if (error !== undefined) throw new Refused(error.slice(ERROR.length));
        return lines;
    }

    /**
     * The answer to a `query`, without the word `response`.
     *
     * @param {string} question What follows `query`.
     * @returns {Promise<string>}
     */
    async query(question) {
        return this.response(`query ${question}`);
    }

    /**
     * The answer to a line that is answered by `response`.
     *
     * @param {string} line
     * @returns {Promise<string>}
     */
    async response(line) {
        const lines = await this.command(line);
        const answer = lines.find((text) => text.startsWith("response "));
        if (answer === undefined) throw new Refused(lines[0] ?? line);
        return answer.slice("response ".length);
    }

    /**
     * The answer to a `query` that is answered in JSON.
     *
     * @param {string} question What follows `query`.
     * @returns {Promise<any>}
     */
    async json(question) {
        return JSON.parse(await this.query(question));
    }

    /**
     * Starts a search, and gives its move: `(none)` in a decided position.
     *
     * @param {string} limits What follows `go`.
     * @param {(line: string) => void} info Called with each line that the search reports.
     * @returns {Promise<string>}
     */
    go(limits, info = () => {}) {
        return new Promise((done, refused) => {
            const search = { info, done };
            this.#searches.push(search);
            this.command(`go ${limits}`).catch((error) => {
                this.#searches = this.#searches.filter((other) => other !== search);
                refused(error);
            });
        });
    }

    /** Whether a search has yet to answer. */
    get searching() {
        return this.#searches.length > 0;
    }

    /** Ends the search that runs, which then answers. */
    stop() {
        if (this.searching) this.#send("stop");
    }

    close() {
        this.#transport.close();
    }

    /** @param {string} line */
    #send(line) {
        this.log(line, true);
        this.#transport.send(line);
    }

    /** @param {string} line */
    #receive(line) {
        this.log(line, false);
        if (line === "readyok") {
            const question = this.#questions.shift();
            question?.done(question.lines);
        } else if (line.startsWith("bestmove ")) {
            this.#searches.shift()?.done(line.split(" ")[1]);
        } else if (line.startsWith("info ") && !line.startsWith("info string ")) {
            this.#searches[0]?.info(line);
        } else {
            this.#questions[0]?.lines.push(line);
        }
    }
}
