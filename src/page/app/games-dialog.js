/** @import { DamagedGame, SavedGame } from "../core/types.js" */
import { downloadFile, elementById, html, setState, state, subscribe, TEXT } from "../core/index.js";
import { isConnected, RequestError } from "../engine/index.js";
import { allLinesFromStart, currentSavedGame, deleteSavedGame, formatGamesFile, formatRecord, gameIdsOpenInTabs,
    getSavedGame, getSavedGames, parseGamesFile, resumeGame, saveErrorText, saveGames } from "../game/index.js";

/** The maximum size of a file of games, in bytes. */
const MAX_FILE_BYTES = 64 << 20;
/** The maximum number of errors that are listed for a file. */
const MAX_LISTED_ERRORS = 5;

const DATE = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" });

/** Offers a file with these games for download. @param {object[]} games @param {string} name */
const exportGames = (games, name) => downloadFile(formatGamesFile(games), "application/json", `${name}.json`);

/** Returns the name of a game for people. @param {SavedGame} game */
export const savedGameDisplayName = ({ name, game }) =>
    name || (state.engine.games.find(({ word }) => word === game)?.name ?? game);

/** Describes a game in the list, below its name. @param {SavedGame} game */
export function describeSavedGame({ changed, players, level, played, outcome }) {
    const against = players.every((player) => player === "person") ? TEXT.people(players.length)
        : players.includes("person") ? TEXT.against(level) : TEXT.engines;
    return [DATE.format(new Date(changed)), against, TEXT.movesPlayed(played), TEXT.outcome(outcome)].join(" · ");
}

/** Shows a message below the list. @param {(Node | string)[]} words */
const showNote = (...words) => elementById("games-note").replaceChildren(...words);

/** Runs an operation on the store, and shows the reason if it fails. @param {() => Promise<unknown>} work */
async function showFailure(work) {
    try {
        showNote();
        await work();
    } catch (error) {
        showNote(error instanceof DOMException ? saveErrorText(error) : /** @type {Error} */ (error).message);
    }
}

/**
 * Deletes an entry of the store. A button in its row restores the entry.
 *
 * @param {HTMLElement} row
 * @param {{ id: IDBValidKey }} entry
 * @param {string} name
 * @param {(text: string, onclick: () => unknown) => HTMLElement} button
 * @param {() => HTMLElement} restore Returns the row of the restored entry.
 */
async function removeEntry(row, entry, name, button, restore) {
    await deleteSavedGame(entry.id);
    const undo = button(TEXT.undoDelete, () => showFailure(async () => {
        await saveGames([entry]);
        const restored = restore();
        gone.replaceWith(restored);
        restored.querySelector("button")?.focus();
    }));
    const gone = html("li", {}, html("span", {}, TEXT.deleted(name)), undo);
    row.replaceWith(gone);
    undo.focus();
}

/** Creates the row of a damaged entry. @param {DamagedGame} game @param {number} index @returns {HTMLElement} */
function createDamagedRow(game, index) {
    const { entry, why } = game;
    const button = (/** @type {string} */ text, /** @type {() => unknown} */ onclick) => html("button",
        { type: "button", "aria-label": `${text}: ${TEXT.damagedGame} ${index + 1}`, onclick }, text);
    /** @type {HTMLElement} */
    const row = html("li", { class: "damaged" },
        html("p", {}, html("strong", {}, TEXT.damagedGame), html("span", {}, TEXT.damagedEntry(why))),
        html("div", { class: "buttons" },
            button(TEXT.exportGame, () => showFailure(async () => exportGames([entry], "damaged-game"))),
            button(TEXT.deleteGame, () => showFailure(() => removeEntry(row, entry, TEXT.damagedGame, button,
                () => createDamagedRow(game, index))))));
    return row;
}

/**
 * Adds the games of a file to the store, and shows their number.
 *
 * @param {File} file
 * @param {() => Promise<void>} show Draws the list.
 */
async function importFile(file, show) {
    if (file.size > MAX_FILE_BYTES) throw new Error(TEXT.fileTooLong);
    const { games, errors } = parseGamesFile(await file.text());
    const { games: stored, damaged } = await getSavedGames();
    /** @type {Map<IDBValidKey, object>} */
    const knownGames = new Map([...stored, ...damaged.map(({ entry: other }) => other)].map((any) => [any.id, any]));
    /** @type {SavedGame[]} */
    const added = [];
    for (const game of games) {
        const old = knownGames.get(game.id);
        // If one of two copies of a game was continued, both copies are stored.
        if (old && isSame(old, game)) continue;
        const imported = old ? { ...game, id: crypto.randomUUID() } : game;
        knownGames.set(imported.id, imported);
        added.push(imported);
    }
    await saveGames(added);
    await show();
    const listedErrors = errors.slice(0, MAX_LISTED_ERRORS);
    if (errors.length > MAX_LISTED_ERRORS) listedErrors.push(TEXT.andMore(errors.length - MAX_LISTED_ERRORS));
    showNote(TEXT.readGames(added.length, games.length - added.length, errors.length),
        html("ul", {}, ...listedErrors.map((fault) => html("li", {}, fault))));
}

