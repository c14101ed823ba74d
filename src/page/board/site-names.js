/** @import { Geometry, Scene, Site } from "../core/types.js" */
import { TEXT } from "../core/index.js";

/** The maximum distance of a square from the centre of a groove next to it, along each axis. */
const NEXT_TO_GROOVE = 1;

/** @type {WeakMap<Geometry, Map<string, string[]>>} The words of the sites, which never change. */
const placesByGeometry = new WeakMap();

/**
 * Returns a function that describes a site for people who do not see the board. An example is "d4,
 * black soldier".
 *
 * @param {Geometry} geometry
 * @param {Scene} scene
 * @returns {(id: string) => string}
 */
export function createSiteDescriber(geometry, scene) {
    /** @type {Map<string, string[]>} */
    const words = new Map();
    const add = (/** @type {string} */ site, /** @type {string} */ word) => {
        words.set(site, [...(words.get(site) ?? []), word]);
    };
    for (const { kind, side, site } of scene.pieces) {
        add(site, side === null ? kind : `${geometry.sides[side]} ${kind}`);
    }
    for (const { kind, site } of scene.marks) add(site, TEXT.marks[kind] ?? kind);
    for (const { kind, from, to } of scene.arrows) add(from, TEXT.arrow(TEXT.arrows[kind] ?? kind, to));
    for (const site of scene.lastsites) add(site, TEXT.lastMove);
    const places = placesByGeometry.get(geometry) ?? describePlaces(geometry);
    placesByGeometry.set(geometry, places);
    return (id) => [id, ...(places.get(id) ?? []), ...(words.get(id) ?? [])].join(", ");
}

/** Returns the words of each site. @param {Geometry} geometry @returns {Map<string, string[]>} */
function describePlaces(geometry) {
    const squares = geometry.sites.filter((site) => hasClass(site, "square"));
    const wordsOf = (/** @type {Site} */ site) => site.class.split(" ").flatMap((word) =>
        (word === "groove" ? describeGroove(site, squares) : TEXT.places[word]?.(geometry.sides) ?? []));
    return new Map(geometry.sites.map((site) => [site.id, wordsOf(site)]));
}

/**
 * Describes a groove by its direction and by the squares on its sides. An example is "horizontal
 * groove between e2 f2 and e3 f3".
 *
 * @param {Site} groove
 * @param {Site[]} squares
 */
function describeGroove(groove, squares) {
    const isVertical = groove.turn % 180 !== 0;
    const near = squares.filter(({ x, y }) =>
        Math.abs(x - groove.x) < NEXT_TO_GROOVE && Math.abs(y - groove.y) < NEXT_TO_GROOVE);
    const ids = (/** @type {boolean} */ isAfter) => near
        .filter(({ x, y }) => (isVertical ? x > groove.x : y > groove.y) === isAfter).map(({ id }) => id);
    return TEXT.grooveBetween(isVertical, ids(false), ids(true));
}

/** @param {Site} site @param {string} word */
const hasClass = (site, word) => site.class.split(" ").includes(word);
