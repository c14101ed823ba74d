/** @import { Catalogue } from "./options.js" */
/** @import { Option, Player, Setup } from "./types.js" */
import { byId, html } from "./dom.js";
import { rulesOf } from "./options.js";
import { capital, TEXT } from "./strings.js";

/** Who plays, in the order of the list of choices. */
const PAIRINGS = /** @type {[Player, Player][]} */ ([
    ["person", "engine"], ["engine", "person"], ["person", "person"], ["engine", "engine"],
]);
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
        this.#dialog.addEventListener("close", () => {
            if (this.#dialog.returnValue === "begin") this.begin(this.#chosen());
        });
    }

    /** @param {Setup} setup What is chosen at first. */
    open(setup) {
        this.#game.value = setup.game;
        this.#level.value = setup.level;
        this.#seconds.value = String(setup.seconds);
        const index = CLOCKS.findIndex((clock) => JSON.stringify(clock) === JSON.stringify(setup.clock));
        this.#clock.value = index < 0 ? "" : String(index);
        this.#players.value = "";
        this.#show(setup);
        const pairing = PAIRINGS.findIndex((players) => players.join() === setup.players.join());
        this.#players.value = String(Math.max(0, pairing));
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
        const sides = game?.sides ?? [];
        const names = [TEXT.pairing(sides[0], 0), TEXT.pairing(sides[1], 1), TEXT.twoPeople, TEXT.twoEngines];
        const pairing = this.#players.value || "0";
        this.#players.replaceChildren(...names.map((name, index) => html("option", { value: index }, name)));
        this.#players.value = pairing;
        const rules = rulesOf(this.#catalogue.options, setup.game, Object.keys(TEXT.common));
        this.#rules.replaceChildren(...rules.map((option) => {
            const label = html("span", {}, TEXT.common[option.name] ?? TEXT.optionName(option.name));
            return html("label", {}, label, input(option, setup.options[option.name] ?? option.value));
        }));
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
            players: [...PAIRINGS[Number(this.#players.value)]],
            level: this.#level.value,
            seconds: Number(this.#seconds.value),
            clock: this.#clock.value === "" ? null : CLOCKS[Number(this.#clock.value)],
        };
    }
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