/** Creates the dialog of saved games. @returns {() => void} A function that opens it. */
export function createGamesDialog() {
    const dialog = elementById("games", HTMLDialogElement);
    const list = elementById("game-list");
    /**
     * Returns the latest state of a game. The game may have changed since the list was drawn.
     *
     * @param {SavedGame} game
     */
    const latestVersion = async (game) => {
        const isShown = game.id === state.game.saveInfo?.id && !state.storage.isTakenOver;
        return isShown ? currentSavedGame() : await getSavedGame(game.id) ?? game;
    };
    const show = () => showFailure(async () => {
        const [{ games, damaged }, openIds] = await Promise.all([getSavedGames(), gameIdsOpenInTabs()]);
        elementById("no-games").hidden = games.length + damaged.length > 0;
        elementById("export-games", HTMLButtonElement).disabled = games.length === 0;
        list.replaceChildren(...games.map((game) => createRow(game, openIds.has(game.id))),
            ...damaged.map(createDamagedRow));
    });

    /** @param {SavedGame} game @param {boolean} isOpen Whether a tab has it open. @returns {HTMLElement} */
    const createRow = (game, isOpen) => {
        const name = savedGameDisplayName(game);
        const isCurrent = game.id === state.game.saveInfo?.id;
        const button = (/** @type {string} */ text, /** @type {() => unknown} */ onclick) => html("button",
            { type: "button", "aria-label": `${text}: ${name}, ${DATE.format(new Date(game.changed))}`, onclick },
            text);
        const resumeRow = () => showFailure(async () => {
            if (!isConnected()) throw new Error(TEXT.cannotStartGame);
            try {
                if ((isCurrent && !state.storage.isTakenOver) || await resumeGame(game.id)) {
                    dialog.close();
                    setState({ app: { isHome: false } });
                } else {
                    await show();
                }
            } catch (error) {
                if (!(error instanceof RequestError)) throw error;
                item.append(...rejectedGameDetails(game, error.reason));
            }
        });
        const remove = () => showFailure(async () => {
            const last = await latestVersion(game);
            await removeEntry(item, last, name, button, () => createRow(last, false));
        });
        const rename = () => showFailure(async () => {
            const newName = prompt(TEXT.newName, name)?.trim().slice(0, 100);
            if (newName === undefined) return;
            if (game.id === state.game.saveInfo?.id) state.game.saveInfo.name = newName;
            const renamed = { ...await latestVersion(game), name: newName };
            await saveGames([renamed]);
            const named = createRow(renamed, isOpen);
            item.replaceWith(named);
            named.querySelector("button")?.focus();
        });
        const item = html("li", {},
            html("button", { type: "button", class: "resume", onclick: resumeRow },
                html("strong", {}, name), html("span", {}, describeSavedGame(game)),
                isOpen ? html("em", {}, isCurrent ? TEXT.inThisTab : TEXT.inOtherTab) : ""),
            html("div", { class: "buttons" },
                // An open game has no button, because its tab would overwrite the new name at the
                // next move.
                isOpen && !isCurrent ? "" : button(TEXT.rename, rename),
                button(TEXT.exportGame, () =>
                    showFailure(async () => exportGames([await latestVersion(game)], game.game))),
                isOpen ? "" : button(TEXT.deleteGame, remove)));
        return item;
    };

    const field = elementById("games-file", HTMLInputElement);
    field.addEventListener("change", () => showFailure(async () => {
        const file = field.files?.[0];
        if (file) await importFile(file, show);
        field.value = "";
    }));
    elementById("export-games").addEventListener("click", () =>
        showFailure(async () => exportGames((await getSavedGames()).games, "pentarch-games")));
    elementById("games-close").addEventListener("click", () => dialog.close());
    elementById("export-unkept").addEventListener("click", () =>
        exportGames([currentSavedGame()], state.game.setup.game));
    const open = () => {
        dialog.showModal();
        void show();
    };
    elementById("unkept-games").addEventListener("click", open);
    subscribe(() => [state.storage.saveError], () => {
        elementById("unkept").hidden = state.storage.saveError === null;
        elementById("unkept-text").textContent = state.storage.saveError ?? "";
    });
    elementById("take-over").addEventListener("click", async () => {
        try {
            await resumeGame(state.game.saveInfo?.id ?? "");
        } catch (error) {
            setState({ app: { note: /** @type {Error} */ (error).message } });
        }
    });
    return open;
}

/** If this is not the default address, tells the user that games saved under the default address are not available. */
export function showOtherAddressNotice() {
    /** @type {HTMLMetaElement | null} */
    const meta = document.querySelector('meta[name="usual-host"]');
    if (!meta) return;
    const message = TEXT.otherHost(meta.content);
    elementById("usual-host").hidden = false;
    elementById("usual-host").textContent = message;
    setState({ app: { note: message } });
}

/**
 * Returns whether two games are equal. The order of the fields does not matter.
 *
 * @param {object} one
 * @param {object} other
 */
function isSame(one, other) {
    const text = (/** @type {object} */ game) => JSON.stringify(Object.entries(game).sort());
    return text(one) === text(other);
}

/** Describes a game that the engine rejects: the reason and the record. @param {SavedGame} game @param {string} why */
function rejectedGameDetails(game, why) {
    const variations = allLinesFromStart(game.moves).length - 1;
    return [
        html("p", { role: "alert" }, TEXT.cannotContinue(why)),
        html("textarea", { readonly: true, rows: 5, "aria-label": TEXT.record }, formatRecord(game)),
        ...(variations > 0 ? [html("p", {}, TEXT.mainLineOnly)] : []),
    ];
}
