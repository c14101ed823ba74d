/** @import { Geometry, Scene } from "../core/types.js" */
import { TEXT } from "../core/strings.js";

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
    const kinds = new Map(geometry.sites.map((site) => [site.id, site.class.split(" ")]));
    return (id) => {
        const places = (kinds.get(id) ?? []).flatMap((word) => TEXT.places[word]?.(geometry.sides) ?? []);
        return [id, ...places, ...(words.get(id) ?? [])].join(", ");
    };
}
