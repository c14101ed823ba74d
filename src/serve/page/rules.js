/** @import { Catalogue } from "./options.js" */
/** @import { Geometry, RulesBlock, RulesTopic, Scene } from "./types.js" */
import { Board } from "./board.js";
import { byId, html, svg } from "./dom.js";
import { Session } from "./session.js";
import { TEXT } from "./strings.js";
import { connect } from "./transport.js";

/**
 * The rules of a game for people, with their pictures drawn.
 *
 * They have a session of their own, because a picture may show a board under other rules than those in play. It is
 * opened when the rules are first looked at.
 */
export class Rules {
    #panel = byId("rules", HTMLDetailsElement);
    #topics = byId("rules-topic", HTMLSelectElement);
    #page = byId("rules-page", HTMLElement);
    /** @type {Catalogue} */
    #catalogue;
    /** @type {() => string} The game whose rules are shown. */
    #game;
    /** @type {Session | null} */
    #session = null;
    #shown = "";
    /** Counts the requests, so that only the last one is shown. */
    #request = 0;

    /**
     * @param {Catalogue} catalogue
     * @param {() => string} game
     */
    constructor(catalogue, game) {
        this.#catalogue = catalogue;
        this.#game = game;
        this.#panel.addEventListener("toggle", () => void this.show());
        this.#topics.addEventListener("change", () => void this.#topic(this.#topics.value));
    }

    /** Shows the rules of the game in play, if they are being looked at. */
    async show() {
        if (!this.#panel.open || this.#shown === this.#game()) return;
        this.#shown = this.#game();
        this.#page.replaceChildren();
        await this.#topic("");
    }

    /** @param {string} name The topic, or nothing for the first one. */
    async #topic(name) {
        const request = ++this.#request;
        const game = this.#shown;
        try {
            const session = await this.#connected();
            session.ended = () => {
                // What is asked for then is never answered: it is asked again when the rules are looked at again.
                this.#session = null;
                this.#shown = "";
                if (!this.#page.hasChildNodes()) this.#page.replaceChildren(html("p", { role: "alert" }, TEXT.noRules));
            };
            await session.command(`setoption name Game value ${game}`);
            /** @type {RulesTopic} */
            const topic = await session.json(`rules ${name}`.trim());
            if (request !== this.#request) return;
            this.#topics.replaceChildren(...topic.topics.map((value, index) =>
                html("option", { value, selected: value === topic.topic }, topic.titles[index])));
            const blocks = topic.blocks.map((block) => block.text === undefined
                ? html("figure", {}, html("figcaption", {}, block.caption ?? "")) : html("p", {}, block.text));
            this.#page.replaceChildren(html("h3", {}, topic.title), ...blocks);
            await Promise.all(topic.blocks.map((block, index) =>
                block.text === undefined ? this.#picture(session, game, block, blocks[index]) : undefined));
        } catch (error) {
            if (request !== this.#request) return;
            this.#shown = "";
            const message = error instanceof Error ? error.message : String(error);
            this.#page.replaceChildren(html("p", { role: "alert" }, message));
        }
    }

    async #connected() {
        if (!this.#session?.open) this.#session = new Session(await connect());
        return this.#session;
    }

    /**
     * Draws a picture: the position, and beside it the one after the moves, if there are any.
     *
     * @param {Session} session
     * @param {string} game
     * @param {RulesBlock} block
     * @param {HTMLElement} figure
     */
    async #picture(session, game, { caption = "", fen, moves = [], options = {}, show }, figure) {
        const set = (/** @type {string} */ name, /** @type {string} */ value) =>
            session.command(`setoption name ${name} value ${value}`);
        const usual = (/** @type {string} */ name) =>
            this.#catalogue.options.find((option) => option.name === name)?.value ?? "";
        // All lines go at once, so that no other picture's rules can come between them.
        const setting = Object.entries(options).map(([name, value]) => set(name, value));
        const questions = [session.json("board"), session.json(`scene fen ${fen}`)];
        if (moves.length > 0) questions.push(session.json(`scene fen ${fen} moves ${moves.join(" ")}`));
        const resetting = Object.keys(options).map((name) => set(name, usual(name)));
        await Promise.all([...setting, ...resetting, set("Game", game)]);
        const [geometry, ...scenes] = /** @type {[Geometry, ...Scene[]]} */ (await Promise.all(questions));
        const boards = html("div", { class: "boards" });
        figure.prepend(boards);
        scenes.forEach((scene, index) => {
            const name = scenes.length === 1 ? caption : `${caption} (${index === 0 ? TEXT.before : TEXT.after})`;
            const drawing = svg("svg", { class: "board small", role: "img", "aria-label": TEXT.drawing(name) });
            boards.append(drawing);
            const board = new Board(drawing, geometry, 1.7);
            board.show(scene);
            if (show) board.crop(show);
        });
    }
}
