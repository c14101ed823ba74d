/** @import { Worth } from "./score.js" */
import { chance, opposite } from "./score.js";

/** A move that loses so much of the chance of winning is a mistake, or a blunder. */
const [MISTAKE, BLUNDER] = [0.1, 0.2];

/**
 * What a move was worth: what the position was worth before and after it, for the side that moved, how much of the
 * chance of winning it has lost, and the best move. The mark is `??`, `?` or nothing.
 *
 * @typedef {{ side: number, best: string, before: Worth, after: Worth, lost: number, mark: string }} Verdict
 */

/**
 * What was found of a position, for the side to move; without a best move if the game is over.
 *
 * @typedef {{ worth: Worth, best: string }} Found
 */

/**
 * Judges a move as `pentarch analyse FILE` does. The value after the best move is that before it, unless the game is
 * over then; after another one it is that of the position which it leads to, by a search of its own.
 *
 * @param {string} move
 * @param {number} side
 * @param {Found} here
 * @param {Found} next
 * @param {number} odds The scale of the game.
 * @returns {Verdict}
 */
export function judge(move, side, { worth: before, best }, { worth }, odds) {
    const after = move === best && !("over" in worth) ? before : opposite(worth);
    const lost = move === best ? 0 : Math.max(0, chance(before, odds) - chance(after, odds));
    return { side, best, before, after, lost, mark: lost >= BLUNDER ? "??" : lost >= MISTAKE ? "?" : "" };
}

/**
 * How well a side has played: the share of its chances that its moves have kept on average, from 0 to 1, and how many
 * mistakes and blunders there were. Nothing for a side that has not moved.
 *
 * @param {Verdict[]} verdicts
 * @param {number} side
 */
export function tally(verdicts, side) {
    const own = verdicts.filter((verdict) => verdict.side === side);
    if (own.length === 0) return null;
    const counted = (/** @type {string} */ mark) => own.filter((verdict) => verdict.mark === mark).length;
    const lost = own.reduce((sum, verdict) => sum + verdict.lost, 0);
    return { accuracy: 1 - lost / own.length, mistakes: counted("?"), blunders: counted("??") };
}

/**
 * The move that lost most, if that was a mistake: its index, that of the last one of several. Moves of the winner
 * turned nothing.
 *
 * @param {Verdict[]} verdicts
 * @param {number} winner The side that has won, or -1.
 * @returns {number | null}
 */
export function turningPoint(verdicts, winner) {
    const losses = verdicts.map(({ side, lost }) => (side === winner ? 0 : lost));
    const most = Math.max(0, ...losses);
    return most >= MISTAKE ? losses.lastIndexOf(most) : null;
}
