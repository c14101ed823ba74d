/** @import { DamagedGame, SavedGame } from "../core/types.js" */
import { TEXT } from "../core/index.js";
import { parseSavedGame } from "./game-file.js";

/**
 * The games that the browser stores on this device until somebody deletes them.
 *
 * The games are in IndexedDB, not in `localStorage`, for these reasons:
 *
 * - A write is a transaction. If the browser is closed during a write, it has either the old game
 *   or the new game.
 * - With strict durability a written game is on the disk at once. `localStorage` is written some
 *   seconds later.
 * - Each game is a separate entry, so that tabs with different games do not affect each other.
 * - The quota is a share of the disk instead of 5 MB.
 * - Writing does not block the page.
 *
 * Other versions of the page, and faults of the disk, can leave entries that are not games. Therefore each entry is
 * checked like a game of a file.
 */

const DATABASE = "pentarch";
const STORE = "games";

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

function openDatabase() {
    opening ??= new Promise((done, failed) => {
        const request = indexedDB.open(DATABASE, 1);
        request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "id" }));
        request.addEventListener("success", () => {
            const { result } = request;
            result.addEventListener("close", () => (opening = null));
            // A later version of the page may upgrade the database in another tab.
            result.addEventListener("versionchange", () => result.close());
            done(result);
        });
        request.addEventListener("error", () => {
            opening = null;
            failed(request.error);
        });
    });
    return opening;
}

/** Opens the store, so that the first write takes no longer than the others. */
export function prepareStore() {
    // A write reports the error.
    openDatabase().catch(() => {});
}

/**
 * Runs an operation in a transaction.
 *
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T> | undefined} operation
 * @returns {Promise<T>} The result of the request, when the transaction is complete.
 */
async function transact(mode, operation) {
    const database = await openDatabase();
    return new Promise((done, failed) => {
        const transaction = database.transaction(STORE, mode, { durability: "strict" });
        transaction.addEventListener("abort", () => failed(transaction.error));
        const request = operation(transaction.objectStore(STORE));
        transaction.addEventListener("complete", () => done(/** @type {T} */ (request?.result)));
        // The page may be about to close. Therefore the commit must not wait for the page.
        transaction.commit();
    });
}

/** Stores all of these entries. If that fails, stores none. @param {(SavedGame | DamagedGame["entry"])[]} games */
export const saveGames = (games) => transact("readwrite", (store) => {
    for (const game of games) store.put(game);
    return undefined;
});

/** @param {IDBValidKey} id */
export const deleteSavedGame = (id) => transact("readwrite", (store) => store.delete(id));

/** @param {string} id @returns {Promise<SavedGame | undefined>} Throws an error if the game is damaged. */
export async function getSavedGame(id) {
    const entry = await transact("readonly", (store) => store.get(id));
    if (entry === undefined) return undefined;
    try {
        return parseSavedGame(entry);
    } catch (error) {
        throw new Error(TEXT.damagedEntry(/** @type {Error} */ (error).message));
    }
}

/**
 * Returns all games, beginning with the game that was changed last, and the damaged entries.
 *
 * @returns {Promise<{ games: SavedGame[], damaged: DamagedGame[] }>}
 */
export async function getSavedGames() {
    /** @type {SavedGame[]} */
    const games = [];
    /** @type {DamagedGame[]} */
    const damaged = [];
    for (const entry of await transact("readonly", (store) => store.getAll())) {
        try {
            games.push(parseSavedGame(entry));
        } catch (error) {
            damaged.push({ entry, why: /** @type {Error} */ (error).message });
        }
    }
    games.sort((one, other) => (one.changed < other.changed ? 1 : -1));
    return { games, damaged };
}
