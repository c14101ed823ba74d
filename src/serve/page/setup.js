/** @import { Game } from "./game.js" */
/** @import { Catalogue } from "./options.js" */
/** @import { Rights } from "./rights.js" */
/** @import { Option, Player, Setup } from "./types.js" */
import { byId, html } from "./dom.js";
import { rulesOf } from "./options.js";
import { rights } from "./rights.js";
import { pairings, reseated } from "./seats.js";
import { Session } from "./session.js";
import { capital, TEXT } from "./strings.js";
import { ruleLines } from "./study.js";
import { connect } from "./transport.js";

const SECONDS = [1, 2, 5, 10, 30];
const CLOCKS = /** @type {NonNullable<Setup["clock"]>[]} */ ([
    { minutes: 1, increment: 0 }, { minutes: 3, increment: 2 }, { minutes: 5, increment: 5 },
    { minutes: 10, increment: 0 }, { minutes: 30, increment: 0 },
]);

/**
 * The game with which the engine begins.
 *
 * @param {Catalogue} catalogue
 */
export function chosen(catalogue) {
    return catalogue.options.find(({ name }) => name === "Game")?.value ?? catalogue.games[0].word;
}

/**
 * What a game is begun with if nobody says otherwise. Full strength is said only by choosing it on the page.
 *
 * @param {Catalogue} catalogue
 * @param {string} game
 * @returns {Setup}
 */
export function defaults(catalogue, game) {
    const rules = rulesOf(catalogue.options, game, Object.keys(TEXT.common));
    const level = catalogue.options.find(({ name }) => name === "Level");
    return {
        game,
        options: Object.fromEntries(rules.map(({ name, value }) => [name, value])),
        players: ["person", "engine"],
        level: level && level.value !== level.choices.at(-1) ? level.value : "casual",
        seconds: 2,
        clock: null,
    };
}

/** The dialog that asks what the next game is to be. */
export class SetupDialog {
    /** @type {(setup: Setup) => void} Called when a game is to begin. */
    begin = () => {};
    #dialog = byId("setup", HTMLDialogElement);
    #game = byId("setup-game", HTMLSelectElement);
    #summary = byId("setup-summary", HTMLElement);
    #players = byId("setup-players", HTMLSelectElement);
    #level = byId("setup-level", HTMLSelectElement);
    #seconds = byId("setup-seconds", HTMLSelectElement);
    #clock = byId("setup-clock", HTMLSelectElement);
    #rules = byId("setup-rules", HTMLElement);
    /** @type {Catalogue} */
    #catalogue;
    /** @type {ReturnType<typeof pairings>} The choices of who plays. */
    #pairings = [];
    /** @type {Promise<Session> | null} A session that says who can play by the rules which are chosen. */
    #session = null;
    /** @type {Promise<void>} Until that has been said, or cannot be. */
    #known = Promise.resolve();
    /** Counts the changes of the rules, so that only the last answer is shown. */
    #request = 0;

