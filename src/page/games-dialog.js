/** @import { KeptGame } from "./types.js" */
import { byId, download, html } from "./dom.js";
import { fileOf, gamesOf, linesOf, recordOf } from "./game-file.js";
import { deleteGame, putGames, storedGame, storedGames } from "./game-store.js";
import { isConnected, Refused } from "./requests.js";
import { gameInPlay, gamesInPlay, resume, whyUnkept } from "./saved-game.js";
import { change, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** The maximum size of a file of games, in bytes. */
const MOST_BYTES = 64 << 20;
/** The maximum number of errors that are listed for a file. */
const MOST_FAULTS = 5;

const DATE = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" });

/** Offers a file with these games for download. @param {KeptGame[]} games @param {string} name */
const exportGames = (games, name) => download(fileOf(games), "application/json", `${name}.json`);

/** Returns the name of a game for people. @param {KeptGame} kept */
const nameOf = ({ name, game }) => name || (state.games.find(({ word }) => word === game)?.name ?? game);

/** Describes a game in the list, below its name. @param {KeptGame} kept */
function summary({ changed, players, level, played, outcome }) {
    const against = players.every((player) => player === "person") ? TEXT.people(players.length)
        : players.includes("person") ? TEXT.against(level) : TEXT.engines;
    return [DATE.format(new Date(changed)), against, TEXT.movesPlayed(played), TEXT.outcome(outcome)].join(" · ");
}

/** Creates the dialog of saved games. @returns {() => void} A function that opens it. */
export function gamesDialog() {
    const [dialog, list, note] = [byId("games", HTMLDialogElement), byId("game-list"), byId("games-note")];
    const say = (/** @type {(Node | string)[]} */ ...words) => note.replaceChildren(...words);
    /** Runs an operation on the store, and shows the reason if it fails. @param {() => Promise<unknown>} work */
    const attempt = async (work) => {
        try {
            say();
            await work();
        } catch (error) {
            say(error instanceof DOMException ? whyUnkept(error) : /** @type {Error} */ (error).message);
        }
    };
    /** Returns the latest state of a game, which may have changed since the list was drawn. @param {KeptGame} game */
    const latest = async (game) => (game.id === state.kept?.id && !state.elsewhere ? gameInPlay()
        : await storedGame(game.id) ?? game);
    const show = () => attempt(async () => {
        const [games, taken] = await Promise.all([storedGames(), gamesInPlay()]);
        byId("no-games").hidden = games.length > 0;
        byId("export-games", HTMLButtonElement).disabled = games.length === 0;
        list.replaceChildren(...games.map((game) => row(game, taken.has(game.id))));
    });

    /** @param {KeptGame} game @param {boolean} isTaken Whether a tab has it open. @returns {HTMLElement} */
    const row = (game, isTaken) => {
        const name = nameOf(game);
        const isOurs = game.id === state.kept?.id;
        const button = (/** @type {string} */ text, /** @type {() => unknown} */ act) => html("button",
            { type: "button", "aria-label": `${text}: ${name}, ${DATE.format(new Date(game.changed))}`, onclick: act },
            text);
        const goOn = () => attempt(async () => {
            if (!isConnected()) throw new Error(TEXT.noGameNow);
            try {
                if ((isOurs && !state.elsewhere) || await resume(game.id)) dialog.close();
                else await show();
            } catch (error) {
                if (!(error instanceof Refused)) throw error;
                item.append(...unreadable(game, error.reason));
            }
        });
        const remove = () => attempt(async () => {
            const last = await latest(game);
            await deleteGame(game.id);
            const undo = button(TEXT.undoDelete, () => attempt(async () => {
                await putGames([last]);
                const restored = row(last, false);
                gone.replaceWith(restored);
                restored.querySelector("button")?.focus();
            }));
            const gone = html("li", {}, html("span", {}, TEXT.deleted(name)), undo);
            item.replaceWith(gone);
            undo.focus();
        });
        const rename = () => attempt(async () => {
            const answer = prompt(TEXT.newName, name)?.trim().slice(0, 100);
            if (answer === undefined) return;
            if (game.id === state.kept?.id) state.kept.name = answer;
            const renamed = { ...await latest(game), name: answer };
            await putGames([renamed]);
            const named = row(renamed, isTaken);
            item.replaceWith(named);
            named.querySelector("button")?.focus();
        });
        const item = html("li", {},
            html("button", { type: "button", class: "resume", onclick: goOn },
                html("strong", {}, name), html("span", {}, summary(game)),
                isTaken ? html("em", {}, isOurs ? TEXT.inThisTab : TEXT.inOtherTab) : ""),
            html("div", { class: "buttons" },
                // The tab that plays the game overwrites its name at the next move.
                isTaken && !isOurs ? "" : button(TEXT.rename, rename),
                button(TEXT.exportGame, () =>
                    attempt(async () => exportGames([await latest(game)], game.game))),
                isTaken ? "" : button(TEXT.deleteGame, remove)));
        return item;
    };

    const read = async (/** @type {File} */ file) => {
        if (file.size > MOST_BYTES) throw new Error(TEXT.longFile);
        const { games, refused } = gamesOf(await file.text());
        const known = new Map((await storedGames()).map((game) => [game.id, game]));
        /** @type {KeptGame[]} */
        const added = [];
        for (const game of games) {
            const old = known.get(game.id);
            // A game that continued in one of two copies is stored twice.
            if (old && isSame(old, game)) continue;
            const kept = old ? { ...game, id: crypto.randomUUID() } : game;
            known.set(kept.id, kept);
            added.push(kept);
        }
        await putGames(added);
        await show();
        const faults = refused.slice(0, MOST_FAULTS);
        if (refused.length > MOST_FAULTS) faults.push(TEXT.andMore(refused.length - MOST_FAULTS));
        say(TEXT.readGames(added.length, games.length - added.length, refused.length),
            html("ul", {}, ...faults.map((fault) => html("li", {}, fault))));
    };
    const field = byId("games-file", HTMLInputElement);
    field.addEventListener("change", () => attempt(async () => {
        const file = field.files?.[0];
        if (file) await read(file);
        field.value = "";
    }));
    byId("export-games").addEventListener("click", () =>
        attempt(async () => exportGames(await storedGames(), "pentarch-games")));
    byId("games-close").addEventListener("click", () => dialog.close());
    byId("export-unkept").addEventListener("click", () => exportGames([gameInPlay()], state.setup.game));
    const open = () => {
        dialog.showModal();
        void show();
    };
    byId("unkept-games").addEventListener("click", open);
    whenever(() => [state.unkept], () => {
        byId("unkept").hidden = state.unkept === null;
        byId("unkept-text").textContent = state.unkept ?? "";
    });
    byId("take-over").addEventListener("click", async () => {
        try {
            await resume(state.kept?.id ?? "");
        } catch (error) {
            change({ note: /** @type {Error} */ (error).message });
        }
    });
    return open;
}

/** Notes that games saved under the default address are not available, if this is another one. */
export function tellUsualHost() {
    /** @type {HTMLMetaElement | null} */
    const meta = document.querySelector('meta[name="usual-host"]');
    if (!meta) return;
    const words = TEXT.usualHost(meta.content);
    byId("usual-host").hidden = false;
    byId("usual-host").textContent = words;
    change({ note: words });
}

/** Returns whether two games are the same, with fields in any order. @param {KeptGame} one @param {KeptGame} other */
function isSame(one, other) {
    const text = (/** @type {KeptGame} */ game) => JSON.stringify(Object.entries(game).sort());
    return text(one) === text(other);
}

/** Describes a game that the engine rejects: the reason and the record. @param {KeptGame} game @param {string} why */
function unreadable(game, why) {
    const variations = linesOf(game.moves).length - 1;
    return [
        html("p", { role: "alert" }, TEXT.unplayable(why)),
        html("textarea", { readonly: true, rows: 5, "aria-label": TEXT.record }, recordOf(game)),
        ...(variations > 0 ? [html("p", {}, TEXT.mainLineOnly)] : []),
    ];
}
