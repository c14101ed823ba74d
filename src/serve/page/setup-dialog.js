/** @import { GameName, Option, Player, Setup } from "./types.js" */
import { byId, html } from "./dom.js";
import { begin, reseated } from "./game.js";
import { attempt } from "./position-panel.js";
import { ask } from "./requests.js";
import { change, sides, state } from "./state.js";
import { capital, TEXT } from "./strings.js";

const SECONDS = [1, 2, 5, 10, 30];
const CLOCKS = /** @type {NonNullable<Setup["clock"]>[]} */ ([
    { minutes: 1, increment: 0 }, { minutes: 3, increment: 2 }, { minutes: 5, increment: 5 },
    { minutes: 10, increment: 0 }, { minutes: 30, increment: 0 },
]);

/** @typedef {{ name: string, players: Player[] }} Pairing Who may play. */
/** @typedef {{ sides: string[], teams: string[][] }} Seats The sides by some rules, and which of them are a team. */

/** An option of the engine. @param {string} name */
const option = (name) => /** @type {Option} */ (state.options.find((found) => found.name === name));

/**
 * What a game is begun with if nobody says otherwise. Full strength is said only by choosing it on the page.
 *
 * @returns {Setup}
 */
export function usualSetup(game = String(option("Game").default)) {
    const { default: level, values } = option("Level");
    const isChosen = level !== values?.at(-1);
    const players = /** @type {Player[]} */ (["person", "engine"]);
    return { game, options: {}, players, level: isChosen ? String(level) : "casual", seconds: 2, clock: null };
}

/** Makes the dialog that asks what the next game is to be. @returns {() => void} Opens it. */
export function setupDialog() {
    const select = (/** @type {string} */ id) => byId(`setup-${id}`, HTMLSelectElement);
    const [dialog, fields] = [byId("setup", HTMLDialogElement), byId("setup-rules")];
    const [game, players, level] = [select("game"), select("players"), select("level")];
    const [seconds, clock] = [select("seconds"), select("clock")];
    /** @type {Pairing[]} The choices of who plays. */
    let pairings = [];
    /** @type {Player[]} Who is to play, as it was chosen last. */
    let wanted = [];
    /** Until it is known what the rules say, or cannot be. */
    let known = Promise.resolve();
    /** Counts the changes of the rules, so that only the last answer is shown. */
    let request = 0;

    const choice = (/** @type {string} */ value, /** @type {string} */ text) => html("option", { value }, text);
    game.append(...state.games.map(({ word, name }) => choice(word, name)));
    level.append(...(option("Level").values ?? []).map((name) => choice(name, name)));
    seconds.append(...SECONDS.map((count) => choice(String(count), TEXT.seconds(count))));
    clock.append(choice("", TEXT.noClock), ...CLOCKS.map(({ minutes, increment }, index) =>
        choice(String(index), TEXT.clocks(minutes, increment))));

    const chosen = () => /** @type {GameName} */ (state.games.find(({ word }) => word === game.value));
    const paired = () => pairings[Number(players.value)].players;
    const options = () => Object.fromEntries([...fields.querySelectorAll("input, select")].map((found) => {
        const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (found);
        return [name, value];
    }));
    const offer = (/** @type {Seats} */ seats) => {
        pairings = pairingsOf(seats.sides, seats.teams);
        players.replaceChildren(...pairings.map(({ name }, index) => choice(String(index), name)));
        const taken = reseated(wanted, seats.sides.length).join();
        const index = pairings.findIndex((pairing) => pairing.players.join() === taken);
        players.value = String(Math.max(0, index));
    };
    const fill = (/** @type {Record<string, string>} */ values) => {
        // The options of one game are all rules, and those of all games are if they are so in the game in play.
        const isRule = (/** @type {Option} */ { name, games }) =>
            (games.length === 1 ? games[0] === game.value : name in state.setup.options);
        const rules = state.options.filter(isRule).sort((one, other) => one.games.length - other.games.length);
        fields.replaceChildren(...rules.map((found) => html("label", {},
            html("span", {}, TEXT.common[found.name] ?? TEXT.optionName(found.name)), " ",
            field(found, values[found.name] ?? String(found.default)))));
    };
    const learn = () => {
        const mine = ++request;
        known = seatsBy({ game: game.value, options: options() }).then((seats) => {
            if (mine === request) offer(seats);
        }, () => {});
    };
    const show = (/** @type {Record<string, string>} */ values, /** @type {string[]} */ seats) => {
        byId("setup-summary").textContent = `${capital(chosen().summary)}.`;
        fill(values);
        offer({ sides: seats, teams: [] });
        learn();
    };

    game.addEventListener("change", () => show({}, chosen().sides));
    players.addEventListener("change", () => (wanted = paired()));
    fields.addEventListener("change", learn);
    dialog.addEventListener("close", async () => {
        if (dialog.returnValue !== "begin") return;
        await known;
        change({ analysing: false });
        await attempt(begin({
            game: game.value, options: options(), players: paired(), level: level.value,
            seconds: Number(seconds.value), clock: clock.value === "" ? null : CLOCKS[Number(clock.value)],
        }));
    });
    return () => {
        const { setup } = state;
        game.value = setup.game;
        level.value = setup.level;
        seconds.value = String(setup.seconds);
        const index = CLOCKS.findIndex((found) => JSON.stringify(found) === JSON.stringify(setup.clock));
        clock.value = index < 0 ? "" : String(index);
        wanted = setup.players;
        show(setup.options, sides());
        dialog.returnValue = "";
        dialog.showModal();
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

/** A field for the value of an option. @param {Option} option @param {string} value */
function field({ name, type, values, min, max }, value) {
    if (type === "spin") return html("input", { name, type: "number", min, max, value, required: true });
    const words = /** @type {Record<string, string>} */ (type === "check" ? { false: TEXT.no, true: TEXT.yes } : {});
    const entries = (values ?? Object.keys(words)).map((word) =>
        html("option", { value: word }, words[word] ?? TEXT.values[word] ?? word));
    const select = html("select", { name }, ...entries);
    select.value = value;
    return select;
}
