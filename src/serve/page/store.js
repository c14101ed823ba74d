/** @import { Clock } from "./clock.js" */
/** @import { Game } from "./game.js" */
/** @import { Setup } from "./types.js" */

const KEY = "game";

/**
 * A game as it is kept for the time that the tab lives. `lines` are the moves of all its lines, variations too; `times`
 * is what the clocks show, in milliseconds.
 *
 * @typedef {{ setup: Setup, start: string, moves: string[], end: string | null, lines: string[], times: number[] }} Kept
 */

/**
 * @param {Game} game
 * @param {Clock} clock
 */
export function keep({ setup, start, moves, end, root }, { times }) {
    const kept = { setup, start, moves: moves.map(({ move }) => move), end, lines: root.texts, times };
    try {
        sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
        // The browser keeps nothing, or no more: the game goes on all the same.
    }
}

/** @returns {Kept | null} Nothing, too, if the browser keeps nothing or something else. */
export function kept() {
    try {
        const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
        return found?.setup?.players && Array.isArray(found.moves) && Array.isArray(found.lines)
            && Array.isArray(found.times) ? found : null;
    } catch {
        return null;
    }
}
