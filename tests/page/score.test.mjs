/** Scores in words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { shouldReplaceAnalysisLines } from "../../src/page/analysis/analysis.js";
import { formatScore, formatShortScore, scoreFromPerspective, negateScore, scoreOfReviewValue } from
    "../../src/page/engine/score.js";

const SIDES = ["white", "black"];
const estimate = (cp, proven = false) => ({ cp, mate: null, proven, chance: 0.5 });

test("formats scores for people", () => {
    for (const [worth, words] of [
        [estimate(35), "+0.35"], [estimate(-140), "−1.40"], [estimate(0), "+0.00"],
        [estimate(0, true), "drawn, proven"],
        [estimate(9800), "White most likely wins"], [estimate(-18_990), "Black wins, by tables"],
        [estimate(-18_990, true), "Black wins, by tables, proven"],
        [{ ...estimate(18_990, true), rank: 12 }, "White wins, by tables with rank 12, proven"],
        [estimate(19_990), "White wins by repetition"], [{ mate: 1, chance: 1 }, "White wins in 1 move, proven"],
        [{ mate: -3, chance: 0 }, "Black wins in 3 moves, proven"], [{ halfPoints: 2, chance: 1 }, "White has won"],
        [{ halfPoints: 1, chance: 0.5 }, "the game is drawn"],
        [{ cp: null, mate: null, chance: null }, "not known yet"],
    ]) assert.equal(formatScore(worth, SIDES), words);
});

test("the bar names the winner and the number of moves", () => {
    for (const [worth, text] of [
        [estimate(-35), "−0.35"], [{ mate: -2, chance: 0 }, "Black in 2"], [{ mate: 1, chance: 1 }, "White in 1"],
        [estimate(0, true), "drawn, proven"],
    ]) assert.equal(formatShortScore(worth, ["white", "black"]), text);
});

test("negating a score twice gives the same score", () => {
    const worth = { cp: 20, mate: null, halfPoints: undefined, proven: false, rank: 3, chance: 0.75 };
    assert.deepEqual([negateScore(worth).cp, negateScore(worth).chance], [-20, 0.25]);
    assert.deepEqual(negateScore(negateScore(worth)), worth);
    assert.equal(scoreFromPerspective({ halfPoints: 2, chance: 1 }, true).halfPoints, 0);
    assert.deepEqual(scoreFromPerspective(worth, false), worth);
});

test("converts the values of a review", () => {
    assert.equal(scoreOfReviewValue(null, 100), null);
    assert.deepEqual(["won", "drawn", "lost"].map((word) => scoreOfReviewValue(word, 100)?.chance), [1, 0.5, 0]);
    assert.deepEqual([scoreOfReviewValue({ mate: -4 }, 100)?.chance, scoreOfReviewValue({ cp: 0 }, 100)?.chance], [0,
        0.5]);
    assert.ok(Math.abs(scoreOfReviewValue({ cp: 100 }, 100).chance - 0.731) < 0.001);
});

test("a new search replaces an old one as soon as it is as deep", () => {
    const lines = (count, depth) => Array.from({ length: count }, () => ({ depth }));
    assert.equal(shouldReplaceAnalysisLines(lines(3, 2), lines(3, 7), 3), false);
    assert.equal(shouldReplaceAnalysisLines(lines(3, 7), lines(3, 7), 3), true);
    assert.equal(shouldReplaceAnalysisLines(lines(3, 1), lines(2, 7), 3), true);
    assert.equal(shouldReplaceAnalysisLines(lines(2, 7), lines(5, 7), 2), true);
    assert.equal(shouldReplaceAnalysisLines([], [], 3), false);
});
