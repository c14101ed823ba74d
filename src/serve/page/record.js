/** @import { Rights } from "./rights.js" */

/** The last word of an outcome that players make, and the command that makes it. */
const ENDS = /** @type {Record<string, string>} */ ({ resignation: "resign", time: "flag", agreement: "agree" });

/**
 * Takes a game record apart, as the command `record` prints it.
 *
 * @param {string} text
 * @returns {{ fen: string | null, moves: string[], outcome: string }}
 */
export function parseRecord(text) {
    const tag = (/** @type {string} */ name) => new RegExp(`^\\[${name} "(.*)"\\]$`, "m").exec(text)?.[1] ?? null;
    const words = text.replace(/^\[.*\]$/gm, "").split(/\s+/);
    // People may have marked moves.
    const moves = words.flatMap((word) => /^([a-zA-Z0-9]+)[+#≠=≡!?]*$/.exec(word)?.[1] ?? []);
    return { fen: tag("Fen"), moves, outcome: tag("Outcome") ?? "" };
}

/**
 * The command by which a player has ended the game, if one has.
 *
 * @param {string} outcome
 * @param {Rights["winners"]} winners
 */
export function ending(outcome, winners) {
    const words = outcome.split(" ");
    const command = ENDS[words[words.length - 1]];
    if (command === undefined || command === "agree") return command ?? null;
    const loser = [...winners.keys()].find((side) => winners.get(side) === words[1]);
    return `${command} ${loser}`;
}
