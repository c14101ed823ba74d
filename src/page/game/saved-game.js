/** @import { SavedGame } from "../core/types.js" */
import { setState, state, subscribe, TEXT, viewOfNode } from "../core/index.js";
import { AUTO_LEVEL } from "./auto-level.js";
import { timeLeftPerSide } from "./clock.js";
import { allLinesFromStart, createSaveInfoOfNewGame, parseGameSetup, recordedMovesAfter } from "./game-file.js";
import { getSavedGame, getSavedGames, prepareStore, saveGames } from "./game-store.js";
import { startGame } from "./game.js";

/**
 * The game of this tab. It is saved after each change.
 *
 * A tab has a lock on its game, and only one tab can have this lock. To continue a game of another
 * tab, a tab steals the lock and then reads the game. The other tab is notified, and no longer
 * writes the game.
 */

/** The key of the tab's game in the session storage. A reloaded page uses it. */
const SESSION_KEY = "game";
/** The outcome of a game that is not over. */
const ONGOING = "ongoing";

/** @type {Map<string, () => void>} The functions that release the tab's locks, by the ids of their games. */
const locks = new Map();
const lockName = (/** @type {string} */ id) => `game ${id}`;

/** Acquires the lock of a game, from another tab if necessary. @param {string} id @returns {Promise<void>} */
function acquireLock(id) {
    if (locks.has(id)) return Promise.resolve();
    return new Promise((done) => {
        navigator.locks.request(lockName(id), { steal: true }, () => new Promise((free) => {
            locks.set(id, () => free(undefined));
            done();
        })).catch(({ name }) => {
            if (name !== "AbortError") {
                // A browser that blocks the page's storage also has no locks. Each tab then has its
                // own games.
                locks.set(id, () => {});
                done();
                return;
            }
            locks.delete(id);
            if (state.game.saveInfo?.id === id) setState({ storage: { isTakenOver: true } });
        });
    });
}

/** Releases all locks except the lock of the current game. */
function releaseOtherLocks() {
    for (const [id, free] of locks) {
        if (id === state.game.saveInfo?.id) continue;
        locks.delete(id);
        free();
    }
}

/** Returns the ids of the games that are open in tabs. @returns {Promise<Set<string>>} */
export async function gameIdsOpenInTabs() {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.map(({ name = "" }) => name.replace(lockName(""), "")));
}

/** Returns the current game in the form of a saved game. @returns {SavedGame} */
export function currentSavedGame() {
    const { setup, start, root, tip, end, clocks, tags } = state.game;
    const { game, options, players, level, seconds, clock, fairStart } = setup;
    // A lesson or an exercise has no identity.
    const { id, name, begun } = state.game.saveInfo ?? createSaveInfoOfNewGame();
    return {
        id, name, begun, changed: new Date().toISOString(), game, options, players, level, seconds, clock,
        times: timeLeftPerSide(clocks), start, moves: recordedMovesAfter(root), played: tip.ply, end,
        outcome: viewOfNode(tip).scene.outcome, ...(tags.length > 0 ? { tags } : {}),
        ...(fairStart ? { fairStart } : {}),
    };
}

/** Saves the game after each change. */
export function setUpAutosave() {
    prepareStore();
    subscribe(() => [state.game.root], () => {
        const { saveInfo } = state.game;
        // An overlay is not saved. The suspended game stays the game of the tab.
        if (!saveInfo) return;
        if (!saveInfo.isStored) void acquireLock(saveInfo.id);
        if (saveInfo.link !== null) saveInfo.linked ??= { tip: state.game.tip, treeVersion: state.game.treeVersion };
        // In the meantime another tab may have taken over a resumed game.
        setState({ storage: { isTakenOver: saveInfo.isStored && !locks.has(saveInfo.id), saveError: null } });
        releaseOtherLocks();
        rememberGame();
    });
    subscribe(() => [state.game.root, state.game.setup, state.game.tip, state.game.end, state.game.treeVersion,
        state.game.tags], ([root]) => {
        // A game from the store need not be written again.
        if (root !== state.game.root && state.game.saveInfo?.isStored) return;
        saveGame();
    });
    // The game is saved again, because the clocks have run since the last move.
    addEventListener("pagehide", () => state.game.setup.clock && saveGame());
}

