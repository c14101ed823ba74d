/** @import { Line } from "./types.js" */
import { knownLines, MOST_LINES } from "./analysis.js";
import { byId, html, say } from "./dom.js";
import { explore } from "./game.js";
import { endPreview, previewLine } from "./preview.js";
import { reach, rove } from "./roving-focus.js";
import { inView, inWords, view } from "./score.js";
import { state, whenever } from "./state.js";

/** The maximum number of moves that are shown of a line. */
const MOST_MOVES = 10;

/** @typedef {{ item: HTMLElement, score: HTMLElement, buttons: HTMLButtonElement[] }} Row */

/** @type {HTMLElement} */
let list;
/** @type {Row[]} */
let rows;
/** @type {Line[]} The listed lines. */
let shown = [];
/** The position of the listed lines. */
let about = state.here;
/** Whether a pointer button is pressed. The pressed element must not move before the release. */
let isPressed = false;
/** Whether the list gets the focus back as soon as it has lines again. */
let isAwaited = false;
/** Whether the page itself is giving the focus back now. */
let isReturning = false;

/**
 * Draws the lines of the analysis. While the pointer or the focus is on a move of a line, the board
 * previews the position after it, and the list does not change. Choosing the move makes the line a
 * variation.
 */
export function drawLines() {
    list = byId("lines");
    rows = Array.from({ length: MOST_LINES }, (_, row) => newRow(row));
    list.replaceChildren(...rows.map(({ item }) => item));
    rove(list, "li");
    list.addEventListener("pointerleave", () => {
        // With the keyboard, the position of the pointer does not matter.
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

/** Moves the focus to the first move of the best line. */
export function focusLines() {
    if (shown.length > 0) rows[0].buttons[0].focus();
    else if (state.analysing) wait();
}

/** Draws the known lines. */
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
        // A returning focus shows no preview: the user is still looking at the position.
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

/** Returns the moves of a listed line up to one of them. @param {number} row @param {number} index */
function movesTo(row, index) {
    return state.here === about ? shown[row]?.pv.slice(0, index + 1) : undefined;
}

/** Previews the position after a move of a line. @param {number} row @param {number} index */
function look(row, index) {
    const moves = movesTo(row, index);
    if (moves) void previewLine(moves);
}

/** Ends the press. The click event comes later; the list is updated after it. */
function release() {
    isPressed = false;
    setTimeout(draw);
}

/** @param {number} row @param {number} index */
function choose(row, index) {
    const moves = movesTo(row, index);
    if (moves) void explore(moves);
}
