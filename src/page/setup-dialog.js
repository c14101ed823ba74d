/** @import { Option, Player, Setup } from "./types.js" */
import { byId, html } from "./dom.js";
import { begin, reseated } from "./game.js";
import { checkedSetup } from "./game-file.js";
import { beginOther } from "./position-panel.js";
import { ask, Refused } from "./requests.js";
import { change, sides, state, whenever } from "./state.js";
import { capital, TEXT } from "./strings.js";

const SECONDS = [1, 2, 5, 10, 30];
const CLOCKS = /** @type {NonNullable<Setup["clock"]>[]} */ ([
    { minutes: 1, increment: 0 }, { minutes: 3, increment: 2 }, { minutes: 5, increment: 5 },
    { minutes: 10, increment: 0 }, { minutes: 30, increment: 0 },
]);
/** The choice of a clock with other values than these. */
const OWN = "own";

/** @typedef {{ name: string, players: Player[] }} Pairing Who may play. */
/** @typedef {{ sides: string[], teams: string[][] }} Seats The sides by some rules, and which of them are a team. */

/** An option of the engine. @param {string} name */
const option = (name) => /** @type {Option} */ (state.options.find((found) => found.name === name));

/**
 * What a game is begun with if nobody says otherwise. Full strength is said only by choosing it on the page.
 *
 * @returns {Setup}
 */
function usualSetup(game = String(option("Game").default)) {
    const { default: level, values } = option("Level");
    const isChosen = level !== values?.at(-1);
    const players = /** @type {Player[]} */ (["person", "engine"]);
    return { game, options: {}, players, level: isChosen ? String(level) : "casual", seconds: 2, clock: null };
}

/** Where the browser has what was chosen last: the word of the game, and for each game by its word what was chosen. */
const KEY = "setups";

/** @returns {Record<string, any>} */
function chosenSetups() {
    try {
        return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    } catch {
        return {};
    }
}

/** What was chosen last for a game; without that, what is usual. @param {string} [game] Else the one chosen last. */
export function lastSetup(game) {
    const setups = chosenSetups();
    const word = game ?? String(setups.last);
    const setup = Object.hasOwn(setups, word) ? checkedSetup(setups[word]) : null;
    return setup?.game === word && state.games.some((found) => found.word === word) ? setup : usualSetup(game);
}

/** @param {Setup} setup */
function rememberSetup(setup) {
    try {
        localStorage.setItem(KEY, JSON.stringify({ ...chosenSetups(), last: setup.game, [setup.game]: setup }));
    } catch {
        // The browser keeps nothing: everybody begins with what is usual.
    }
}

/** Begins a game as it was chosen last, or as usual. @param {string} [game] Else the one chosen last. */
export async function beginUsual(game) {
    const last = lastSetup(game);
    try {
        await begin(last);
    } catch (error) {
        // What was chosen is of another version of the engine.
        if (!(error instanceof Refused)) throw error;
        await begin(usualSetup(last.game));
    }
}

/** Offers the other games, as long as nobody has played. */
function offerGames() {
    const place = byId("other-games");
    whenever(() => [state.root, state.version], () => {
        const { root, setup: { game } } = state;
        place.hidden = root.children.length > 0 || state.start !== null;
        if (place.hidden) return;
        place.replaceChildren(...state.games.map(({ word, name }) => html("button",
            { type: "button", "aria-pressed": String(word === game), onclick: () => beginOther(() => choose(word)) },
            name)));
    });
    const choose = async (/** @type {string} */ word) => {
        await beginUsual(word);
        rememberSetup(state.setup);
        // The buttons have been drawn anew.
        /** @type {HTMLElement | null} */ (place.querySelector('[aria-pressed="true"]'))?.focus();
    };
}

