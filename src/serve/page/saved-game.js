/** @import { End, Setup } from "./types.js" */
import { timesLeft } from "./clock.js";
import { state } from "./state.js";

const KEY = "game";

/** Keeps the game for the time that the tab lives. */
export function keep() {
    // A lesson is not kept, and the game that was going on is kept already.
    if (state.lesson) return;
    const { setup, start, tip, end, root, clocks } = state;
    const moves = tip.path.map(({ move }) => move);
    const game = { setup, start, moves, end, lines: root.texts, times: timesLeft(clocks) };
    try {
        sessionStorage.setItem(KEY, JSON.stringify(game));
    } catch {
        // The browser keeps nothing, or no more: the game goes on all the same.
    }
}

/**
 * The game that was kept: `lines` are the moves of all its lines, variations too; `times` is what the clocks show, in
 * milliseconds.
 *
 * @returns {{ setup: Setup, start: string | null, moves: string[], end: End | null, lines: string[], times: number[] }
 *     | null} Nothing, too, if the browser keeps nothing or something else.
 */
export function kept() {
    try {
        const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
        return found?.setup?.players && Array.isArray(found.moves) && Array.isArray(found.lines)
            && Array.isArray(found.times) ? found : null;
    } catch {
        return null;
    }
}
