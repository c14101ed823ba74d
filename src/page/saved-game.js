/** @import { KeptGame } from "./types.js" */
import { timesLeft } from "./clock.js";
import { begin } from "./game.js";
import { checkedSetup, linesOf, movesFrom, newKept } from "./game-file.js";
import { putGames, storedGame, storedGames } from "./game-store.js";
import { change, seen, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/**
 * The game of this tab, which is kept after each move.
 *
 * Each tab holds a lock on the game that it plays, and a lock is held by one tab. Who goes on with a game that another
 * tab plays takes the lock away from that, and reads the game after that; the other tab is told, and writes no more.
 */

/** Where a tab has what it plays, so that a page that is loaded again goes on with it. */
const KEY = "game";
/** What the engine says of a game that is not over. */
const ONGOING = "ongoing";

/** @type {Map<string, () => void>} What lets go of the locks that the tab holds, by the ids of their games. */
const locks = new Map();
const lockOf = (/** @type {string} */ id) => `game ${id}`;

/** Takes a game for this tab, away from another one. @param {string} id @returns {Promise<void>} */
function hold(id) {
    if (locks.has(id)) return Promise.resolve();
    return new Promise((done) => {
        navigator.locks.request(lockOf(id), { steal: true }, () => new Promise((free) => {
            locks.set(id, () => free(undefined));
            done();
        })).catch(({ name }) => {
            if (name !== "AbortError") {
                // A browser that keeps nothing for the page has no locks, either: each tab has its games for itself.
                locks.set(id, () => {});
                done();
                return;
            }
            locks.delete(id);
            if (state.kept?.id === id) change({ elsewhere: true });
        });
    });
}

/** Lets go of all games but the one in play. */
function letGo() {
    for (const [id, free] of locks) {
        if (id === state.kept?.id) continue;
        locks.delete(id);
        free();
    }
}

/** The ids of the games that tabs play. @returns {Promise<Set<string>>} */
export async function gamesInPlay() {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.map(({ name = "" }) => name.replace(lockOf(""), "")));
}

/** The game in play as it is kept. @returns {KeptGame} */
export function gameInPlay() {
    const { setup: { game, options, players, level, seconds, clock }, start, root, tip, end, clocks, tags } = state;
    // A lesson and a problem are not kept.
    const { id, name, begun } = state.kept ?? newKept();
    return {
        id, name, begun, changed: new Date().toISOString(), game, options, players, level, seconds, clock,
        times: timesLeft(clocks), start, moves: movesFrom(root), played: tip.ply, end,
        outcome: seen(tip).scene.outcome, ...(tags.length > 0 ? { tags } : {}),
    };
}

/** Keeps the game from now on, after each change. */
export function keepGames() {
    whenever(() => [state.root], () => {
        const { kept } = state;
        // What is not kept is only between: the game that was put aside for it stays this tab's.
        if (!kept) return;
        if (!kept.isStored) void hold(kept.id);
        // A game that is taken up again may have been taken away meanwhile.
        change({ elsewhere: kept.isStored && !locks.has(kept.id), unkept: null });
        letGo();
        remember();
    });
    whenever(() => [state.root, state.setup, state.tip, state.end, state.version, state.tags], ([root]) => {
        // What has just come from the store need not be written again.
        if (root !== state.root && state.kept?.isStored) return;
        keep();
    });
    // The clocks have gone on since the last move.
    addEventListener("pagehide", () => state.setup.clock && keep());
}

/** Lets the tab know which game it plays. */
function remember() {
    const { kept, setup, start } = state;
    // In a lesson or a problem the game that was going on is the one to go on with.
    if (!kept) return;
    try {
        sessionStorage.setItem(KEY, JSON.stringify({ id: kept.id, setup, start }));
    } catch {
        // The browser keeps nothing for the tab: a new tab finds the game in the list.
    }
}

/** Writes the game into the store; one that nobody has played only if it is there. */
function keep() {
    const { kept, root, start } = state;
    if (!kept || state.elsewhere || !(kept.isStored || root.children.length > 0 || start !== null)) return;
    // Some browsers delete what a page keeps if nobody comes for a week, unless they are asked not to.
    if (!kept.isStored) void navigator.storage?.persist?.();
    kept.isStored = true;
    putGames([gameInPlay()]).then(
        () => kept === state.kept && change({ unkept: null }),
        (error) => kept === state.kept && change({ unkept: whyUnkept(error) }),
    );
}

/** Why the store takes nothing, in words for people. @param {DOMException} error */
export const whyUnkept = ({ name }) => (name === "QuotaExceededError" ? TEXT.storeFull : TEXT.noStore);

/**
 * Goes on with a game of the store.
 *
 * @param {string} id
 * @returns {Promise<boolean>} Whether it is there. Throws what the engine says if it refuses the game.
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
 * Begins the game that the tab has played; in a new tab the last game of all, unless that is over or another tab plays
 * it. It may be none of these. Throws why a game that is kept cannot be gone on with.
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
        // The browser keeps no games.
        if (!(error instanceof DOMException)) throw error;
    }
}