/** Makes the dialog that asks what the next game is to be. @returns {() => void} Opens it. */
export function setupDialog() {
    const select = (/** @type {string} */ id) => byId(`setup-${id}`, HTMLSelectElement);
    const [dialog, games, fields] = [byId("setup", HTMLDialogElement), byId("setup-games"), byId("setup-rules")];
    const panel = byId("setup-rules-panel", HTMLDetailsElement);
    const [players, level, seconds, clock] = [select("players"), select("level"), select("seconds"), select("clock")];
    const [minutes, increment] = [byId("setup-minutes", HTMLInputElement), byId("setup-increment", HTMLInputElement)];
    let game = "";
    /** The values of the rules, also of those that make no difference. @type {Record<string, string>} */
    let values = {};
    /** @type {Pairing[]} The choices of who plays. */
    let pairings = [];
    /** @type {Player[]} Who is to play, as it was chosen last. */
    let wanted = [];
    /** Until it is known what the rules say, or cannot be. */
    let known = Promise.resolve();
    /** Counts the changes of the rules, so that only the last answer is shown. */
    let request = 0;

    const choice = (/** @type {string} */ value, /** @type {string} */ text) => html("option", { value }, text);
    games.append(...state.games.map(({ word, name }) => html("label", {},
        html("input", { type: "radio", name: "setup-game", value: word }), " ", name)));
    level.append(...(option("Level").values ?? []).map((name) => choice(name, name)));
    clock.append(choice("", TEXT.noClock), ...CLOCKS.map((pair, index) =>
        choice(String(index), TEXT.clocks(pair.minutes, pair.increment))), choice(OWN, TEXT.ownClock));

    const paired = () => pairings[Number(players.value)].players;
    const valueOf = (/** @type {Option} */ { name, default: usual }) => values[name] ?? String(usual);
    // The options of one game are all rules, and those of all games are if they are so in the game in play.
    const rules = () => state.options.filter((found) =>
        (found.games.length === 1 ? found.games[0] === game : found.name in state.setup.options))
        .filter(({ when }) => Object.entries(when).every(([name, value]) => valueOf(option(name)) === value))
        .sort((one, other) => one.games.length - other.games.length);
    const names = () => rules().map(({ name }) => name).join();
    const options = () => Object.fromEntries(rules().map((rule) => [rule.name, valueOf(rule)]));
    const setting = () => {
        if (clock.value === OWN) return { minutes: Number(minutes.value), increment: Number(increment.value) };
        return clock.value === "" ? null : CLOCKS[Number(clock.value)];
    };
    /** Shows the fields that have to do with what is chosen. */
    const adapt = () => {
        const isEngine = paired().includes("engine");
        byId("setup-level-field").hidden = !isEngine;
        // With a clock the engine shares its time out by itself.
        byId("setup-seconds-field").hidden = !isEngine || clock.value !== "";
        byId("setup-own-clock").hidden = clock.value !== OWN;
        for (const own of [minutes, increment]) own.disabled = clock.value !== OWN;
        const changed = rules().filter((rule) => valueOf(rule) !== String(rule.default))
            .map((rule) => `${TEXT.optionName(rule.name)}: ${wordOf(rule, valueOf(rule))}`);
        byId("setup-changed").textContent = TEXT.changedRules(changed);
    };
    const offer = (/** @type {Seats} */ seats) => {
        pairings = pairingsOf(seats.sides, seats.teams);
        players.replaceChildren(...pairings.map(({ name }, index) => choice(String(index), name)));
        const taken = reseated(wanted, seats.sides.length).join();
        const index = pairings.findIndex((pairing) => pairing.players.join() === taken);
        players.value = String(Math.max(0, index));
        adapt();
    };
    const fill = () => {
        const focused = document.activeElement?.getAttribute("name");
        fields.replaceChildren(...rules().map((rule) => html("label", {},
            html("span", {}, TEXT.optionName(rule.name)), " ", field(rule, valueOf(rule)))));
        // Who changes a rule on which others depend stays at it.
        if (focused) /** @type {HTMLElement | null} */ (fields.querySelector(`[name="${focused}"]`))?.focus();
    };
    const learn = () => {
        const mine = ++request;
        known = seatsBy({ game, options: options() }).then((seats) => {
            if (mine === request) offer(seats);
        }, () => {});
    };
    const show = (/** @type {Setup} */ setup, /** @type {string[]} */ seats) => {
        ({ game, options: values, players: wanted } = setup);
        /** @type {HTMLInputElement | null} */
        const chosen = games.querySelector(`[value="${game}"]`);
        if (chosen) chosen.checked = true;
        byId("setup-summary").textContent = `${capital(state.games.find(({ word }) => word === game)?.summary ?? "")}.`;
        level.value = setup.level;
        const times = [...new Set([...SECONDS, setup.seconds])].sort((one, other) => one - other);
        seconds.replaceChildren(...times.map((count) => choice(String(count), TEXT.seconds(count))));
        seconds.value = String(setup.seconds);
        const index = CLOCKS.findIndex((found) => JSON.stringify(found) === JSON.stringify(setup.clock));
        clock.value = setup.clock === null ? "" : index < 0 ? OWN : String(index);
        const { minutes: whole, increment: more } = setup.clock ?? CLOCKS[1];
        [minutes.value, increment.value] = [String(whole), String(more)];
        fill();
        offer({ sides: seats, teams: [] });
        learn();
    };

    games.addEventListener("change", ({ target }) => {
        const { value } = /** @type {HTMLInputElement} */ (target);
        show(lastSetup(value), state.games.find(({ word }) => word === value)?.sides ?? []);
    });
    players.addEventListener("change", () => {
        wanted = paired();
        adapt();
    });
    clock.addEventListener("change", adapt);
    // At once, and without new fields if the same rules apply: somebody may be on the way to the next field.
    fields.addEventListener("input", ({ target }) => {
        const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target);
        const before = names();
        values = { ...values, [name]: value };
        if (names() !== before) fill();
        adapt();
        learn();
    });
    byId("setup-usual").addEventListener("click", () => {
        values = {};
        fill();
        adapt();
        learn();
    });
    // A value that cannot be is shown.
    fields.addEventListener("invalid", () => (panel.open = true), true);
    dialog.addEventListener("submit", async ({ submitter }) => {
        if (/** @type {HTMLButtonElement} */ (submitter).value !== "begin") return;
        await beginOther(async () => {
            await known;
            change({ analysing: false });
            const setup = {
                game, options: options(), players: paired(), level: level.value, seconds: Number(seconds.value),
                clock: setting(),
            };
            await begin(setup);
            rememberSetup(setup);
        });
    });
    offerGames();
    return () => {
        panel.open = false;
        show(state.setup, sides());
        dialog.showModal();
        /** @type {HTMLElement | null} */ (games.querySelector(":checked"))?.focus();
    };
}

