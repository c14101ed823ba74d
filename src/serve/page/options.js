/** @import { GameName, Option } from "./types.js" */
/** @import { Session } from "./session.js" */

/**
 * What the engine can be set to, and the games that it plays.
 *
 * @typedef {{ options: Option[], games: GameName[] }} Catalogue
 */

/**
 * Asks the engine for its options and games.
 *
 * @param {Session} session
 * @returns {Promise<Catalogue>}
 */
export async function catalogue(session) {
    const [options, games] = await Promise.all([session.command("ugi"), session.command("games")]);
    return { options: options.flatMap(parsed), games: games.flatMap(named) };
}

/**
 * The options among these that are rules of a game: those named after it, and then those of all games with these names.
 *
 * @param {Option[]} options
 * @param {string} game
 * @param {string[]} common
 * @returns {Option[]}
 */
export function rulesOf(options, game, common) {
    const prefix = `${game.toLowerCase()}_`;
    const own = options.filter(({ name }) => name.toLowerCase().startsWith(prefix));
    return [...own, ...options.filter(({ name }) => common.includes(name))];
}

/**
 * An option's line, taken apart: `option name N type T default D min A max B var V var W`. Names may hold spaces.
 *
 * @param {string} line
 * @returns {Option[]}
 */
function parsed(line) {
    const match = /^option name (.+?) type (\S+)(?: default (\S*))?(.*)$/.exec(line);
    if (!match) return [];
    const [, name, type, value = "", rest] = match;
    const number = (/** @type {string} */ word) => Number(new RegExp(` ${word} (-?\\d+)`).exec(rest)?.[1] ?? 0);
    const choices = [...rest.matchAll(/ var (\S+)/g)].map((found) => found[1]);
    return [{ name, type, value, choices, min: number("min"), max: number("max") }];
}

/**
 * A line of the list of games: its word, its title, its sides and a summary, with two spaces or more between them.
 *
 * @param {string} line
 * @returns {GameName[]}
 */
function named(line) {
    const [word, title, sides, summary] = line.split(/\s{2,}/);
    return summary === undefined ? [] : [{ word, title, sides: sides.split(", "), summary }];
}