/** Remembers which game this tab plays, for a reload. */
function rememberGame() {
    const { saveInfo, setup, start } = state.game;
    // If the page is reloaded during an overlay, the tab resumes the suspended game.
    if (!saveInfo) return;
    try {
        const { id, link } = saveInfo;
        sessionStorage.setItem(SESSION_KEY, JSON.stringify({ id, setup, start, isLinked: link !== null }));
    } catch {
        // The browser blocks session storage. A reloaded page still finds the game in the list.
    }
}

/**
 * Returns whether nobody has changed the game since it was opened from a link. Moves of the engine are not changes.
 * Each move and each other change counts as a change of the tree.
 */
function isUnchangedLink() {
    const { saveInfo, tip, treeVersion, setup: { players } } = state.game;
    if (!saveInfo?.linked) return false;
    const { tip: linkedTip, treeVersion: linkedVersion } = saveInfo.linked;
    if (!linkedTip.contains(tip)) return false;
    const added = tip.path.slice(linkedTip.ply);
    return added.length === treeVersion - linkedVersion && added.every(({ mover }) => players[mover] === "engine");
}

/**
 * Writes the game to the store. Skips a new game without moves, and a game of a link without changes. Otherwise a link
 * that is opened again would add the same game again.
 */
function saveGame() {
    const { saveInfo, root, start } = state.game;
    if (!saveInfo || state.storage.isTakenOver) return;
    const isNew = root.children.length === 0 && start === null;
    if (!saveInfo.isStored && (isNew || isUnchangedLink())) return;
    // Some browsers delete the data of a page after a week without a visit. A request for
    // persistence prevents this.
    if (!saveInfo.isStored) void navigator.storage?.persist?.();
    saveInfo.isStored = true;
    saveGames([currentSavedGame()]).then(
        () => saveInfo === state.game.saveInfo && setState({ storage: { saveError: null } }),
        (error) => saveInfo === state.game.saveInfo && setState({ storage: { saveError: saveErrorText(error) } }),
    );
}

/** Returns the reason why the store rejects a game, for people. @param {DOMException} error */
export const saveErrorText = ({ name }) => (name === "QuotaExceededError" ? TEXT.storeFull : TEXT.notSaved);

/**
 * Resumes a game of the store.
 *
 * @param {string} id
 * @returns {Promise<boolean>} Whether the game exists. Throws the engine's error if the engine rejects the game.
 */
export async function resumeGame(id) {
    await acquireLock(id);
    try {
        const game = await getSavedGame(id);
        if (game) await startSavedGame(game);
        return game !== undefined;
    } finally {
        releaseOtherLocks();
    }
}

/** @param {SavedGame} game */
function startSavedGame({ level, moves, played, ...rest }) {
    const { id, name, begun, game, options, players, seconds, clock, times, start, end, tags, fairStart } = rest;
    const { default: usual, values } = state.engine.options.find((option) => option.name === "Level") ?? {};
    const knownLevel = level === AUTO_LEVEL || values?.includes(level) ? level : String(usual);
    const [main, ...others] = allLinesFromStart(moves);
    return startGame({ game, options, players, level: knownLevel, seconds, clock, fairStart: "" }, {
        start, fairStart, moves: main.slice(0, played), end, times, tags, line: moves,
        lines: [main, ...others].map((line) => line.join(" ")),
        saveInfo: { id, name, begun, isStored: true, link: null },
    });
}

/**
 * Starts the game that the tab has played. In a new tab, starts the last saved game, unless it is
 * over or open in another tab. If there is no such game, starts nothing. Throws the reason if a
 * saved game cannot be resumed.
 */
export async function resumeLastGame() {
    try {
        const { id, setup, start, isLinked } = JSON.parse(sessionStorage.getItem(SESSION_KEY) ?? "{}");
        if (id && await resumeGame(id)) return;
        // The address has the whole game.
        if (isLinked) return;
        const storedSetup = parseGameSetup(setup);
        if (storedSetup) {
            await startGame(storedSetup, { start, fairStart: storedSetup.fairStart });
            return;
        }
        const [{ games: [last] }, openIds] = await Promise.all([getSavedGames(), gameIdsOpenInTabs()]);
        if (last && last.outcome === ONGOING && !openIds.has(last.id)) await resumeGame(last.id);
    } catch (error) {
        // The browser stores no games.
        if (!(error instanceof DOMException)) throw error;
    }
}
