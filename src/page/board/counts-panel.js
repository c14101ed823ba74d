/** @import { Board } from "./board.js" */
/** @import { GameNode } from "../core/game-tree.js" */
/** @import { Count } from "../core/types.js" */
import { elementById, html, setState, sideWords, state, subscribe, svg, TEXT, viewOfNode } from "../core/index.js";
import { askAboutPosition } from "../engine/index.js";

/** The distance between the paths of two players, so that both are visible where they coincide. */
const PATH_OFFSET = 0.16;

/** @type {WeakMap<GameNode, Map<string, Count[] | null>>} The counts by the move of the request; `null` until the
 * response comes. */
const countsByNode = new WeakMap();

/**
 * Shows the numbers that players of the game count, and draws paths on the board, while the panel
 * is open. A move that the board previews also shows what it changes.
 *
 * @param {Board} board
 */
export function mountCountsPanel(board) {
    const panel = elementById("counts", HTMLDetailsElement);
    panel.addEventListener("toggle", () => setState({ board: { counting: panel.open } }));
    subscribe(() => [state.board.counting, state.game.geometry, state.board.flipped, state.game.viewedNode,
        ...shownCounts()], () => {
        const [counts, move] = shownCounts();
        // The old numbers stay until the response comes.
        if (state.board.counting && counts === null) return;
        elementById("counts-table").replaceChildren(...(counts === null ? [] : createRows(counts, move)));
        board.layers.counts.replaceChildren(...(counts ?? []).flatMap((count) => createPath(board, count)));
    });
}

/** Opens or closes the panel. */
export function toggleCounts() {
    const panel = elementById("counts", HTMLDetailsElement);
    panel.open = !panel.open;
    // The event comes later.
    setState({ board: { counting: panel.open } });
}

/** Returns the counts to show, and the move after which they are counted. @returns {[Count[] | null, string]} */
function shownCounts() {
    if (!state.board.counting || state.engine.offlineReason !== null) return [null, ""];
    const { pendingMove, hoveredMove, partialMove } = state.board;
    const move = (pendingMove?.details ?? hoveredMove ?? partialMove)?.move ?? "";
    return [countsOf(state.game.viewedNode, move), move];
}

/** Returns the counts of a position; `null` until the response comes. @param {GameNode} node @param {string} move */
function countsOf(node, move) {
    const counts = countsByNode.get(node) ?? new Map();
    countsByNode.set(node, counts);
    if (!counts.has(move)) {
        counts.set(move, null);
        askAboutPosition(node, "counts", move === "" ? {} : { move }).then((response) => {
            counts.set(move, response);
            setState();
        }, () => counts.delete(move));
    }
    return counts.get(move) ?? null;
}

/**
 * Creates the rows of the table. Two players have a column each. More players have a row each, so that the table is
 * narrow enough for a phone.
 *
 * @param {Count[]} counts
 * @param {string} move
 */
function createRows(counts, move) {
    const names = sideWords().map(TEXT.side);
    const { player } = viewOfNode(state.game.viewedNode).status;
    const labels = [...new Set(counts.map(({ label }) => label))];
    const cellText = (/** @type {string} */ label, /** @type {number} */ side) => {
        const found = counts.find((count) => count.label === label && (count.side ?? player) === side);
        return found ? TEXT.count(found) : "";
    };
    const hasColumns = names.length === 2;
    const columns = hasColumns ? names : labels;
    const rows = hasColumns ? labels.map((label) => [label, ...names.map((_, side) => cellText(label, side))])
        : names.map((name, side) => [name, ...labels.map((label) => cellText(label, side))]);
    return [
        html("tr", {}, html("td", {}, move === "" ? "" : TEXT.afterMove(move)),
            ...columns.map((name) => html("th", { scope: "col" }, name))),
        ...rows.map(([head, ...cells]) => html("tr", {}, html("th", { scope: "row" }, head),
            ...cells.map((text) => html("td", {}, text)))),
    ];
}

/** Creates the path of a count. @param {Board} board @param {Count} count */
function createPath(board, { side, path, sites, after }) {
    const places = (after?.sites ?? sites).flatMap((id) => board.sites.get(id) ?? []);
    if (!path || side === null || places.length < 2) return [];
    const offset = PATH_OFFSET * (side - (sideWords().length - 1) / 2);
    const points = places.map(({ x, y }) => board.toSvg(x, y).map((at) => at + offset).join(" "));
    const d = `M${points.join("L")}`;
    const [cx, cy] = points[points.length - 1].split(" ");
    return [svg("g", { class: `path side-${side} ${sideWords()[side]}` },
        svg("path", { class: "casing", d }), svg("path", { class: "core", d }),
        svg("circle", { class: "end", cx, cy, r: 0.13 }))];
}
