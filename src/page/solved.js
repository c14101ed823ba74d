/** Which problems somebody has solved, which this browser keeps: the game and the text of the position of each. */

const KEY = "solved";

/** @param {string} game @param {string} fen */
const nameOf = (game, fen) => `${game} ${fen}`;

/** What is known to be solved, also if the browser keeps nothing. @type {Set<string>} */
let solved = new Set();

/** Takes in what is kept, which another tab may have changed. */
export function readSolved() {
    try {
        const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        const names = (Array.isArray(kept) ? kept : []).filter((name) => typeof name === "string");
        solved = new Set([...solved, ...names]);
    } catch {
        // The browser keeps nothing, or something else: what is solved from now on counts.
    }
}

/** @param {string} game @param {string} fen */
export const isSolved = (game, fen) => solved.has(nameOf(game, fen));

/** Keeps that a problem is solved. @param {string} game @param {string} fen @returns {boolean} Whether it is kept. */
export function keepSolved(game, fen) {
    readSolved();
    solved.add(nameOf(game, fen));
    try {
        localStorage.setItem(KEY, JSON.stringify([...solved]));
        return true;
    } catch {
        return false;
    }
}