/**
 * The sides by these rules, and their teams: those who win together and are not alone, by who wins when one resigns.
 *
 * @param {{ game: string, options: Record<string, string> }} rules
 * @returns {Promise<Seats>}
 */
async function seatsBy(rules) {
    const { status } = await ask({ ...rules, ask: "status" });
    const players = /** @type {string[]} */ (status.players);
    // Where nobody resigns for anybody else there are no teams.
    const isAlone = status.may.resign.every((/** @type {string} */ side) => players.includes(side));
    const winners = await Promise.all((isAlone ? [] : players).map(async (resign) =>
        (await ask({ ...rules, end: { resign }, ask: "status" })).status.winner));
    const teams = [...new Set(winners)].map((winner) => players.filter((_, side) => winners[side] === winner));
    return { sides: players, teams };
}

/**
 * Who may play, in the order of the list of choices: a person at one of the sides, the people of a team, all people, or
 * none.
 *
 * @param {string[]} players
 * @param {string[][]} teams
 * @returns {Pairing[]}
 */
export function pairingsOf(players, teams) {
    const seated = (/** @type {(side: string) => boolean} */ isPerson) =>
        players.map((side) => /** @type {Player} */ (isPerson(side) ? "person" : "engine"));
    return [
        ...players.map((side, index) =>
            ({ name: TEXT.pairing(side, index), players: seated((other) => other === side) })),
        ...teams.map((team) => ({ name: TEXT.team(team), players: seated((side) => team.includes(side)) })),
        { name: TEXT.people(players.length), players: seated(() => true) },
        { name: TEXT.engines, players: seated(() => false) },
    ];
}

/** A value of an option in words. @param {Option} option @param {string} value */
function wordOf({ type }, value) {
    const words = /** @type {Record<string, string>} */ (type === "check" ? { false: TEXT.no, true: TEXT.yes } : {});
    return words[value] ?? TEXT.values[value] ?? value;
}

/** A field for the value of an option. @param {Option} rule @param {string} value */
function field(rule, value) {
    const { name, type, values, min, max } = rule;
    if (type === "spin") return html("input", { name, type: "number", min, max, value, required: true });
    const entries = (values ?? ["false", "true"]).map((word) =>
        html("option", { value: word }, wordOf(rule, word)));
    const select = html("select", { name }, ...entries);
    select.value = value;
    return select;
}
