/** @import { Line } from "./types.js" */
import { knownLines, MOST_LINES } from "./analysis.js";
import { byId, html, say } from "./dom.js";
import { explore } from "./game.js";
import { endPreview, previewLine } from "./preview.js";
import { reach, rove } from "./roving-focus.js";
import { inView, inWords, view } from "./score.js";
import { state, whenever } from "./state.js";

/** The most moves of a line that are shown. */
const MOST_MOVES = 10;

/** @typedef {{ item: HTMLElement, score: HTMLElement, buttons: HTMLButtonElement[] }} Row */

/** @type {HTMLElement} */
let list;
/** @type {Row[]} */
let rows;
/** @type {Line[]} What the list shows. */
let shown = [];
/** The position that it is about. */
let about = state.here;
/** Whether a button of the pointer is held down: what is pressed must not move away before it is released. */
let isPressed = false;
/** Whether the focus is to come back, as soon as there are lines again. */
let isAwaited = false;
/** Whether it comes back just now, by itself. */
let isReturning = false;

/**
 * Draws the lines of the analysis. The board shows where a line leads while the pointer or the focus rests on one of
 * its moves, and the lines stand still meanwhile; choosing the move makes the line a variation.
 */
export function drawLines() {
    list = byId("lines");
    rows = Array.from({ length: MOST_LINES }, (_, row) => newRow(row));
    list.replaceChildren(...rows.map(({ item }) => item));
    rove(list, "li");
    list.addEventListener("pointerleave", () => {
        // Whoever goes by keys does not care where the pointer is.
        if (!list.querySelector("button:focus-visible")) endPreview();
    });
    list.addEventListener("focusout", endPreview);
    addEventListener("pointerdown", () => (isPressed = true), true);
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, release, true);
    list.addEventListener("keydown", (event) => {
        if (event.key === "Escape") endPreview();
    });
    whenever(() => [state.here, state.here.lines, state.analysing, state.lineCount, state.preview === null], draw);
}

/** Goes to the first move of the best line. */
export function focusLines() {
    if (shown.length > 0) rows[0].buttons[0].focus();
    else if (state.analysing) wait();
}

/** Draws the lines that are known. */
function draw() {
    if (state.here === about && state.analysing && (state.preview || isPressed)) return;
    about = state.here;
    shown = knownLines();
    const active = document.activeElement;
    const focused = list.contains(active);
    rows.forEach((row, index) => write(row, shown[index]));
    reach(list, active instanceof HTMLButtonElement ? active : null);
    list.hidden = !state.analysing && !focused;
    list.style.setProperty("--lines", String(state.lineCount));
    if (focused && active instanceof HTMLElement && active.hidden) wait();
    if (isAwaited && shown.length > 0) {
        isAwaited = false;
        // Whoever waits for the lines looks at the position, and not yet further.
        isReturning = true;
        if (active === list) rows[0].buttons[0].focus();
        isReturning = false;
    }
}

/** Keeps the focus in the list while it is empty. */
function wait() {
    isAwaited = true;
    list.hidden = false;
    list.focus();
}

/** @param {number} row */
function newRow(row) {
    const id = `score-${row + 1}`;
    const score = html("span", { class: "score", id });
    const buttons = Array.from({ length: MOST_MOVES }, (_, index) => html("button", {
        type: "button",
        "aria-describedby": id,
        onpointerenter: () => look(row, index),
        onfocus: () => {
            if (!isReturning && buttons[index].matches(":focus-visible")) look(row, index);
        },
        onclick: () => choose(row, index),
    }));
    const item = html("li", {}, score, ...buttons);
    score.addEventListener("pointerenter", () => look(row, MOST_MOVES - 1));
    return { item, score, buttons };
}

/** @param {Row} row @param {Line | undefined} line */
function write({ item, score, buttons }, line) {
    item.hidden = !line;
    const { names, turned } = view();
    say(score, line ? inWords(inView(line, turned), names) : "");
    buttons.forEach((button, index) => {
        say(button, line?.pv[index] ?? "");
        button.hidden = !line?.pv[index];
    });
}

/** The moves of a line of the list up to one of them. @param {number} row @param {number} index */
function movesTo(row, index) {
    return state.here === about ? shown[row]?.pv.slice(0, index + 1) : undefined;
}

/** Shows on the board where a line leads. @param {number} row @param {number} index */
function look(row, index) {
    const moves = movesTo(row, index);
    if (moves) void previewLine(moves);
}

/** The click comes after this; the lines of now are shown after it. */
function release() {
    isPressed = false;
    setTimeout(draw);
}

/** @param {number} row @param {number} index */
function choose(row, index) {
    const moves = movesTo(row, index);
    if (moves) void explore(moves);
}
