/** @import { GameNode } from "../core/game-tree.js" */
import { addRovingFocus, elementById, html, isInVariation, isViewingCurrentPosition, nextPositionInLine,
    reviewOfMoveTo, sideWords, state, subscribe, TEXT, viewedScene } from "../core/index.js";
import { resultTextForPerson } from "./game-result.js";
import { viewPosition } from "./game.js";
import { moveMarkOfNotes } from "./notes.js";

/**
 * @typedef {{ played: GameNode[], rest: GameNode[], notes: string, items: HTMLLIElement[] }} Row A round: the moves of
 * the game, the positions of variations, the comments, and the list items.
 */

/** @type {HTMLElement} */
let list;
/** @type {Row[]} The listed rounds. */
let rows = [];
/** @type {Map<GameNode, HTMLButtonElement>} The buttons of the moves. */
const buttons = new Map();

/**
 * Draws the list of the moves and variations. Choosing a move shows the position after it. Only
 * changed rounds are recreated, because the list of a long game takes long to create.
 */
export function mountMoveList() {
    list = elementById("moves");
    const targets = /** @type {[string, () => GameNode | null][]} */ ([
        ["first", () => state.game.root], ["back", () => state.game.targetNode.parent],
        ["forward", nextPositionInLine],
        ["last", () => (isInVariation() ? state.game.viewedNode.lineEnd : state.game.tip)],
    ]);
    for (const [id, node] of targets) elementById(id).addEventListener("click", () => void viewPosition(node()));
    // Left and right go through the moves of the game.
    addRovingFocus(list, "li", ["ArrowUp", "ArrowDown", "Home", "End"]);
    subscribe(() => [state.game.root, state.game.tip, state.game.treeVersion], () => {
        const hadFocus = hasFocus();
        updateRows();
        // The focused button may be gone.
        if (hadFocus && !hasFocus()) (buttons.get(state.game.viewedNode) ?? list.querySelector("button"))?.focus();
    });
    subscribe(() => [state.analysis.review, state.game.treeVersion], () => buttons.forEach(labelButton));
    subscribe(() => [state.game.viewedNode, state.game.tip, state.game.treeVersion], ([old]) => {
        const { viewedNode, root, tip } = state.game;
        buttons.get(old)?.removeAttribute("aria-current");
        const current = buttons.get(viewedNode);
        list.dataset.line = viewedNode.moves;
        list.querySelector("button[tabindex='0']")?.setAttribute("tabindex", "-1");
        (current ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
        if (current) {
            current.setAttribute("aria-current", "step");
            if (hasFocus()) current.focus({ preventScroll: true });
            scrollToRow(current);
        }
        elementById("no-moves").hidden = root.children.length > 0;
        for (const id of ["first", "back"]) elementById(id, HTMLButtonElement).disabled = viewedNode === root;
        const isLast = viewedNode === tip || viewedNode.children.length === 0;
        for (const id of ["forward", "last"]) elementById(id, HTMLButtonElement).disabled = isLast;
    });
}

/** Returns whether a move in the list has the focus. */
const hasFocus = () => list.contains(document.activeElement) && document.activeElement !== list;

/** Updates the list to the current moves. */
function updateRows() {
    const newRows = rounds();
    newRows.forEach((row, index) => {
        const old = rows[index];
        row.notes = [...row.played, ...row.rest].map(({ notes }) => notes.comment ?? "").join("\n");
        if (old && isSame(old.played, row.played) && isSame(old.rest, row.rest) && old.notes === row.notes) {
            row.items = old.items;
            return;
        }
        if (old) removeRow(old);
        row.items = createItems(row, index + 1);
        const before = index > 0 ? newRows[index - 1].items.at(-1) : null;
        if (before) before.after(...row.items);
        else list.prepend(...row.items);
    });
    rows.slice(newRows.length).forEach(removeRow);
    rows = newRows;
}

/** Returns the rounds of the game. Variations from the end of the game are in the last round. @returns {Row[]} */
function rounds() {
    const { tip } = state.game;
    /** @type {Row[]} */
    const found = [];
    const row = (/** @type {number} */ round) => (found[round - 1] ??= { played: [], rest: [], notes: "", items: [] });
    for (const node of tip.path) {
        const { played, rest } = row(node.round);
        played.push(node);
        rest.push(...(node.parent?.children.slice(1) ?? []).flatMap((other) => [...subtree(other)]));
    }
    const after = tip.children.flatMap((other) => [...subtree(other)]);
    if (after.length > 0) row(found.length || 1).rest.push(...after);
    return found;
}

/** Generates a position and all later positions. @param {GameNode} first @returns {Generator<GameNode>} */
function* subtree(first) {
    const rest = [first];
    for (let node = rest.pop(); node; node = rest.pop()) {
        yield node;
        rest.push(...node.children.toReversed());
    }
}

/** @param {GameNode[]} some @param {GameNode[]} others */
const isSame = (some, others) => some.length === others.length && some.every((node, index) => node === others[index]);

/** Removes a round from the list. @param {Row} row */
function removeRow({ played, rest, items }) {
    for (const item of items) item.remove();
    for (const node of [...played, ...rest]) {
        // The same move may have another button already.
        if (!buttons.get(node)?.isConnected) buttons.delete(node);
    }
}

/** Creates the items of a round. @param {Row} row @param {number} round */
function createItems({ played }, round) {
    const { tip } = state.game;
    const others = played.flatMap(({ parent }) => parent?.children.slice(1) ?? []);
    const after = round === Math.max(1, tip.round) ? tip.children : [];
    return [
        ...(played.length > 0 ? [html("li", { value: round }, ...roundParts(played))] : []),
        ...[...others, ...after].map(createVariation),
    ];
}

/** Returns the moves of a round, with a sign for each skipped side. @param {GameNode[]} played */
function roundParts(played) {
    const missing = (/** @type {number} */ index) =>
        played[index].mover - (index > 0 ? played[index - 1].mover + 1 : 0);
    return played.flatMap((node, index) =>
        ["… ".repeat(missing(index)), createMoveButton(node), ...commentParts(node)]);
}

/** Returns the comment on a move, if there is a comment. The comment is text, not markup. @param {GameNode} node */
function commentParts({ notes }) {
    return notes.comment ? [html("span", { class: "comment", dir: "auto" }, notes.comment)] : [];
}

/**
 * Creates the button of a move.
 *
 * @param {GameNode} node The position after the move.
 * @param {string} number The number before the move; empty for none.
 */
function createMoveButton(node, number = "") {
    const button = html("button", { type: "button", "data-move": node.move, "data-number": number, tabindex: -1,
        "aria-current": node === state.game.viewedNode ? "step" : undefined, onclick: () => void viewPosition(node) });
    labelButton(button, node);
    buttons.set(node, button);
    return button;
}

/** Adds the signs and the mark of a move to its button. @param {HTMLButtonElement} button @param {GameNode} node */
function labelButton(button, node) {
    const mark = moveMarkOfNotes(node.notes) || (reviewOfMoveTo(node)?.mark ?? "");
    const { number = "" } = button.dataset;
    const move = node.move + (node.notes.signs ?? "");
    if (button.dataset.label === move + mark) return;
    button.dataset.label = move + mark;
    const name = mark ? `${move}, ${TEXT.markNames[mark]}` : move;
    if (number || mark) button.setAttribute("aria-label", `${number} ${name}`.trim());
    else button.removeAttribute("aria-label");
    button.replaceChildren(number ? `${number} ` : "", move,
        mark ? html("span", { class: "mark-of-move" }, mark) : "");
}

/** @param {GameNode} node The first position of the variation. */
const createVariation = (node) => html("li", { class: "variation" }, ...variationParts(node));

/**
 * Returns the moves of a variation, with nested variations in parentheses.
 *
 * @param {GameNode} first
 * @returns {(HTMLElement | string)[]}
 */
function variationParts(first) {
    const parts = [];
    let interrupted = true;
    for (let node = first; node; node = node.children[0]) {
        parts.push(createMoveButton(node, interrupted || node.mover === 0 ? node.number : ""), ...commentParts(node));
        const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
        for (const other of others) parts.push(html("span", { class: "nested" }, "(", ...variationParts(other), ")"));
        interrupted = others.length > 0;
    }
    return parts;
}

/** Scrolls the list, but nothing around it, to a row. @param {HTMLElement} row */
function scrollToRow(row) {
    const top = row.offsetTop - list.offsetTop;
    const bottom = row.offsetTop - list.offsetTop + row.offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Describes the viewed position. */
export function describePosition() {
    const { viewedNode, tip } = state.game;
    const moved = viewedNode.parent ? `${TEXT.moved(sideWords()[viewedNode.mover], viewedNode.move)} ` : "";
    const location = isInVariation() ? TEXT.viewedVariation(viewedNode.name) : TEXT.viewedPly(viewedNode.ply, tip.ply);
    const result = (isViewingCurrentPosition() && resultTextForPerson()) || TEXT.playerNames(viewedScene().sentence);
    return `${isViewingCurrentPosition() ? moved : `${location} `}${result}.`;
}
