/** @import { Analysis } from "./analysis.js" */
/** @import { Board } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Worth } from "./score.js" */
/** @import { Geometry } from "./types.js" */
import { byId, html } from "./dom.js";
import { chance, named, view } from "./score.js";
import { TEXT } from "./strings.js";

/**
 * Shows what the position that is looked at is worth, and how far that was searched.
 *
 * @param {Analysis} analysis
 * @param {Game} game
 * @param {Board} board
 */
export function showAnalysis(analysis, { geometry, here, scene }, board) {
    const { count, deep, lines, on, searching, worth } = analysis;
    showBar(geometry, on ? worth : undefined, board.flipped);
    byId("analysing", HTMLInputElement).checked = on;
    byId("line-count", HTMLSelectElement).value = String(count);
    byId("deeper", HTMLButtonElement).disabled = !on || deep === here || analysis.busy() || scene.turn === null;
    const { names } = view(scene, geometry.sides);
    const text = scene.turn === null ? `${scene.sentence}.`
        : worth ? TEXT.found(inWords(worth, names, geometry), lines[0].depth, searching)
            : searching ? TEXT.searching : TEXT.afterItsMove;
    byId("evaluation", HTMLElement).textContent = on ? text : "";
}

/**
 * The evaluation bar: the share of the first side is its chance of winning, and lies where that side sits.
 *
 * @param {Geometry} geometry
 * @param {Worth | null | undefined} worth For the first side; `null` if it is not known yet, `undefined` for no bar.
 * @param {boolean} flipped Whether the second side sits below.
 */
function showBar({ sides, odds }, worth, flipped) {
    const bar = byId("bar", HTMLElement);
    // The chances of more than two sides are no share of one of them.
    bar.hidden = worth === undefined || sides.length !== 2;
    if (bar.hidden) return;
    const share = worth ? chance(worth, odds) : 0.5;
    const words = worth ? named(worth, sides) : TEXT.unknown;
    bar.className = `${flipped ? "flipped" : ""} ${worth ? "" : "unknown"}`.trim();
    bar.style.setProperty("--share", `${100 * share}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
    bar.setAttribute("aria-valuetext", worth ? inWords(worth, sides, { sides, odds }) : TEXT.unknown);
    const part = (/** @type {number} */ side) => html("span", { class: `part side-${side} ${sides[side]}` });
    const text = html("span", { class: `words side-${share < 0.5 ? 1 : 0} ${sides[share < 0.5 ? 1 : 0]}` }, words);
    bar.replaceChildren(part(1), part(0), text);
}

/**
 * What a position is worth, and for an estimate between two sides what that means for the first one's chances.
 *
 * @param {Worth} worth For the first of the names.
 * @param {string[]} names
 * @param {Pick<Geometry, "sides" | "odds">} geometry
 */
function inWords(worth, names, { sides, odds }) {
    const words = named(worth, names);
    const isSure = !("cp" in worth) || worth.exact || sides.length !== 2;
    return isSure ? words : TEXT.chance(words, names[0], chance(worth, odds));
}
