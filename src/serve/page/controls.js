/** @import { Engine } from "./engine.js" */
/** @import { Game } from "./game.js" */
/** @import { Keyboard } from "./keyboard.js" */
/** @import { Play } from "./play.js" */
/** @import { SetupDialog } from "./setup.js" */
import { hint, offerDraw, resign, takeBack } from "./actions.js";
import { byId } from "./dom.js";

/**
 * What the buttons and keys of the page act on.
 *
 * @typedef {object} Parts
 * @property {Game} game
 * @property {Play} play
 * @property {Engine} engine
 * @property {Keyboard} keyboard
 * @property {SetupDialog} dialog
 * @property {() => void} flip
 */

/**
 * Lets the buttons and keys of the page do what they say.
 *
 * @param {Parts} parts
 */
export function controls({ game, play, engine, keyboard, dialog, flip }) {
    const keys = byId("keys", HTMLDialogElement);
    const field = byId("move", HTMLInputElement);
    const actions = /** @type {Record<string, () => unknown>} */ ({
        n: () => dialog.open(game.setup),
        u: () => takeBack(game),
        h: () => hint(game, engine, play),
        f: () => flip(),
        m: () => field.focus(),
        b: () => keyboard.focus(),
        "?": () => keys.showModal(),
        ",": () => game.look(game.wanted - 1),
        ".": () => game.look(game.wanted + 1),
        Escape: () => play.cancel(),
    });
    const on = (/** @type {string} */ id, /** @type {() => unknown} */ action) =>
        byId(id, HTMLButtonElement).addEventListener("click", () => void action());
    on("new", actions.n);
    on("undo", actions.u);
    on("hint", actions.h);
    on("flip", actions.f);
    on("show-keys", actions["?"]);
    on("confirm", () => play.confirm());
    on("cancel", actions.Escape);
    on("resign", () => resign(game));
    on("draw", () => offerDraw(game));
    on("play-on", () => game.cut(game.ply));
    const analysing = byId("analysing", HTMLInputElement);
    analysing.addEventListener("change", () => {
        engine.analysing = analysing.checked;
        game.renew();
    });
    byId("move-form", HTMLFormElement).addEventListener("submit", async (event) => {
        event.preventDefault();
        if (await play.type(field.value.trim())) field.value = "";
    });
    document.addEventListener("keydown", (event) => {
        const target = event.target instanceof Element ? event.target : null;
        const elsewhere = target?.closest("input, textarea, select, dialog[open]");
        const action = actions[event.key] ?? actions[event.key.toLowerCase()];
        if (elsewhere || event.ctrlKey || event.altKey || event.metaKey || !action) return;
        event.preventDefault();
        void action();
    });
}
