/** @import { Session } from "./session.js" */

/**
 * How the rules let players end a game: whether they can agree on a draw, and who wins when a side resigns, by the
 * words of these sides. A side that cannot resign is not there; nor can it lose by its time.
 *
 * @typedef {{ agreement: boolean, winners: Map<string, string> }} Rights
 */

/**
 * Finds out by trying. All lines go at once, so that no others can come between them.
 *
 * @param {Session} session
 * @param {string} start As in the command `position`; this is the position of the session then.
 * @param {string[]} sides
 * @returns {Promise<Rights>}
 */
export async function rights(session, start, sides) {
    const begun = session.command(`position ${start}`);
    const tried = async (/** @type {string} */ line) => {
        const [, outcome] = await Promise.all([
            session.ask(line), session.query("outcome"), session.command(`position ${start}`),
        ]);
        return outcome;
    };
    const [agreed, ...outcomes] = await Promise.all(["agree", ...sides.map((side) => `resign ${side}`)].map(tried));
    await begun;
    const won = outcomes.map((outcome) => /^win (\S+) resignation$/.exec(outcome)?.[1]);
    return {
        agreement: agreed === "draw agreement",
        winners: new Map(sides.flatMap((side, index) => (won[index] ? [[side, won[index]]] : []))),
    };
}

/**
 * The sides that win together and are not alone: those with the same winner when one of them resigns.
 *
 * @param {Rights["winners"]} winners
 * @returns {string[][]}
 */
export function teams(winners) {
    const sides = [...winners.keys()];
    const all = [...new Set(winners.values())].map((winner) => sides.filter((side) => winners.get(side) === winner));
    return all.filter((team) => team.length > 1);
}
