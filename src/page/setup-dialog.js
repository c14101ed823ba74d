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
/** The value of the choice for other clocks than these. */
const OWN = "own";

/** @typedef {{ name: string, players: Player[] }} Pairing A choice of players. */
/** @typedef {{ sides: string[], teams: string[][] }} Seats The sides under some rules, and their teams. */

/** Returns an option of the engine. @param {string} name */
const option = (name) => /** @type {Option} */ (state.options.find((found) => found.name === name));

/**
 * Returns the default setup of a game. The page plays at full strength only if the user chooses it.
 *
 * @returns {Setup}
 */
function usualSetup(game = String(option("Game").default)) {
    const { default: level, values } = option("Level");
    const isChosen = level !== values?.at(-1);
    const players = /** @type {Player[]} */ (["person", "engine"]);
    return { game, options: {}, players, level: isChosen ? String(level) : "casual", seconds: 2, clock: null };
}

/** The key of the last choices in the local storage: the word of the last game, and a setup for each game. */
const KEY = "setups";

/** @returns {Record<string, any>} */
function chosenSetups() {
    try {
        return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    } catch {
        return {};
    }
}

/** Returns the last setup of a game, or the default one. @param {string} [game] Without it, the last game. */
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
        // The browser stores nothing: each visit starts with the defaults.
    }
}

/** Starts a game with its last setup, or the default one. @param {string} [game] Without it, the last game. */
export async function beginUsual(game) {
    const last = lastSetup(game);
    try {
        await begin(last);
    } catch (error) {
        // Another version of the engine had other options.
        if (!(error instanceof Refused)) throw error;
        await begin(usualSetup(last.game));
    }
}

/** Shows buttons for the other games before the first move. */
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
        // The buttons were redrawn.
        /** @type {HTMLElement | null} */ (place.querySelector('[aria-pressed="true"]'))?.focus();
    };
}

/** Creates the dialog for a new game. @returns {() => void} A function that opens it. */
export function setupDialog() {
    const select = (/** @type {string} */ id) => byId(`setup-${id}`, HTMLSelectElement);
    const [dialog, games, fields] = [byId("setup", HTMLDialogElement), byId("setup-games"), byId("setup-rules")];
    const panel = byId("setup-rules-panel", HTMLDetailsElement);
    const [players, level, seconds, clock] = [select("players"), select("level"), select("seconds"), select("clock")];
    const [minutes, increment] = [byId("setup-minutes", HTMLInputElement), byId("setup-increment", HTMLInputElement)];
    let game = "";
    /** The values of the rules, including those without an effect. @type {Record<string, string>} */
    let values = {};
    /** @type {Pairing[]} The choices of players. */
    let pairings = [];
    /** @type {Player[]} The chosen players. */
    let wanted = [];
    /** Resolves when the sides under these rules are known, or the engine has rejected the rules. */
    let known = Promise.resolve();
    /** The number of the latest request; earlier responses are dropped. */
    let request = 0;

    const choice = (/** @type {string} */ value, /** @type {string} */ text) => html("option", { value }, text);
    games.append(...state.games.map(({ word, name }) => html("label", {},
        html("input", { type: "radio", name: "setup-game", value: word }), " ", name)));
    level.append(...(option("Level").values ?? []).map((name) => choice(name, name)));
    clock.append(choice("", TEXT.noClock), ...CLOCKS.map((pair, index) =>
        choice(String(index), TEXT.clocks(pair.minutes, pair.increment))), choice(OWN, TEXT.ownClock));

    const paired = () => pairings[Number(players.value)].players;
    const valueOf = (/** @type {Option} */ { name, default: usual }) => values[name] ?? String(usual);
    // An option of one game is a rule. An option of all games is a rule if the current game has it.
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
    /** Shows the fields that apply to the choices. */
    const adapt = () => {
        const isEngine = paired().includes("engine");
        byId("setup-level-field").hidden = !isEngine;
        // With a clock, the engine manages its time itself.
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
        // The focus stays at a rule on which other rules depend.
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
    // An input applies at once. The fields are recreated only if other rules apply, because the focus may
    // be moving to the next field.
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
    // An invalid value must be visible.
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
 * Requests the sides and teams under these rules. Players who win together are a team: the winner
 * after each player's resignation shows that.
 *
 * @param {{ game: string, options: Record<string, string> }} rules
 * @returns {Promise<Seats>}
 */
async function seatsBy(rules) {
    const { status } = await ask({ ...rules, ask: "status" });
    const players = /** @type {string[]} */ (status.players);
    // If each player resigns alone, there are no teams.
    const isAlone = status.may.resign.every((/** @type {string} */ side) => players.includes(side));
    const winners = await Promise.all((isAlone ? [] : players).map(async (resign) =>
        (await ask({ ...rules, end: { resign }, ask: "status" })).status.winner));
    const teams = [...new Set(winners)].map((winner) => players.filter((_, side) => winners[side] === winner));
    return { sides: players, teams };
}

/**
 * Returns the choices of players in the order of the list: a person at each of the sides, the people
 * of a team, all people, or none.
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

/** Returns the value of an option in words. @param {Option} option @param {string} value */
function wordOf({ type }, value) {
    const words = /** @type {Record<string, string>} */ (type === "check" ? { false: TEXT.no, true: TEXT.yes } : {});
    return words[value] ?? TEXT.values[value] ?? value;
}

/** Creates a field for the value of an option. @param {Option} rule @param {string} value */
function field(rule, value) {
    const { name, type, values, min, max } = rule;
    if (type === "spin") return html("input", { name, type: "number", min, max, value, required: true });
    const entries = (values ?? ["false", "true"]).map((word) =>
        html("option", { value: word }, wordOf(rule, word)));
    const select = html("select", { name }, ...entries);
    select.value = value;
    return select;
}
