/** The problem of the day. It is the same for everybody. Each day has a new problem until all were shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dailyProblemIndex } from "../../src/page/learn/problem-of-day.js";

test("each day has one problem at all hours, and each problem comes once", () => {
    for (const count of [1, 2, 63, 108, 200]) {
        const days = Array.from({ length: count }, (_, day) => dailyProblemIndex(count, new Date(2026, 10, 25 + day)));
        assert.equal(new Set(days).size, count);
        assert.ok(days.every((index) => Number.isInteger(index) && index >= 0 && index < count));
        const [early, late] = [[0, 1], [23, 59]].map((time) => new Date(2026, 10, 25, ...time));
        assert.equal(dailyProblemIndex(count, early), dailyProblemIndex(count, late));
    }
    const inARow = [25, 26, 27].map((day) => dailyProblemIndex(200, new Date(2026, 10, day)));
    assert.deepEqual(inARow, [114, 41, 168]);
});
