/** @import { Clocks, Setup } from "../core/types.js" */

/**
 * Returns stopped clocks with their initial times.
 *
 * @param {Setup["clock"]} setting `null` for no clocks.
 * @param {number} sides The number of sides.
 * @returns {Clocks}
 */
export function createClocks(setting, sides) {
    return { setting, left: Array(sides).fill((setting?.minutes ?? 0) * 60_000), running: -1, since: 0 };
}

/** Returns the remaining milliseconds of a side. @param {Clocks} clocks @param {number} side @param {number} now */
export function timeLeft({ left, running, since }, side, now = performance.now()) {
    return Math.max(0, left[side] - (side === running ? now - since : 0));
}

/** Returns the remaining milliseconds of all sides. @param {Clocks} clocks */
export const timeLeftPerSide = (clocks, now = performance.now()) => clocks.left.map((_, side) => timeLeft(clocks,
    side, now));

/**
 * Returns the clocks, with the clock of one side running from now on.
 *
 * @param {Clocks} clocks
 * @param {number} side The side, or -1 to stop all clocks.
 * @returns {Clocks}
 */
export function clocksWithRunningSide(clocks, side, now = performance.now()) {
    return { ...clocks, left: timeLeftPerSide(clocks, now), running: clocks.setting ? side : -1, since: now };
}

/**
 * Returns stopped clocks after a side has moved. The side gains the increment if its time is not
 * up.
 *
 * @param {Clocks} clocks
 * @param {number} side
 * @returns {Clocks}
 */
export function stoppedClocksAfterMove(clocks, side, now = performance.now()) {
    const stopped = clocksWithRunningSide(clocks, -1, now);
    const more = 1000 * (clocks.setting?.increment ?? 0);
    return { ...stopped, left: stopped.left.map((time, other) => (other === side && time > 0 ? time + more : time)) };
}

/** Returns whether the time of a side is up. @param {Clocks} clocks */
export function isTimeUp(clocks, now = performance.now()) {
    return clocks.setting !== null && timeLeftPerSide(clocks, now).includes(0);
}

/** Formats a time for a clock: 4:07, or 9.3 in the last ten seconds. @param {number} milliseconds */
export function formatClock(milliseconds) {
    if (milliseconds < 10_000) return (milliseconds / 1000).toFixed(1);
    const seconds = Math.ceil(milliseconds / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
