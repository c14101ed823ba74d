/** @import { KeptGame } from "./types.js" */
import { timesLeft } from "./clock.js";
import { begin } from "./game.js";
import { checkedSetup, linesOf, movesFrom, newKept } from "./game-file.js";
import { putGames, storedGame, storedGames } from "./game-store.js";
import { change, seen, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/**
 * The game of this tab, which is saved after each change.
 *
 * A tab holds a lock on its game, and only one tab can hold it. To continue a game of another tab, a
 * tab steals the lock and then reads the game; the other tab is notified and no longer writes.
 */

/** The key of the tab's game in the session storage, for a reloaded page. */
const KEY = "game";
/** The outcome of a game that is not over. */
const ONGOING = "ongoing";

/** @type {Map<string, () => void>} The functions that release the tab's locks, by the ids of their games. */
const locks = new Map();
const lockOf = (/** @type {string} */ id) => `game ${id}`;

/** Acquires the lock of a game, from another tab if necessary. @param {string} id @returns {Promise<void>} */
function hold(id) {
    if (locks.has(id)) return Promise.resolve();
    return new Promise((done) => {
        navigator.locks.request(lockOf(id), { steal: true }, () => new Promise((free) => {
            locks.set(id, () => free(undefined));
            done();
        })).catch(({ name }) => {
            if (name !== "AbortError") {
                // A browser that blocks the page's storage also has no locks: each tab then has its own games.
                locks.set(id, () => {});
                done();
                return;
            }
            locks.delete(id);
            if (state.kept?.id === id) change({ elsewhere: true });
        });
    });
}

/** Releases all locks except that of the current game. */
function letGo() {
    for (const [id, free] of locks) {
        if (id === state.kept?.id) continue;
        locks.delete(id);
        free();
    }
}

/** Returns the ids of the games that are open in tabs. @returns {Promise<Set<string>>} */
export async function gamesInPlay() {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.map(({ name = "" }) => name.replace(lockOf(""), "")));
}

/** Returns the current game in the form in which it is saved. @returns {KeptGame} */
export function gameInPlay() {
    const { setup: { game, options, players, level, seconds, clock }, start, root, tip, end, clocks, tags } = state;
    // A lesson or an exercise has no identity.
    const { id, name, begun } = state.kept ?? newKept();
    return {
        id, name, begun, changed: new Date().toISOString(), game, options, players, level, seconds, clock,
        times: timesLeft(clocks), start, moves: movesFrom(root), played: tip.ply, end,
        outcome: seen(tip).scene.outcome, ...(tags.length > 0 ? { tags } : {}),
    };
}

/** Saves the game after each change. */
export function keepGames() {
    whenever(() => [state.root], () => {
        const { kept } = state;
        // An overlay is not saved, and the suspended game remains the tab's.
        if (!kept) return;
        if (!kept.isStored) void hold(kept.id);
        // Another tab may have taken over a resumed game meanwhile.
        change({ elsewhere: kept.isStored && !locks.has(kept.id), unkept: null });
        letGo();
        remember();
    });
    whenever(() => [state.root, state.setup, state.tip, state.end, state.version, state.tags], ([root]) => {
        // A game that comes from the store need not be written again.
        if (root !== state.root && state.kept?.isStored) return;
        keep();
    });
    // The clocks have run since the last move.
    addEventListener("pagehide", () => state.setup.clock && keep());
}

/** Stores the game that this tab plays for a reload. */
function remember() {
    const { kept, setup, start } = state;
    // During an overlay, the tab resumes the suspended game.
    if (!kept) return;
    try {
        sessionStorage.setItem(KEY, JSON.stringify({ id: kept.id, setup, start }));
    } catch {
        // The browser blocks session storage: a reloaded page finds the game in the list.
    }
}

/** Writes the game to the store; a game without moves only if it is stored already. */
function keep() {
    const { kept, root, start } = state;
    if (!kept || state.elsewhere || !(kept.isStored || root.children.length > 0 || start !== null)) return;
    // Some browsers delete a page's data after a week without a visit unless it requests persistence.
    if (!kept.isStored) void navigator.storage?.persist?.();
    kept.isStored = true;
    putGames([gameInPlay()]).then(
        () => kept === state.kept && change({ unkept: null }),
        (error) => kept === state.kept && change({ unkept: whyUnkept(error) }),
    );
}

/** Returns the reason why the store rejects a game, for people. @param {DOMException} error */
export const whyUnkept = ({ name }) => (name === "QuotaExceededError" ? TEXT.storeFull : TEXT.noStore);

/**
 * Resumes a game of the store.
 *
 * @param {string} id
 * @returns {Promise<boolean>} Whether the game exists. Throws the engine's error if it rejects the game.
 */
export async function resume(id) {
    await hold(id);
    try {
        const game = await storedGame(id);
        if (game) await beginKept(game);
        return game !== undefined;
    } finally {
        letGo();
    }
}

/** @param {KeptGame} kept */
function beginKept({ level, moves, played, ...kept }) {
    const { id, name, begun, game, options, players, seconds, clock, times, start, end, tags } = kept;
    const { default: usual, values } = state.options.find((option) => option.name === "Level") ?? {};
    const known = values?.includes(level) ? level : String(usual);
    const [main, ...others] = linesOf(moves);
    return begin({ game, options, players, level: known, seconds, clock }, {
        start, moves: main.slice(0, played), end, lines: [main, ...others].map((line) => line.join(" ")), times, tags,
        line: moves,
        kept: { id, name, begun, isStored: true },
    });
}

/**
 * Starts the game that the tab has played; in a new tab the last saved game, unless it is over or
 * open in another tab. If there is none, starts nothing. Throws the reason if a saved game cannot be
 * resumed.
 */
export async function beginKeptGame() {
    try {
        const { id, setup, start } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
        if (id && await resume(id)) return;
        const known = checkedSetup(setup);
        if (known) {
            await begin(known, { start });
            return;
        }
        const [[last], taken] = await Promise.all([storedGames(), gamesInPlay()]);
        if (last && last.outcome === ONGOING && !taken.has(last.id)) await resume(last.id);
    } catch (error) {
        // The browser stores no games.
        if (!(error instanceof DOMException)) throw error;
    }
}
