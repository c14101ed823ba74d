/** The problems that the user has solved. This browser stores them by game and FEN. */

const STORAGE_KEY = "solved";

/** Returns the entry of a problem. @param {string} game @param {string} fen */
const entryOf = (game, fen) => `${game} ${fen}`;

/** The solved problems, even if the browser stores nothing. @type {Set<string>} */
let solved = new Set();

/** Loads the stored problems. Another tab may have changed them. */
export function loadSolvedProblems() {
    try {
        const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
        const names = (Array.isArray(stored) ? stored : []).filter((name) => typeof name === "string");
        solved = new Set([...solved, ...names]);
    } catch {
        // The storage is blocked or invalid. Only problems that are solved from now on count.
    }
}

/** Returns whether a problem is solved. @param {string} game @param {string} fen */
export const isProblemSolved = (game, fen) => solved.has(entryOf(game, fen));

/** Stores that a problem is solved. @param {string} game @param {string} fen @returns {boolean} Whether that worked. */
export function saveSolvedProblem(game, fen) {
    loadSolvedProblems();
    solved.add(entryOf(game, fen));
    try {
        localStorage.setItem(STORAGE_KEY, JSON.stringify([...solved]));
        return true;
    } catch {
        return false;
    }
}
