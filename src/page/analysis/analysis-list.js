/** @import { Line } from "../core/types.js" */
import { addRovingFocus, elementById, html, setTabStop, setText, state, subscribe } from "../core/index.js";
import { formatShortScore, scoreFromPerspective, scorePerspective } from "../engine/index.js";
import { addAndViewVariation } from "../game/index.js";
import { knownAnalysisLines, MAX_ANALYSIS_LINES } from "./analysis.js";
import { hideLinePreview, previewPositionAfter } from "./line-preview.js";

/** The maximum number of moves that are shown of a line. */
const MAX_MOVES = 10;

/** @typedef {{ item: HTMLElement, score: HTMLElement, moves: HTMLElement, buttons: HTMLButtonElement[] }} Row */

/** @type {HTMLElement} */
let list;
/** @type {Row[]} */
let rows;
/** @type {Line[]} The listed lines. */
let listedLines = [];
/** The position of the listed lines. */
let listedNode = state.game.viewedNode;
/** Whether a pointer button is pressed. The pressed element must not move before the release. */
let isPressed = false;
/** Whether the list gets the focus back as soon as it has lines again. */
let isFocusPending = false;
/** Whether the page itself is giving the focus back now. */
let isRestoringFocus = false;

/**
 * Draws the lines of the analysis. While the pointer or the focus is on a move of a line, the board
 * previews the position after the move, and the list does not change. Choosing the move makes the
 * line a variation.
 */
export function mountAnalysisList() {
    list = elementById("lines");
    rows = Array.from({ length: MAX_ANALYSIS_LINES }, (_, row) => createRow(row));
    list.replaceChildren(...rows.map(({ item }) => item));
    addRovingFocus(list, "li");
    list.addEventListener("pointerover", ({ target }) => {
        const item = target instanceof Element ? target.closest("li") : null;
        const row = rows.findIndex((other) => other.item === item);
        const index = rows[row]?.buttons.findIndex((button) => button === target) ?? -1;
        // A row without a move under the pointer shows the whole line.
        if (row >= 0) previewMove(row, index < 0 ? MAX_MOVES - 1 : index);
    });
    list.addEventListener("pointerleave", () => {
        // A preview by keyboard stays, wherever the pointer is.
        if (!list.querySelector("button:focus-visible")) hideLinePreview();
    });
    list.addEventListener("focusout", hideLinePreview);
    addEventListener("pointerdown", () => (isPressed = true), true);
    for (const type of ["pointerup", "pointercancel"]) addEventListener(type, release, true);
    list.addEventListener("keydown", (event) => {
        if (event.key === "Escape") hideLinePreview();
    });
    subscribe(() => [state.game.viewedNode, state.game.viewedNode.analysisLines, state.analysis.isOn,
        state.analysis.lineCount, state.analysis.preview === null], draw);
}

/** Moves the focus to the first move of the best line. */
export function focusAnalysisLines() {
    if (listedLines.length > 0) rows[0].buttons[0].focus();
    else if (state.analysis.isOn) awaitLines();
}

/** Draws the known lines. */
function draw() {
    if (state.game.viewedNode === listedNode && state.analysis.isOn && (state.analysis.preview || isPressed)) return;
    listedNode = state.game.viewedNode;
    listedLines = knownAnalysisLines();
    const active = document.activeElement;
    const hasFocus = list.contains(active);
    rows.forEach((row, index) => fillRow(row, listedLines[index]));
    // All rows are filled before the first is measured, so that the browser computes the layout once.
    const cut = rows.map(({ moves }, row) =>
        moves.scrollHeight > moves.clientHeight || (listedLines[row]?.pv.length ?? 0) > MAX_MOVES);
    rows.forEach(({ item }, row) => item.classList.toggle("cut", cut[row]));
    setTabStop(list, active instanceof HTMLButtonElement ? active : null);
    list.hidden = !state.analysis.isOn && !hasFocus;
    list.style.setProperty("--lines", String(state.analysis.lineCount));
    if (hasFocus && active instanceof HTMLElement && active.hidden) awaitLines();
    if (isFocusPending && listedLines.length > 0) {
        isFocusPending = false;
        // A returning focus shows no preview, because the user is still looking at the position.
        isRestoringFocus = true;
        if (active === list) rows[0].buttons[0].focus();
        isRestoringFocus = false;
    }
}

/** Keeps the focus in the list while it is empty. */
function awaitLines() {
    isFocusPending = true;
    list.hidden = false;
    list.focus();
}

/** @param {number} row */
function createRow(row) {
    const id = `score-${row + 1}`;
    const score = html("span", { class: "score", id });
    const buttons = Array.from({ length: MAX_MOVES }, (_, index) => html("button", {
        type: "button",
        "aria-describedby": id,
        onfocus: () => {
            if (!isRestoringFocus && buttons[index].matches(":focus-visible")) previewMove(row, index);
        },
        onclick: () => exploreMove(row, index),
    }));
    const moves = html("span", { class: "moves" }, ...buttons);
    const item = html("li", {}, score, moves);
    return { item, score, moves, buttons };
}

/** @param {Row} row @param {Line | undefined} line */
function fillRow({ item, score, buttons }, line) {
    item.hidden = !line;
    const { names, isNegated } = scorePerspective();
    setText(score, line ? formatShortScore(scoreFromPerspective(line, isNegated), names) : "");
    buttons.forEach((button, index) => {
        setText(button, line?.pv[index] ?? "");
        button.hidden = !line?.pv[index];
    });
}

/** Returns the moves of a listed line up to one of them. @param {number} row @param {number} index */
function movesTo(row, index) {
    return state.game.viewedNode === listedNode ? listedLines[row]?.pv.slice(0, index + 1) : undefined;
}

/** Previews the position after a move of a line. @param {number} row @param {number} index */
function previewMove(row, index) {
    const moves = movesTo(row, index);
    if (moves) void previewPositionAfter(moves);
}

/** Ends the press. The click event comes later, and the list is updated after the click. */
function release() {
    isPressed = false;
    setTimeout(draw);
}

/** @param {number} row @param {number} index */
function exploreMove(row, index) {
    const moves = movesTo(row, index);
    if (moves) void addAndViewVariation(moves);
}
