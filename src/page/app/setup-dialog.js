/** @import { Option, Player, Setup } from "../core/types.js" */
import { capitalise, elementById, html, setState, sideWords, state, TEXT } from "../core/index.js";
import { RequestError, sendRequest } from "../engine/index.js";
import { adaptPlayersToSideCount, AUTO_LEVEL, autoLevelText, parseHandicapNumber, parseGameSetup, startGame,
    startNewGame } from "../game/index.js";
import { tryStartGame } from "./position-panel.js";

const SECONDS = [1, 2, 5, 10, 30];
const CLOCKS = /** @type {NonNullable<Setup["clock"]>[]} */ ([
    { minutes: 1, increment: 0 }, { minutes: 3, increment: 2 }, { minutes: 5, increment: 5 },
    { minutes: 10, increment: 0 }, { minutes: 30, increment: 0 },
]);
/** The value of the choice for a custom clock. */
const CUSTOM_CLOCK = "own";

/**
 * @typedef {object} Pairing A choice of players.
 * @property {string} name
 * @property {Player[] | null} players `null` for one person at a random side.
 */
/** @typedef {{ sides: string[], teams: string[][] }} SidesAndTeams The sides under some rules, and their teams. */
/** @typedef {import("../protocol.js").Starts} Starts */

/** Returns an option of the engine. @param {string} name */
const optionNamed = (name) => /** @type {Option} */ (state.engine.options.find((found) => found.name === name));

/**
 * Returns the default setup of a game. Unless the program was started with a level below the highest, the engine
 * plays at the lowest level, which newcomers can beat.
 *
 * @returns {Setup}
 */
function defaultSetup(game = String(optionNamed("Game").default)) {
    const { default: level, values } = optionNamed("Level");
    const isChosen = level !== values?.at(-1);
    const players = /** @type {Player[]} */ (["person", "engine"]);
    return { game, options: {}, players, level: String(isChosen ? level : values?.[0]), seconds: 2, clock: null,
        fairStart: "" };
}

/**
 * The key of the last choices in the local storage. The choices are the word of the last game, and
 * a setup for each game.
 */
const STORAGE_KEY = "setups";

/** @returns {Record<string, any>} */
function storedSetups() {
    try {
        return Object(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}"));
    } catch {
        return {};
    }
}

/** Returns the last setup of a game, or the default setup. @param {string} [game] Without it, the last game. */
export function lastGameSetup(game) {
    const setups = storedSetups();
    const word = game ?? String(setups.last);
    const setup = Object.hasOwn(setups, word) ? parseGameSetup(setups[word]) : null;
    return setup?.game === word && state.engine.games.some((found) => found.word === word) ? setup : defaultSetup(game);
}

/** @param {Setup} setup */
function rememberSetup(setup) {
    try {
        localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...storedSetups(), last: setup.game, [setup.game]: setup }));
    } catch {
        // The browser stores nothing. Each visit then starts with the defaults.
    }
}

/**
 * Starts a game with its last setup or the default setup, from the start position.
 *
 * @param {string} [game] Without it, the last game.
 */
export async function startGameWithLastSetup(game, start = startGame) {
    const last = lastGameSetup(game);
    try {
        await start(last);
    } catch (error) {
        // Another version of the engine had other options.
        if (!(error instanceof RequestError)) throw error;
        await startGame(defaultSetup(last.game));
    }
}

/**
 * Starts a game with its last setup, also with its way to begin, and remembers it as the last game.
 *
 * @param {string} game
 */
export async function startAndRememberGame(game) {
    await startGameWithLastSetup(game, startNewGame);
    rememberSetup(state.game.setup);
}

