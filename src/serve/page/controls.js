/** @import { Analysis } from "./analysis.js" */
/** @import { Engine } from "./engine.js" */
/** @import { Game } from "./game.js" */
/** @import { Keyboard } from "./keyboard.js" */
/** @import { Lines } from "./lines.js" */
/** @import { Play } from "./play.js" */
/** @import { Review } from "./review.js" */
/** @import { SetupDialog } from "./setup.js" */
import { deleteMoves, hint, offerDraw, playOn, promote, resign, takeBack } from "./actions.js";
import { MOST_LINES } from "./analysis.js";
import { byId, html } from "./dom.js";

/**
 * What the buttons and keys of the page act on.
 *
 * @typedef {object} Parts
 * @property {Game} game
 * @property {Play} play
 * @property {Engine} engine
 * @property {Analysis} analysis
 * @property {Review} review
 * @property {Lines} lines
 * @property {Keyboard} keyboard
 * @property {SetupDialog} dialog
 * @property {() => void} flip
 */

/**
 * Lets the buttons and keys of the page do what they say.
 *
 * @param {Parts} parts
 */
export function controls({ game, play, engine, analysis, review, lines, keyboard, dialog, flip }) {
    const keys = byId("keys", HTMLDialogElement);
    const field = byId("move", HTMLInputElement);
    const actions = /** @type {Record<string, () => unknown>} */ ({
        n: () => dialog.open(game),
        u: () => takeBack(game),
        h: () => hint(game, engine, play),
        f: () => flip(),
        m: () => field.focus(),
        b: () => keyboard.focus(),
        "?": () => keys.showModal(),
        ",": () => game.look(game.wanted.parent),
        ".": () => game.look(game.next),
        "[": () => game.look(game.wanted.sibling(-1)),
        "]": () => game.look(game.wanted.sibling(1)),
        t: () => playOn(game, analysis),
        p: () => promote(game, analysis),
        Delete: () => deleteMoves(game),
        a: () => {
            analysis.switch(!analysis.on);
            if (analysis.on) byId("analysis", HTMLDetailsElement).open = true;
        },
        d: () => analysis.deepen(),
        l: () => lines.focus(),
        r: () => review.start(),
        g: () => byId("graph", SVGSVGElement).focus(),
        Escape: () => play.cancel(),
    });
    for (let count = 1; count <= MOST_LINES; count += 1) actions[count] = () => analysis.show(count);
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
    on("play-on", actions.t);
    on("promote", actions.p);
    on("delete", actions.Delete);
    on("deeper", actions.d);
    on("review", actions.r);
    review.again = async (node) => {
        await game.look(node);
        if (node === game.here) await playOn(game, analysis);
    };
    const analysing = byId("analysing", HTMLInputElement);
    analysing.addEventListener("change", () => analysis.switch(analysing.checked));
    const count = byId("line-count", HTMLSelectElement);
    for (let lines = 1; lines <= MOST_LINES; lines += 1) count.append(html("option", {}, String(lines)));
    count.addEventListener("change", () => analysis.show(Number(count.value)));
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
