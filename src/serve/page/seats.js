/** @import { Rights } from "./rights.js" */
/** @import { Player } from "./types.js" */
import { teams } from "./rights.js";
import { TEXT } from "./strings.js";

/**
 * Who may play, in the order of the list of choices: a person at one of the sides, the people of a team, all people, or
 * none.
 *
 * @param {string[]} sides
 * @param {Rights["winners"]} winners
 * @returns {{ name: string, players: Player[] }[]}
 */
export function pairings(sides, winners) {
    const seated = (/** @type {(side: string) => boolean} */ isPerson) =>
        sides.map((side) => /** @type {Player} */ (isPerson(side) ? "person" : "engine"));
    return [
        ...sides.map((side, index) => ({ name: TEXT.pairing(side, index), players: seated((other) => other === side) })),
        ...teams(winners).map((team) => ({ name: TEXT.team(team), players: seated((side) => team.includes(side)) })),
        { name: TEXT.people(sides.length), players: seated(() => true) },
        { name: TEXT.engines, players: seated(() => false) },
    ];
}

/**
 * Who plays among so many sides, after somebody has chosen for another number of them: all people, all engines, or one
 * person, at the same side if there is such a one.
 *
 * @param {Player[]} players
 * @param {number} count
 * @returns {Player[]}
 */
export function reseated(players, count) {
    if (players.length === count) return players;
    const only = players.every((player) => player === players[0]) ? players[0] : "engine";
    const reseated = Array(count).fill(only);
    const person = players.indexOf("person");
    if (person >= 0) reseated[person < count ? person : 0] = "person";
    return reseated;
}
