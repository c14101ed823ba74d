/** @import { GameNode } from "./tree.js" */
/** @import { Geometry, Player } from "./types.js" */
/** @import { State } from "./state.js" */
import { newClocks, run } from "./clock.js";
import { dropUnanswered, timed } from "./game.js";
import { change, choiceFromStart, state } from "./state.js";

/**
 * The game in play is put aside for a lesson or for problems, which show positions of their own, and is as it was when
 * they are left.
 */

/** The parts of the state that belong to a game; `kept` is what it is kept as, and what is shown meanwhile is not. */
const OF_GAME = /** @type {(keyof State)[]} */ ([
    "setup", "geometry", "may", "start", "root", "tip", "end", "here", "flipped", "analysing", "review", "kept",
    "tags",
]);

/** @typedef {Pick<State, "setup" | "start" | "root" | "geometry" | "kept" | "tip">} Aside A game that is put aside. */

/** The parts of the state that belong to the game in play. Its clocks stand still in them. @returns {Aside} */
export function gameAside() {
    return /** @type {any} */ ({
        ...Object.fromEntries(OF_GAME.map((part) => [part, state[part]])), clocks: run(state.clocks, -1),
    });
}

/**
 * Shows a position in the place of the game in play, in which people move on all sides.
 *
 * @param {{ geometry: Geometry, start: string | null, root: GameNode, tip: GameNode, flipped: boolean }} place
 * @param {Partial<State>} changes What else changes.
 */
export function showAside({ geometry, start, root, tip, flipped }, changes) {
    dropUnanswered();
    const { game, rules: options, sides: { length } } = geometry;
    const { setup } = state;
    // The board is drawn anew only if it is another one.
    const isSame = state.geometry.game === game && JSON.stringify(state.geometry.rules) === JSON.stringify(options);
    const players = /** @type {Player[]} */ (Array(length).fill("person"));
    change({
        ...choiceFromStart(), geometry: isSame ? state.geometry : geometry,
        setup: { ...setup, game, options, players, clock: null }, may: { resign: [], agree: false, flag: [] },
        start, end: null, root, tip, here: tip, wanted: tip, version: state.version + 1, flipped, analysing: false,
        review: null, clocks: newClocks(null, length), tags: [], .../** @type {any} */ ({ kept: null }), ...changes,
    });
}

/** Takes back what was played from a position on. @param {GameNode} node @param {Partial<State>} changes */
export function takeBackTo(node, changes) {
    node.children = [];
    change({ ...choiceFromStart(), tip: node, here: node, wanted: node, version: state.version + 1, ...changes });
}

/** Goes on with the game that was put aside. @param {object} aside @param {Partial<State>} changes */
export function endAside(aside, changes) {
    dropUnanswered();
    const { tip, here, clocks, may } = /** @type {State} */ (aside);
    change({
        ...choiceFromStart(), ...aside, wanted: here, version: state.version + 1, clocks: timed(tip, clocks, may),
        ...changes,
    });
}