    /** @param {Catalogue} catalogue */
    constructor(catalogue) {
        this.#catalogue = catalogue;
        const choice = (/** @type {string} */ value, /** @type {string} */ text) => html("option", { value }, text);
        this.#game.append(...catalogue.games.map(({ word, title }) => choice(word, title)));
        const level = catalogue.options.find(({ name }) => name === "Level");
        this.#level.append(...(level?.choices ?? []).map((name) => choice(name, name)));
        this.#seconds.append(...SECONDS.map((seconds) => choice(String(seconds), TEXT.seconds(seconds))));
        this.#clock.append(choice("", TEXT.noClock), ...CLOCKS.map(({ minutes, increment }, index) =>
            choice(String(index), TEXT.clocks(minutes, increment))));
        this.#game.addEventListener("change", () => this.#show(defaults(catalogue, this.#game.value)));
        this.#rules.addEventListener("change", () => {
            this.#known = this.#ask(++this.#request).catch(() => {});
        });
        this.#dialog.addEventListener("close", () => void this.#close());
    }

    /** @param {Game} game What is chosen at first. */
    open({ setup, geometry, winners }) {
        this.#game.value = setup.game;
        this.#level.value = setup.level;
        this.#seconds.value = String(setup.seconds);
        const index = CLOCKS.findIndex((clock) => JSON.stringify(clock) === JSON.stringify(setup.clock));
        this.#clock.value = index < 0 ? "" : String(index);
        this.#show(setup);
        this.#offer(geometry.sides, winners, setup.players);
        this.#dialog.returnValue = "";
        this.#dialog.showModal();
    }

    /**
     * Shows the choices that depend on the game.
     *
     * @param {Setup} setup
     */
    #show(setup) {
        const game = this.#catalogue.games.find(({ word }) => word === setup.game);
        this.#summary.textContent = game ? `${capital(game.summary)}.` : "";
        this.#request += 1;
        this.#offer(game?.sides ?? [], new Map(), this.#paired ?? setup.players);
        const rules = rulesOf(this.#catalogue.options, setup.game, Object.keys(TEXT.common));
        this.#rules.replaceChildren(...rules.map((option) => {
            const label = html("span", {}, TEXT.common[option.name] ?? TEXT.optionName(option.name));
            return html("label", {}, label, input(option, setup.options[option.name] ?? option.value));
        }));
    }

    /** @returns {Player[] | undefined} Who plays, as it is chosen. */
    get #paired() {
        return this.#pairings[Number(this.#players.value)]?.players;
    }

    /**
     * Shows who may play.
     *
     * @param {string[]} sides
     * @param {Rights["winners"]} winners
     * @param {Player[]} players What is chosen at first, for this number of sides or another one.
     */
    #offer(sides, winners, players) {
        this.#pairings = pairings(sides, winners);
        this.#players.replaceChildren(
            ...this.#pairings.map(({ name }, index) => html("option", { value: index }, name)));
        const wanted = reseated(players, sides.length).join();
        const index = this.#pairings.findIndex((pairing) => pairing.players.join() === wanted);
        this.#players.value = String(Math.max(0, index));
    }

    /**
     * Shows who may play by the rules that are chosen.
     *
     * @param {number} request
     */
    async #ask(request) {
        const setup = this.#chosen();
        this.#session ??= connect().then((transport) => new Session(transport));
        const session = await this.#session;
        // What has not been answered when the connection ends never will be.
        const lost = /** @type {Promise<never>} */ (new Promise((_, failed) => {
            session.ended = () => {
                this.#session = null;
                failed(new Error(TEXT.lost));
            };
        }));
        const { sides, winners } = await Promise.race([lost, seats(session, setup)]);
        if (request === this.#request) this.#offer(sides, winners, this.#paired ?? setup.players);
    }

    async #close() {
        const isWanted = this.#dialog.returnValue === "begin";
        await this.#known;
        void this.#session?.then((session) => session.close(), () => {});
        this.#session = null;
        if (isWanted) this.begin(this.#chosen());
    }

    /** @returns {Setup} */
    #chosen() {
        /** @type {Record<string, string>} */
        const options = {};
        for (const field of this.#rules.querySelectorAll("input, select")) {
            const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (field);
            options[name] = value;
        }
        return {
            game: this.#game.value,
            options,
            players: [...(this.#paired ?? [])],
            level: this.#level.value,
            seconds: Number(this.#seconds.value),
            clock: this.#clock.value === "" ? null : CLOCKS[Number(this.#clock.value)],
        };
    }
}

/**
 * Who can play by these rules, and how they can lose.
 *
 * @param {Session} session
 * @param {Setup} setup
 */
async function seats(session, setup) {
    await Promise.all(ruleLines(setup).map((line) => session.command(line)));
    const { sides } = await session.json("board");
    return { sides, ...await rights(session, "startpos", sides) };
}

/**
 * A field for the value of an option.
 *
 * @param {Option} option
 * @param {string} value
 */
function input({ name, type, choices, min, max }, value) {
    if (type === "spin") return html("input", { name, type: "number", min, max, value, required: true });
    const values = type === "check" ? ["false", "true"] : choices;
    const words = /** @type {Record<string, string>} */ (type === "check" ? { false: TEXT.no, true: TEXT.yes } : {});
    const entries = values.map((word) => html("option", { value: word }, words[word] ?? TEXT.values[word] ?? word));
    const select = html("select", { name }, ...entries);
    select.value = value;
    return select;
}
