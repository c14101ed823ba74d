/** The clocks of a game. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clocksWithRunningSide, createClocks, formatClock, isTimeUp, stoppedClocksAfterMove, timeLeft, timeLeftPerSide }
    from "../../src/page/game/clock.js";

const SETTING = { minutes: 1, increment: 2 };

test("one clock runs, and the others are stopped", () => {
    const clocks = clocksWithRunningSide(createClocks(SETTING, 2), 0, 1000);
    assert.deepEqual(timeLeftPerSide(clocks, 11_000), [50_000, 60_000]);
    const other = clocksWithRunningSide(clocks, 1, 11_000);
    assert.deepEqual(timeLeftPerSide(other, 12_000), [50_000, 59_000]);
    assert.deepEqual(timeLeftPerSide(clocksWithRunningSide(other, -1, 12_000), 99_000), [50_000, 59_000]);
});

test("a side that has moved gains time, unless it has none left", () => {
    const clocks = clocksWithRunningSide(createClocks(SETTING, 2), 0, 0);
    assert.deepEqual(timeLeftPerSide(stoppedClocksAfterMove(clocks, 0, 10_000)), [52_000, 60_000]);
    const late = stoppedClocksAfterMove(clocks, 0, 61_000);
    assert.deepEqual([timeLeftPerSide(late), isTimeUp(late)], [[0, 60_000], true]);
});

test("without clocks no time passes", () => {
    const clocks = clocksWithRunningSide(createClocks(null, 4), 2, 0);
    assert.deepEqual([clocks.running, timeLeft(clocks, 2, 5000), isTimeUp(clocks)], [-1, 0, false]);
});

test("the last ten seconds are shown in tenths", () => {
    assert.deepEqual([247_000, 10_001, 9_940, 0].map(formatClock), ["4:07", "0:11", "9.9", "0.0"]);
});
