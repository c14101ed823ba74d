/** @import { Setup } from "./types.js" */

/** The time that each side has left. */
export class Clock {
    /** @type {Setup["clock"]} */
    setting = null;
    /** Called several times a second while a clock runs. */
    shown = () => {};
    /** @type {(side: number) => void} Called when a side has no time left. */
    expired = () => {};
    /** @type {number[]} */
    #left = [];
    #running = -1;
    #since = 0;
    #timer = 0;

    /**
     * Sets all clocks to the start, not running.
     *
     * @param {Setup["clock"]} setting `null` for no clocks.
     * @param {number} sides How many there are.
     */
    set(setting, sides) {
        this.run(-1);
        this.setting = setting;
        this.#left = Array(sides).fill((setting?.minutes ?? 0) * 60_000);
        this.shown();
    }

    /** What all sides have left, in milliseconds. */
    get times() {
        return this.#left.map((_, side) => this.left(side));
    }

    set times(times) {
        if (times.length !== this.#left.length) return;
        this.#left = times;
        this.#since = performance.now();
        this.shown();
    }

    /** @param {number} side */
    left(side) {
        return Math.max(0, this.#left[side] - (side === this.#running ? performance.now() - this.#since : 0));
    }

    /** Whether a side has no time left. */
    get out() {
        return this.setting !== null && this.#left.some((_, side) => this.left(side) === 0);
    }

    /**
     * A side has moved: what it gains for that, unless its time has run out.
     *
     * @param {number} side
     */
    moved(side) {
        if (this.setting && this.#left[side] > 0) this.#left[side] += this.setting.increment * 1000;
    }

    /**
     * Lets the time of one side run, and stops that of all others.
     *
     * @param {number} side -1 stops all.
     */
    run(side) {
        if (this.#running >= 0) this.#left[this.#running] = this.left(this.#running);
        clearInterval(this.#timer);
        this.#running = this.setting ? side : -1;
        this.#since = performance.now();
        if (this.#running >= 0) this.#timer = setInterval(() => this.#tick(), 100);
        this.shown();
    }

    #tick() {
        const side = this.#running;
        this.shown();
        if (this.left(side) > 0) return;
        this.run(-1);
        this.expired(side);
    }
}

/**
 * A time as a clock shows it: 4:07, or 9.3 in the last ten seconds.
 *
 * @param {number} milliseconds
 */
export function clockText(milliseconds) {
    if (milliseconds < 10_000) return (milliseconds / 1000).toFixed(1);
    const seconds = Math.ceil(milliseconds / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
