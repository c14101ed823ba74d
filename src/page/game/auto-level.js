/** @import { PersonResult } from "../core/types.js" */
import { state, TEXT } from "../core/index.js";

/**
 * The level "auto", which adapts to the results of the person. After each game it moves half a step, so that the person
 * wins about half of the games. Half-way between two levels, the engine makes every other move at the lower one. Each
 * game has its own level, because people are not equally good at all games.
 */

/** The word that chooses this level. */
export const AUTO_LEVEL = "auto";
/** The key of the levels in the local storage: half steps above the lowest level, by the words of the games. */
const STORAGE_KEY = "auto-levels";

/** Returns the levels of the engine, the lowest first. */
const levelNames = () => state.engine.options.find(({ name }) => name === "Level")?.values ?? [];
const highest = () => 2 * (levelNames().length - 1);

/** @returns {Record<string, unknown>} */
function storedLevels() {
    try {
        return Object(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}"));
    } catch {
        return {};
    }
}

/** The levels that this page has changed. They apply even if the browser stores nothing. @type {Map<string, number>} */
const changedLevels = new Map();

/** Returns the level of a game in half steps. @param {string} game */
function halfSteps(game) {
    const stored = changedLevels.get(game) ?? storedLevels()[game];
    const isValid = Number.isInteger(stored) && Number(stored) >= 0;
    return isValid ? Math.min(Number(stored), highest()) : 0;
}

/** Returns the engine's level for a move. @param {string} level @param {string} game @param {number} round */
export const levelOfMove = (level, game, round) =>
    (level === AUTO_LEVEL ? levelNames()[Math.floor((halfSteps(game) + round % 2) / 2)] : level);

/** Returns the level "auto" of a game in words. @param {string} game */
export const autoLevelText = (game) =>
    TEXT.levelBetween(...new Set([0, 1].map((round) => levelOfMove(AUTO_LEVEL, game, round))));

/**
 * Changes the level "auto" after a game.
 *
 * @param {string} game
 * @param {PersonResult} result
 * @returns {string} A sentence about the next game.
 */
export function adaptAutoLevel(game, result) {
    const old = halfSteps(game);
    const now = Math.min(Math.max(old + { won: 1, lost: -1, drawn: 0 }[result], 0), highest());
    changedLevels.set(game, now);
    try {
        localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...storedLevels(), [game]: now }));
    } catch {
        // The browser stores nothing. The level then applies until the page is closed.
    }
    return TEXT.nextGame(now - old, autoLevelText(game));
}
