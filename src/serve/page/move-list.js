/** @import { GameNode } from "./tree.js" */
import { byId, html } from "./dom.js";
import { ownResult } from "./end.js";
import { look } from "./game.js";
import { verdict } from "./review.js";
import { reach, rove } from "./roving-focus.js";
import { isAstray, isCurrent, nextWanted, scene, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** Draws the list of the moves of the game and of its variations, each of which shows the position after it. */
export function drawMoves() {
    const list = byId("moves");
    const ways = /** @type {[string, () => GameNode | null][]} */ ([
        ["first", () => state.root], ["back", () => state.wanted.parent],
        ["forward", nextWanted], ["last", () => (isAstray() ? state.here.end : state.tip)],
    ]);
    for (const [id, node] of ways) byId(id).addEventListener("click", () => void look(node()));
    rove(list, "li");
    whenever(() => [state.here, state.tip, state.version, state.review], () => {
        const { here, root, tip } = state;
        /** @type {GameNode[][]} */
        const rounds = [];
        for (const node of tip.path) (rounds[node.round - 1] ??= []).push(node);
        const rows = rounds.flatMap((played, index) => [
            html("li", { value: index + 1 }, ...roundOf(played)),
            ...played.flatMap(({ parent }) => parent?.children.slice(1) ?? []).map(variation),
        ]);
        rows.push(...tip.children.map(variation));
        const focused = list.contains(document.activeElement) && document.activeElement !== list;
        list.replaceChildren(...rows);
        list.dataset.line = here.moves;
        /** @type {HTMLButtonElement | null} */
        const current = list.querySelector("button[aria-current]");
        reach(list, current);
        if (focused) (current ?? list.querySelector("button"))?.focus({ preventScroll: true });
        byId("no-moves").hidden = root.children.length > 0;
        if (current) scroll(list, current);
        for (const id of ["first", "back"]) byId(id, HTMLButtonElement).disabled = here === root;
        const isLast = here === tip || here.children.length === 0;
        for (const id of ["forward", "last"]) byId(id, HTMLButtonElement).disabled = isLast;
    });
}

/** The moves of a round, with a sign for each side that has not moved before another one. @param {GameNode[]} played */
function roundOf(played) {
    const missing = (/** @type {number} */ index) =>
        played[index].mover - (index > 0 ? played[index - 1].mover + 1 : 0);
    return played.flatMap((node, index) => ["… ".repeat(missing(index)), moveButton(node)]);
}

/**
 * A move of the list.
 *
 * @param {GameNode} node The position after it.
 * @param {string} number What stands before it, if anything does.
 */
function moveButton(node, number = "") {
    const mark = verdict(node)?.mark;
    const name = mark ? `${node.move}, ${TEXT.markNames[mark]}` : node.move;
    return html("button", {
        type: "button",
        "data-move": node.move,
        "aria-current": node === state.here ? "step" : undefined,
        "aria-label": number || mark ? `${number} ${name}`.trim() : undefined,
        onclick: () => void look(node),
    }, number ? `${number} ` : "", node.move, mark ? html("span", { class: "mark-of-move" }, mark) : "");
}

/** @param {GameNode} node The first position of the variation. */
const variation = (node) => html("li", { class: "variation" }, ...line(node));

/**
 * The moves of a variation, with those that leave it in brackets.
 *
 * @param {GameNode} first
 * @returns {(HTMLElement | string)[]}
 */
function line(first) {
    const parts = [];
    let interrupted = true;
    for (let node = first; node; node = node.children[0]) {
        parts.push(moveButton(node, interrupted || node.mover === 0 ? node.number : ""));
        const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
        for (const other of others) parts.push(html("span", { class: "nested" }, "(", ...line(other), ")"));
        interrupted = others.length > 0;
    }
    return parts;
}

/** Scrolls the list, and nothing around it, to a row. @param {HTMLElement} list @param {HTMLElement} row */
function scroll(list, row) {
    const [top, bottom] = [row.offsetTop - list.offsetTop, row.offsetTop - list.offsetTop + row.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** What is said about the position that is looked at. */
export function sentence() {
    const { here, tip } = state;
    const moved = here.parent ? `${TEXT.moved(sides()[here.mover], here.move)} ` : "";
    const place = isAstray() ? TEXT.astray(here.name) : TEXT.viewed(here.ply, tip.ply);
    const result = (isCurrent() && ownResult()) || TEXT.named(scene().sentence);
    return `${isCurrent() ? moved : `${place} `}${result}.`;
}
