/** @import { KeptGame } from "./types.js" */

/**
 * The games that the browser keeps on this device, for as long as nobody deletes them.
 *
 * They lie in IndexedDB and not in `localStorage`. A write is a transaction: a browser that is closed in the midst of
 * it keeps either the old game or the new one, and with strict durability what has been written is on the disk, while
 * `localStorage` is written some seconds later. Each game is an entry of its own, so that tabs with different games do
 * not touch each other's. The quota is a share of the disk and not 5 MB, and writing does not hold up the page.
 */

const [NAME, STORE] = ["pentarch", "games"];

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

function open() {
    opening ??= new Promise((done, failed) => {
        const request = indexedDB.open(NAME, 1);
        request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "id" }));
        request.addEventListener("success", () => {
            const { result } = request;
            result.addEventListener("close", () => (opening = null));
            // A later version of the page, in another tab, changes the form of the store.
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

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T> | undefined} work
 * @returns {Promise<T>} What is asked, when the transaction has ended.
 */
async function transact(mode, work) {
    const database = await open();
    return new Promise((done, failed) => {
        const transaction = database.transaction(STORE, mode, { durability: "strict" });
        transaction.addEventListener("abort", () => failed(transaction.error));
        const request = work(transaction.objectStore(STORE));
        transaction.addEventListener("complete", () => done(/** @type {T} */ (request?.result)));
        // Without waiting for this page, which may be about to go.
        transaction.commit();
    });
}

/** Keeps all of these games or, if that fails, none. @param {KeptGame[]} games */
export const putGames = (games) => transact("readwrite", (store) => {
    for (const game of games) store.put(game);
    return undefined;
});

/** @param {string} id */
export const deleteGame = (id) => transact("readwrite", (store) => store.delete(id));

/** @param {string} id @returns {Promise<KeptGame | undefined>} */
export const storedGame = (id) => transact("readonly", (store) => store.get(id));

/** All games, the one that was changed last first. @returns {Promise<KeptGame[]>} */
export async function storedGames() {
    /** @type {KeptGame[]} */
    const games = await transact("readonly", (store) => store.getAll());
    return games.sort((one, other) => (one.changed < other.changed ? 1 : -1));
}
