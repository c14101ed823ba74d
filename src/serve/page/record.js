/** The last word of an outcome that players make, and the command that makes it. */
const ENDS = /** @type {Record<string, string>} */ ({ resignation: "resign", time: "flag", agreement: "agree" });

/**
 * Takes a game record apart, as the command `record` prints it.
 *
 * @param {string} text
 * @param {string[]} sides The words of the two sides.
 * @returns {{ fen: string | null, moves: string[], end: string | null }} `end` is the command by which a player has
 * ended the game.
 */
export function parseRecord(text, sides) {
    const tag = (/** @type {string} */ name) => new RegExp(`^\\[${name} "(.*)"\\]$`, "m").exec(text)?.[1] ?? null;
    const words = text.replace(/^\[.*\]$/gm, "").split(/\s+/);
    // People may have marked moves.
    const moves = words.flatMap((word) => /^([a-zA-Z0-9]+)[+#≠=≡!?]*$/.exec(word)?.[1] ?? []);
    const outcome = (tag("Outcome") ?? "").split(" ");
    const command = ENDS[outcome[outcome.length - 1]];
    const loser = sides.find((side) => side !== outcome[1]);
    const end = command === undefined ? null : command === "agree" ? command : `${command} ${loser}`;
    return { fen: tag("Fen"), moves, end };
}
