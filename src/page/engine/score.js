/** @import { ReviewedWorth, Score } from "../core/types.js" */
import { sideWords, state, TEXT, viewedScene, viewOfNode } from "../core/index.js";

/** The least score of a win by repetition. */
const REPETITION_SCORE = 19_500;
/** The least score of a win by tables without distances. */
const TABLE_SCORE = 15_000;
/** The least score of a win by tables of similar rules. */
const LIKELY_SCORE = 7_000;

/** The half points of a side at the end of a game, by the words of a review. */
const HALF_POINTS = /** @type {Record<string, number>} */ ({ lost: 0, drawn: 1, won: 2 });

/** Returns the score for the other side. @param {Score} score @returns {Score} */
export function negateScore({ cp, mate, halfPoints, proven, rank, chance }) {
    const negate = (/** @type {number | null | undefined} */ number) => (number ? -number : number);
    return {
        cp: negate(cp), mate: negate(mate), proven, rank,
        halfPoints: halfPoints === undefined ? halfPoints : 2 - halfPoints,
        chance: chance === null ? null : 1 - chance,
    };
}

/**
 * Converts the value of a position in a review.
 *
 * @param {ReviewedWorth} value
 * @param {number} winRateScale The win rate scale of the game.
 * @returns {Score | null} `null` if the value is unknown.
 */
export function scoreOfReviewValue(value, winRateScale) {
    if (value === null) return null;
    if (typeof value === "string") return { halfPoints: HALF_POINTS[value], chance: HALF_POINTS[value] / 2 };
    if ("mate" in value) return { cp: null, mate: value.mate, chance: Number(value.mate > 0) };
    return { cp: value.cp, mate: null, chance: 1 / (1 + Math.exp(-value.cp / winRateScale)) };
}

/** Returns the score of the finished game for the first side. @returns {Score} */
export function finishedGameScore() {
    const { winner } = viewOfNode(state.game.viewedNode).status;
    const halfPoints = winner === null ? 1 : winner === sideWords()[0] ? 2 : 0;
    return { halfPoints, chance: halfPoints / 2 };
}

/**
 * Returns the perspective of the scores of the viewed position. With two sides, this is the first
 * side. With more sides, it is the side to move.
 *
 * @returns {{ names: string[], isNegated: boolean }} The words of that side and its opponent, and whether the opponent
 * is to move. In that case scores of the side to move must be negated.
 */
export function scorePerspective() {
    const { turn } = viewedScene();
    if (sideWords().length === 2) return { names: sideWords(), isNegated: turn === sideWords()[1] };
    return { names: [turn ?? "", TEXT.anotherSide], isNegated: false };
}

/** Converts a score of the side to move to a perspective. @param {Score} score @param {boolean} isNegated */
export const scoreFromPerspective = (score, isNegated) => (isNegated ? negateScore(score) : score);

/** Formats a score. @param {Score} score For the first of these sides. @param {string[]} names Two sides. */
export function formatScore({ cp, mate, halfPoints, proven, rank }, names) {
    const winner = (/** @type {number} */ number) => TEXT.side(names[number > 0 ? 0 : 1]);
    if (halfPoints !== undefined) return halfPoints === 1 ? TEXT.drawnGame : TEXT.hasWon(winner(halfPoints - 1));
    if (typeof mate === "number") return TEXT.winsIn(winner(mate), Math.abs(mate));
    if (typeof cp !== "number") return TEXT.unknown;
    if (cp === 0 && proven) return TEXT.drawn;
    if (Math.abs(cp) >= REPETITION_SCORE) return TEXT.winsByRepetition(winner(cp));
    if (Math.abs(cp) >= TABLE_SCORE) return TEXT.winsByTables(winner(cp), proven, rank);
    return Math.abs(cp) >= LIKELY_SCORE ? TEXT.winsLikely(winner(cp)) : formatCentipawns(cp);
}

/**
 * Formats a score for the evaluation bar and the list of lines, which have little space.
 *
 * @param {Score} score For the first of these sides.
 * @param {string[]} names Two sides.
 */
export function formatShortScore(score, names) {
    const { mate } = score;
    return typeof mate === "number" ? TEXT.inMoves(TEXT.side(names[mate > 0 ? 0 : 1]), Math.abs(mate))
        : formatScore(score, names);
}

/** @param {number} cp */
function formatCentipawns(cp) {
    return `${cp < 0 ? "−" : "+"}${(Math.abs(cp) / 100).toFixed(2)}`;
}
