/** The clocks of a game. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, gain, isOut, newClocks, run, timeLeft, timesLeft } from "../../src/page/clock.js";

const SETTING = { minutes: 1, increment: 2 };

test("one clock runs, and the others stand", () => {
    const clocks = run(newClocks(SETTING, 2), 0, 1000);
    assert.deepEqual(timesLeft(clocks, 11_000), [50_000, 60_000]);
    const other = run(clocks, 1, 11_000);
    assert.deepEqual(timesLeft(other, 12_000), [50_000, 59_000]);
    assert.deepEqual(timesLeft(run(other, -1, 12_000), 99_000), [50_000, 59_000]);
});

test("a side that has moved gains time, unless it has none left", () => {
    const clocks = run(newClocks(SETTING, 2), 0, 0);
    assert.deepEqual(timesLeft(gain(clocks, 0, 10_000)), [52_000, 60_000]);
    const late = gain(clocks, 0, 61_000);
    assert.deepEqual([timesLeft(late), isOut(late)], [[0, 60_000], true]);
});

test("without clocks no time passes", () => {
    const clocks = run(newClocks(null, 4), 2, 0);
    assert.deepEqual([clocks.running, timeLeft(clocks, 2, 5000), isOut(clocks)], [-1, 0, false]);
});

test("the last ten seconds are shown in tenths", () => {
    assert.deepEqual([247_000, 10_001, 9_940, 0].map(clockText), ["4:07", "0:11", "9.9", "0.0"]);
});
