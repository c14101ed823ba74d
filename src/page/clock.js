/** @import { Clocks, Setup } from "./types.js" */

/**
 * The clocks at the beginning of a game, not running.
 *
 * @param {Setup["clock"]} setting `null` for no clocks.
 * @param {number} sides How many there are.
 * @returns {Clocks}
 */
export function newClocks(setting, sides) {
    return { setting, left: Array(sides).fill((setting?.minutes ?? 0) * 60_000), running: -1, since: 0 };
}

/** The milliseconds that a side has left. @param {Clocks} clocks @param {number} side @param {number} now */
export function timeLeft({ left, running, since }, side, now = performance.now()) {
    return Math.max(0, left[side] - (side === running ? now - since : 0));
}

/** What all sides have left, in milliseconds. @param {Clocks} clocks */
export const timesLeft = (clocks, now = performance.now()) => clocks.left.map((_, side) => timeLeft(clocks, side, now));

/**
 * The same clocks, of which that of one side runs from now on.
 *
 * @param {Clocks} clocks
 * @param {number} side -1 stops all.
 * @returns {Clocks}
 */
export function run(clocks, side, now = performance.now()) {
    return { ...clocks, left: timesLeft(clocks, now), running: clocks.setting ? side : -1, since: now };
}

/**
 * The same clocks, standing, after a side has moved: it gains something, unless its time has run out.
 *
 * @param {Clocks} clocks
 * @param {number} side
 * @returns {Clocks}
 */
export function gain(clocks, side, now = performance.now()) {
    const standing = run(clocks, -1, now);
    const more = 1000 * (clocks.setting?.increment ?? 0);
    return { ...standing, left: standing.left.map((time, other) => (other === side && time > 0 ? time + more : time)) };
}

/** Whether a side has no time left. @param {Clocks} clocks */
export const isOut = (clocks, now = performance.now()) => clocks.setting !== null && timesLeft(clocks, now).includes(0);

/** A time as a clock shows it: 4:07, or 9.3 in the last ten seconds. @param {number} milliseconds */
export function clockText(milliseconds) {
    if (milliseconds < 10_000) return (milliseconds / 1000).toFixed(1);
    const seconds = Math.ceil(milliseconds / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
