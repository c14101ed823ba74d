/** @import { Scene } from "../core/types.js" */
import { html, svg, TEXT } from "../core/index.js";

/**
 * Creates the legend of the marks and arrows in a position. Each kind has one entry.
 *
 * @param {Scene} scene
 * @returns {HTMLElement[]}
 */
export function createBoardLegend(scene) {
    const kinds = (/** @type {{ kind: string }[]} */ things) => [...new Set(things.map(({ kind }) => kind))];
    const entry = (/** @type {SVGElement} */ drawing, /** @type {string} */ text) => html("span", {},
        svg("svg", { class: "icon", viewBox: "-0.25 -0.25 0.5 0.5", "aria-hidden": "true" }, drawing), text);
    const marks = kinds(scene.marks).map((kind) => {
        const use = svg("use", { href: `#mark-${kind}`, x: -0.2, y: -0.2, width: 0.4, height: 0.4 });
        return entry(svg("g", { class: `mark ${kind}` }, use), TEXT.marks[kind] ?? kind);
    });
    const arrows = kinds(scene.arrows).map((kind) => {
        const path = svg("path", { class: "shaft", d: "M-0.2 0H0.2M0.05 -0.12L0.2 0L0.05 0.12" });
        return entry(svg("g", { class: `arrow ${kind}` }, path), TEXT.arrows[kind] ?? kind);
    });
    return [...marks, ...arrows];
}
