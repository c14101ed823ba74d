/** @import { Game } from "./game.js" */
/** @import { Setup } from "./types.js" */

const KEY = "game";

/**
 * A game as it is kept for the time that the tab lives. `lines` are the moves of all its lines, variations too.
 *
 * @typedef {{ setup: Setup, start: string, moves: string[], end: string | null, lines: string[] }} Kept
 */

/** @param {Game} game */
export function keep({ setup, start, moves, end, root }) {
    const kept = { setup, start, moves: moves.map(({ move }) => move), end, lines: root.texts };
    sessionStorage.setItem(KEY, JSON.stringify(kept));
}

/** @returns {Kept | null} */
export function kept() {
    const text = sessionStorage.getItem(KEY);
    return text === null ? null : JSON.parse(text);
}