/** Creates the dialog for a new game. @returns {() => void} A function that opens it. */
export function createNewGameDialog() {
    const select = (/** @type {string} */ id) => elementById(`setup-${id}`, HTMLSelectElement);
    const dialog = elementById("setup", HTMLDialogElement);
    const games = elementById("setup-games");
    const fields = elementById("setup-rules");
    const panel = elementById("setup-rules-panel", HTMLDetailsElement);
    const players = select("players");
    const level = select("level");
    const seconds = select("seconds");
    const clock = select("clock");
    const start = select("start");
    const minutes = elementById("setup-minutes", HTMLInputElement);
    const increment = elementById("setup-increment", HTMLInputElement);
    let game = "";
    /** The values of the rules, including those without an effect. @type {Record<string, string>} */
    let values = {};
    /** @type {Pairing[]} The choices of players. */
    let pairings = [];
    let sideCount = 0;
    /** @type {Starts | null} The ways to begin under the chosen rules, when they are known. */
    let starts = null;
    /** The chosen way to begin. */
    let wantedStart = "";
    /** Whether the rules contain a handicap, which does not belong to the chosen rules. */
    let hasHandicapRules = false;
    /** @type {Player[] | null} The chosen players; `null` for one person at a random side. */
    let wantedPlayers = [];
    /** Resolves when the sides under these rules are known, or when the engine has rejected the rules. */
    let seatsRequest = Promise.resolve();
    /** The number of the latest request. Responses for earlier requests are dropped. */
    let request = 0;

    const choice = (/** @type {string} */ value, /** @type {string} */ text) => html("option", { value }, text);
    games.append(...state.engine.games.map(({ word, name }) => html("label", {},
        html("input", { type: "radio", name: "setup-game", value: word }), " ", name)));
    const autoChoice = choice(AUTO_LEVEL, "");
    level.append(autoChoice, ...(optionNamed("Level").values ?? []).map((name) => choice(name, name)));
    clock.append(choice("", TEXT.noClock), ...CLOCKS.map((pair, index) =>
        choice(String(index), TEXT.clocks(pair.minutes, pair.increment))), choice(CUSTOM_CLOCK, TEXT.ownClock));

    const chosenPlayers = () => pairings[Number(players.value)].players ?? playersWithRandomSeat(sideCount);
    const valueOf = (/** @type {Option} */ { name, default: usual }) => values[name] ?? String(usual);
    // An option of one game among several is a rule. Another option is a rule if the current game has it.
    const applicableRules = () => state.engine.options.filter((found) =>
        (found.games.length === 1 && state.engine.games.length > 1 ? found.games[0] === game
            : found.name in state.game.setup.options))
        .filter(({ when }) => Object.entries(when).every(([name, value]) => valueOf(optionNamed(name)) === value))
        .sort((one, other) => one.games.length - other.games.length);
    const ruleNames = () => applicableRules().map(({ name }) => name).join();
    const ruleValues = () => Object.fromEntries(applicableRules().map((rule) => [rule.name, valueOf(rule)]));
    const chosenClock = () => {
        if (clock.value === CUSTOM_CLOCK) return { minutes: Number(minutes.value), increment: Number(increment.value) };
        return clock.value === "" ? null : CLOCKS[Number(clock.value)];
    };
    /** Lists the ways to begin. A handicap is for one person against the engine. */
    const updateStarts = () => {
        const { players: chosen } = pairings[Number(players.value)];
        const isAgainstEngine = sideCount === 2 && (chosen === null || chosen[0] !== chosen[1]);
        start.replaceChildren(choice("", TEXT.usualStart),
            ...(starts?.balanced ? [choice("balanced", TEXT.balancedStart)] : []),
            ...(sideCount === 2 ? [choice("swap", TEXT.swapStart)] : []),
            ...(starts && isAgainstEngine ? starts.handicaps : []).map(({ less, more, kind }, index) =>
                choice(`handicap ${index + 1}`, TEXT.handicapStart(more, kind, less))));
        start.value = wantedStart;
        if (start.selectedIndex < 0) start.value = "";
    };
    /** Shows the fields that apply to the choices. */
    const updateVisibility = () => {
        const isEngine = chosenPlayers().includes("engine");
        elementById("setup-level-field").hidden = !isEngine;
        // With a clock, the engine manages its own time.
        elementById("setup-seconds-field").hidden = !isEngine || clock.value !== "";
        updateStarts();
        elementById("setup-own-clock").hidden = clock.value !== CUSTOM_CLOCK;
        for (const own of [minutes, increment]) own.disabled = clock.value !== CUSTOM_CLOCK;
        const changed = applicableRules().filter((rule) => valueOf(rule) !== String(rule.default))
            .map((rule) => `${TEXT.optionName(rule.name)}: ${valueText(rule, valueOf(rule))}`);
        elementById("setup-changed").textContent = TEXT.changedRules(changed);
    };
    const updatePairings = (/** @type {SidesAndTeams} */ seats) => {
        pairings = playerChoices(seats.sides, seats.teams);
        sideCount = seats.sides.length;
        players.replaceChildren(...pairings.map(({ name }, index) => choice(String(index), name)));
        const wanted = wantedPlayers && adaptPlayersToSideCount(wantedPlayers, sideCount);
        const index = pairings.findIndex((pairing) => pairing.players?.join() === wanted?.join());
        players.value = String(Math.max(0, index));
        updateVisibility();
    };
    const createRuleFields = () => {
        const focused = document.activeElement?.getAttribute("name");
        fields.replaceChildren(...applicableRules().map((rule) => html("label", { title: rule.help },
            html("span", {}, TEXT.optionName(rule.name)), " ", createField(rule, valueOf(rule)))));
        // The focus stays at a rule on which other rules depend.
        if (focused) /** @type {HTMLElement | null} */ (fields.querySelector(`[name="${focused}"]`))?.focus();
    };
    const requestSeats = () => {
        const thisRequest = ++request;
        seatsRequest = fetchSeats({ game, options: ruleValues() }).then((seats) => {
            if (thisRequest !== request) return;
            ({ starts } = seats);
            if (hasHandicapRules) {
                hasHandicapRules = false;
                const { options = {} } = starts.handicaps[0]?.starts[0] ?? {};
                for (const name of Object.keys(options)) delete values[name];
                createRuleFields();
            }
            updatePairings(seats);
        }, () => {});
    };
    const show = (/** @type {Setup} */ setup, /** @type {string[]} */ seats) => {
        ({ game, players: wantedPlayers, fairStart: wantedStart } = setup);
        values = { ...setup.options };
        starts = null;
        hasHandicapRules = parseHandicapNumber(wantedStart) > 0;
        if (wantedStart === "swapped") wantedStart = "swap";
        autoChoice.textContent = TEXT.autoChoice(autoLevelText(game));
        /** @type {HTMLInputElement | null} */
        const radio = games.querySelector(`[value="${game}"]`);
        if (radio) radio.checked = true;
        const summary = state.engine.games.find(({ word }) => word === game)?.summary ?? "";
        elementById("setup-summary").textContent = `${capitalise(summary)}.`;
        level.value = setup.level;
        const times = [...new Set([...SECONDS, setup.seconds])].sort((one, other) => one - other);
        seconds.replaceChildren(...times.map((count) => choice(String(count), TEXT.seconds(count))));
        seconds.value = String(setup.seconds);
        const index = CLOCKS.findIndex((found) => JSON.stringify(found) === JSON.stringify(setup.clock));
        clock.value = setup.clock === null ? "" : index < 0 ? CUSTOM_CLOCK : String(index);
        const { minutes: whole, increment: more } = setup.clock ?? CLOCKS[1];
        [minutes.value, increment.value] = [String(whole), String(more)];
        createRuleFields();
        updatePairings({ sides: seats, teams: [] });
        requestSeats();
    };

    games.addEventListener("change", ({ target }) => {
        const { value } = /** @type {HTMLInputElement} */ (target);
        show(lastGameSetup(value), state.engine.games.find(({ word }) => word === value)?.sides ?? []);
    });
    players.addEventListener("change", () => {
        wantedPlayers = pairings[Number(players.value)].players;
        updateVisibility();
    });
    clock.addEventListener("change", updateVisibility);
    start.addEventListener("change", () => (wantedStart = start.value));
    // An input applies at once. The fields are recreated only if other rules apply. Otherwise they
    // stay, because the focus may be moving to the next field.
    fields.addEventListener("input", ({ target }) => {
        const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target);
        const before = ruleNames();
        values = { ...values, [name]: value };
        if (ruleNames() !== before) createRuleFields();
        updateVisibility();
        requestSeats();
    });
    elementById("setup-usual").addEventListener("click", () => {
        values = {};
        createRuleFields();
        updateVisibility();
        requestSeats();
    });
    // An invalid value must be visible.
    fields.addEventListener("invalid", () => (panel.open = true), true);
    dialog.addEventListener("submit", async ({ submitter }) => {
        if (/** @type {HTMLButtonElement} */ (submitter).value !== "begin") return;
        await tryStartGame(async () => {
            await seatsRequest;
            setState({ analysis: { isOn: false } });
            const setup = {
                game, options: ruleValues(), players: chosenPlayers(), level: level.value,
                seconds: Number(seconds.value), clock: chosenClock(), fairStart: start.value,
            };
            await startNewGame(setup);
            rememberSetup(setup);
        });
    });
    return () => {
        panel.open = false;
        show(state.game.setup, sideWords());
        dialog.showModal();
        /** @type {HTMLElement | null} */ (games.querySelector(":checked"))?.focus();
        // A browser may keep the previous scroll position.
        dialog.scrollTop = 0;
    };
}

