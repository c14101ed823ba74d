import { elementById, sideWords, state, subscribe, svg, TEXT } from "../core/index.js";
import { formatScore, negateScore, scoreOfReviewValue } from "../engine/index.js";
import { viewPosition } from "../game/index.js";

/** The size of the graph on the screen, so that nothing in it is distorted. */
let size = { width: 320, height: 44 };
/** The space above and below the curve for the dots. */
const MARGIN = 7;
/** The radius of the dots of a mistake and of a blunder. */
const DOT_RADIUS = /** @type {Record<string, number>} */ ({ "?": 3.5, "??": 5 });

/**
 * Draws the first side's chance after each move as a curve, by the chances of people. Clicks and keys on the curve
 * choose a position.
 */
export function mountReviewGraph() {
    const element = elementById("graph", SVGSVGElement);
    element.addEventListener("click", (event) => {
        const { left, width } = element.getBoundingClientRect();
        viewIndex(Math.round(((event.clientX - left) / width) * (graphNodes().length - 1)));
    });
    element.addEventListener("keydown", onKeyDown);
    // The size is known without a measurement during the drawing of a move.
    new ResizeObserver(([{ contentRect: { width, height } }]) => {
        if (width === 0 || (width === size.width && height === size.height)) return;
        size = { width, height };
        draw(element);
    }).observe(element);
    subscribe(() => [state.analysis.review, state.game.viewedNode], () => draw(element));
}

/** Returns the reviewed positions, from the start on. */
function graphNodes() {
    const { nodes = [], result = null } = state.analysis.review ?? {};
    return result && result.moves.length > 0 ? nodes.slice(0, result.moves.length + 1) : [];
}

/** Returns the scores of these positions for the first side. */
function graphScores() {
    const moves = state.analysis.review?.result?.moves ?? [];
    const [first] = sideWords();
    const { odds: winRateScale } = state.game.geometry;
    const last = moves.at(-1);
    const values = moves.map(({ side, before, human_chances: [chance] }) => ({ side, value: before, chance }));
    if (last) values.push({ side: last.side, value: last.after, chance: last.human_chances[1] });
    return values.map(({ side, value, chance }) => {
        const score = scoreOfReviewValue(value, winRateScale);
        if (!score) return null;
        const shown = { ...score, chance: chance ?? score.chance };
        return side === first ? shown : negateScore(shown);
    });
}

/** @param {SVGSVGElement} element */
function draw(element) {
    const nodes = graphNodes();
    element.toggleAttribute("hidden", nodes.length < 2);
    if (nodes.length < 2) return;
    const { width, height } = size;
    const marks = ["", ...(state.analysis.review?.result?.moves ?? []).map(({ mark }) => mark)];
    const values = graphScores();
    const across = (/** @type {number} */ index) => (width * index) / (nodes.length - 1);
    const points = values.map((score, index) => [across(index),
        MARGIN + (height - 2 * MARGIN) * (1 - (score?.chance ?? 0.5))]);
    const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const moments = marks.flatMap((mark, index) => {
        const [cx, cy] = points[index];
        const name = `moment ${mark === "??" ? "blunder" : ""}`;
        return mark ? [svg("circle", { class: name, cx, cy, r: DOT_RADIUS[mark] })] : [];
    });
    const at = nodes.indexOf(state.game.viewedNode);
    element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    element.replaceChildren(
        svg("rect", { class: `part side-1 ${sideWords()[1]}`, width, height }),
        svg("path", { class: `part side-0 ${sideWords()[0]}`, d: `M0 ${height}L${line}L${width} ${height}z` }),
        svg("line", { class: "middle", x1: 0, y1: height / 2, x2: width, y2: height / 2 }),
        svg("path", { class: "curve", d: `M${line}` }),
        ...moments,
        ...(at < 0 ? [] : [svg("line", { class: "here", x1: across(at), y1: 0, x2: across(at), y2: height })]),
    );
    const score = values[at];
    const words = score ? formatScore(score, sideWords()) : TEXT.unknown;
    element.setAttribute("aria-valuemax", String(nodes.length - 1));
    element.setAttribute("aria-valuenow", String(Math.max(0, at)));
    element.setAttribute("aria-valuetext",
        at < 0 ? TEXT.offGraph : TEXT.graphAt(at > 0 ? nodes[at].name : TEXT.first, words, marks[at]));
}

/** @param {number} index */
function viewIndex(index) {
    const nodes = graphNodes();
    void viewPosition(nodes[Math.max(0, Math.min(index, nodes.length - 1))]);
}

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
    const targetIndex = graphNodes().indexOf(state.game.targetNode);
    const last = graphNodes().length - 1;
    const goal = /** @type {Record<string, number>} */ ({
        ArrowLeft: targetIndex - 1, ArrowDown: targetIndex - 1, ArrowRight: targetIndex + 1, ArrowUp: targetIndex + 1,
        PageDown: targetIndex - 10, PageUp: targetIndex + 10, Home: 0, End: last,
    })[event.key];
    if (goal === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    viewIndex(goal);
}
