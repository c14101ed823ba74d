/** @import { Scene } from "./types.js" */
import { TEXT } from "./strings.js";

/**
 * What a position is worth for one of two sides: an estimate in centipawns, which is exact where it says so; a proven
 * win, or with a negative number a loss, in so many moves; or the end of the game with so many half points.
 *
 * @typedef {{ cp: number, exact?: boolean } | { mate: number } | { over: number }} Worth
 */

/**
 * A move that the engine has found, best first: what it is worth for the side to move, how deep that was searched, and
 * the moves that are expected, this one first.
 *
 * @typedef {{ worth: Worth, depth: number, moves: string[] }} Line
 */

/** Scores from here on are wins by repetition, by tables without distances, and by tables of similar rules. */
const [REPETITION, TABLES, LIKELY] = [19_500, 15_000, 7_000];

/**
 * What a line of a search says, if it has a score and moves.
 *
 * @param {string} line
 * @returns {{ rank: number, line: Line } | null}
 */
export function parseInfo(line) {
    const match = /\bdepth (\d+).*?\bmultipv (\d+) score (cp|mate) (-?\d+) nodes (\d+).*?\btbhits (\d+).*?\bpv (.+)/
        .exec(line);
    if (!match) return null;
    const [depth, rank, number, nodes, hits] = [1, 2, 4, 5, 6].map((index) => Number(match[index]));
    // Where tables know every position that was looked at, a draw is exact.
    const exact = number === 0 && nodes > 0 && nodes === hits;
    const worth = match[3] === "mate" ? { mate: number } : { cp: number, exact };
    return { rank, line: { worth, depth, moves: match[7].trim().split(" ") } };
}

/**
 * The lines that are known after another one was reported. An iteration that is not finished may report a new best move
 * and nothing else; the other moves then keep their order behind it.
 *
 * @param {Line[]} lines
 * @param {{ rank: number, line: Line }} report
 * @returns {Line[]}
 */
export function withReport(lines, { rank, line }) {
    const others = lines.filter(({ moves }) => moves[0] !== line.moves[0]);
    return [...others.slice(0, rank - 1), line, ...others.slice(rank - 1)];
}

/** The same for the other side. @param {Worth} worth @returns {Worth} */
export function opposite(worth) {
    if ("over" in worth) return { over: 2 - worth.over };
    return "mate" in worth ? { mate: -worth.mate } : { ...worth, cp: 0 - worth.cp };
}

/**
 * What the end of a game is worth for a side.
 *
 * @param {string} outcome As `query outcome` says.
 * @param {string} side Its word.
 * @returns {Worth}
 */
export function ended(outcome, side) {
    const [kind, winner] = outcome.split(" ");
    return { over: kind !== "win" ? 1 : winner === side ? 2 : 0 };
}

/**
 * The chance of winning, where a draw counts half.
 *
 * @param {Worth} worth
 * @param {number} odds The scale of the game, as `query board` says.
 */
export function chance(worth, odds) {
    if ("over" in worth) return worth.over / 2;
    return "mate" in worth ? Number(worth.mate > 0) : 1 / (1 + Math.exp(-worth.cp / odds));
}

/**
 * The view from which scores are shown: that of the first of two sides; of more, that of the side to move.
 *
 * @param {Scene} scene
 * @param {string[]} sides
 * @returns {{ names: string[], turned: boolean }} The words of that side and of its opponent, and whether it is not to
 * move.
 */
export function view({ turn }, sides) {
    if (sides.length === 2) return { names: sides, turned: turn === sides[1] };
    return { names: [turn ?? "", TEXT.anotherSide], turned: false };
}

/**
 * In words for people.
 *
 * @param {Worth} worth For the first of these sides.
 * @param {string[]} names Two sides.
 */
export function named(worth, names) {
    const winner = (/** @type {number} */ number) => TEXT.side(names[number > 0 ? 0 : 1]);
    if ("over" in worth) return worth.over === 1 ? TEXT.drawnGame : TEXT.hasWon(winner(worth.over - 1));
    if ("mate" in worth) return TEXT.winsIn(winner(worth.mate), Math.abs(worth.mate));
    const { cp, exact } = worth;
    if (exact) return TEXT.drawn;
    if (Math.abs(cp) >= REPETITION) return TEXT.winsByRepetition(winner(cp));
    if (Math.abs(cp) >= TABLES) return TEXT.winsByTables(winner(cp));
    return Math.abs(cp) >= LIKELY ? TEXT.winsLikely(winner(cp)) : centipawns(cp);
}

/**
 * In few letters, for the board: an estimate is shown from the usual view, a win or a loss is the mover's.
 *
 * @param {Worth} worth For the side to move.
 * @param {boolean} turned Whether the view is another side's.
 */
export function brief(worth, turned) {
    if ("over" in worth) return TEXT.halfPoints[worth.over];
    if ("mate" in worth) return worth.mate > 0 ? TEXT.win(worth.mate) : TEXT.loss(-worth.mate);
    if (worth.exact) return TEXT.draw;
    if (Math.abs(worth.cp) >= LIKELY) return TEXT.halfPoints[worth.cp > 0 ? 2 : 0];
    return centipawns(turned ? 0 - worth.cp : worth.cp);
}

/** @param {number} cp */
function centipawns(cp) {
    return `${cp < 0 ? "−" : "+"}${(Math.abs(cp) / 100).toFixed(2)}`;
}