/**
 * Requests the sides and teams under these rules, and the ways to begin. Players who win together are a team. To find
 * the teams, the page lets each player resign and compares the winners.
 *
 * @param {{ game: string, options: Record<string, string> }} rules
 * @returns {Promise<SidesAndTeams & { starts: Starts }>}
 */
async function fetchSeats(rules) {
    const { status, starts } = await sendRequest({ ...rules, ask: ["status", "starts"] });
    const players = /** @type {string[]} */ (status.players);
    // If each player resigns alone, there are no teams.
    const isAlone = status.may.resign.every((/** @type {string} */ side) => players.includes(side));
    const winners = await Promise.all((isAlone ? [] : players).map(async (resign) =>
        (await sendRequest({ ...rules, end: { resign }, ask: "status" })).status.winner));
    const teams = [...new Set(winners)].map((winner) => players.filter((_, side) => winners[side] === winner));
    return { sides: players, teams, starts };
}

/**
 * Returns the choices of players in the order of the list. People play one side, one team, all
 * sides, or no side. The last choice is a random side.
 *
 * @param {string[]} players
 * @param {string[][]} teams
 * @returns {Pairing[]}
 */
export function playerChoices(players, teams) {
    const seated = (/** @type {(side: string) => boolean} */ isPerson) =>
        players.map((side) => /** @type {Player} */ (isPerson(side) ? "person" : "engine"));
    return [
        ...players.map((side, index) =>
            ({ name: TEXT.pairing(side, index), players: seated((other) => other === side) })),
        ...teams.map((team) => ({ name: TEXT.team(team), players: seated((side) => team.includes(side)) })),
        { name: TEXT.people(players.length), players: seated(() => true) },
        { name: TEXT.engines, players: seated(() => false) },
        { name: TEXT.randomSide, players: null },
    ];
}

/** Returns the players of a game in which one person plays a random side. @param {number} count The number of sides. */
export function playersWithRandomSeat(count) {
    const seat = Math.floor(Math.random() * count);
    return Array.from({ length: count }, (_, side) => /** @type {Player} */ (side === seat ? "person" : "engine"));
}

/** Returns the value of an option in words. @param {Option} option @param {string} value */
function valueText({ type }, value) {
    const words = /** @type {Record<string, string>} */ (type === "check" ? { false: TEXT.no, true: TEXT.yes } : {});
    return words[value] ?? TEXT.values[value] ?? value;
}

/** Creates a field for the value of an option. @param {Option} rule @param {string} value */
function createField(rule, value) {
    const { name, type, values, min, max } = rule;
    if (type === "spin") return html("input", { name, type: "number", min, max, value, required: true });
    const entries = (values ?? ["false", "true"]).map((word) =>
        html("option", { value: word }, valueText(rule, word)));
    const select = html("select", { name }, ...entries);
    select.value = value;
    return select;
}
