/** @import { Board } from "./board.js" */
/** @import { Site } from "../core/types.js" */

/**
 * Returns the site that a point of the screen means. A site whose shape contains the point comes
 * first. Then comes the site with the nearest centre, and then, among long and thin sites, the site
 * with the nearest long axis. If shapes overlap, the nearest centre decides.
 *
 * @param {Board} board
 * @param {Iterable<string>} ids The sites to choose from.
 * @param {{ clientX: number, clientY: number }} point
 * @param {number} maxDistance The maximum distance of the point from a site, in squares.
 * @returns {string | null}
 */
export function siteNearScreenPoint(board, ids, point, maxDistance) {
    const matrix = board.layers.sites.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(point.clientX, point.clientY).matrixTransform(matrix.inverse());
    const [px, py] = board.toSvg(x, y);
    const near = [...ids].flatMap((id) => {
        const site = board.sites.get(id);
        return site ? [distancesTo(board, site, px, py)] : [];
    });
    const hits = near.filter((site) => site.inside);
    const closest = hits.length > 0
        ? nearest(hits, (site) => site.centre)
        : nearest(near.filter((site) => site.centre <= maxDistance), (site) => site.centre)
            ?? nearest(near.filter((site) => site.axis <= maxDistance), (site) => site.axis);
    return closest?.id ?? null;
}

/** @typedef {{ id: string, inside: boolean, centre: number, axis: number }} Distance */

/** @param {Distance[]} sites @param {(site: Distance) => number} distance @returns {Distance | undefined} */
function nearest(sites, distance) {
    return [...sites].sort((one, other) => distance(one) - distance(other))[0];
}

/** @type {Map<string, { path: Path2D, width: number, height: number }>} Measured shapes by their path data. */
const measuredShapes = new Map();
/** @type {CanvasRenderingContext2D | null} The canvas that tests whether a point is inside a shape. */
let canvas = null;

/**
 * Measures the distances of a point from a site.
 *
 * @param {Board} board
 * @param {Site} site
 * @param {number} x
 * @param {number} y
 * @returns {Distance}
 */
function distancesTo(board, site, x, y) {
    const angle = (-site.turn * Math.PI) / 180;
    const dx = x - site.x;
    const dy = y - site.y;
    const across = dx * Math.cos(angle) - dy * Math.sin(angle);
    const up = dx * Math.sin(angle) + dy * Math.cos(angle);
    const { path, width, height } = shapeOf(board, site);
    canvas ??= document.createElement("canvas").getContext("2d");
    const half = Math.abs(width - height) / 2;
    const beyond = (/** @type {number} */ value) => Math.max(0, Math.abs(value) - half);
    return {
        id: site.id,
        inside: canvas?.isPointInPath(path, across, up) ?? false,
        centre: Math.hypot(dx, dy),
        axis: width > height ? Math.hypot(beyond(across), up) : Math.hypot(across, beyond(up)),
    };
}

/** Returns the shape of a site. Each shape is measured once. @param {Board} board @param {Site} site */
function shapeOf(board, site) {
    const data = board.geometry.shapes[site.shape];
    let shape = measuredShapes.get(data);
    if (!shape) {
        const { width, height } = /** @type {SVGPathElement} */ (board.outlines.get(site.id)).getBBox();
        shape = { path: new Path2D(data), width, height };
        measuredShapes.set(data, shape);
    }
    return shape;
}
