/** @import { GameNode } from "../core/game-tree.js" */
/** @import { State } from "../core/state.js" */
/** @import { Geometry, Player, SuspendedGame } from "../core/types.js" */
import { createClocks, withRunningClock } from "../game/clock.js";
import { ignorePendingResponses, clocksWithMoverRunning } from "../game/game.js";
import { clearedSelection, setState, state } from "../core/state.js";

/**
 * An overlay shows a lesson or a problem in place of the current game. The game is suspended, and
 * is restored when the overlay is closed.
 */

/** The parts of the state that belong to a game. Overlays are not saved, so that their `saveInfo` is `null`. */
const GAME_FIELDS = /** @type {(keyof State)[]} */ ([
    "setup", "geometry", "allowedEndings", "start", "root", "tip", "end", "viewedNode", "flipped", "analysing",
    "review", "saveInfo", "tags",
]);

/** Returns the parts of the state that belong to the current game, with stopped clocks. @returns {SuspendedGame} */
export function gameSnapshot() {
    return /** @type {any} */ ({
        ...Object.fromEntries(GAME_FIELDS.map((part) => [part, state[part]])), clocks: withRunningClock(state.clocks,
            -1),
    });
}

/**
 * Shows a position in place of the current game. People play all sides in it.
 *
 * @param {{ geometry: Geometry, start: string | null, root: GameNode, tip: GameNode, flipped: boolean }} place
 * @param {Partial<State>} changes Further changes of the state.
 */
export function suspendGameAndShow({ geometry, start, root, tip, flipped }, changes) {
    ignorePendingResponses();
    const { game, rules: options, sides: { length } } = geometry;
    const { setup } = state;
    // An equal geometry is reused, so that the board is not redrawn.
    const isSame = state.geometry.game === game && JSON.stringify(state.geometry.rules) === JSON.stringify(options);
    const players = /** @type {Player[]} */ (Array(length).fill("person"));
    setState({
        ...clearedSelection(), geometry: isSame ? state.geometry : geometry,
        setup: { ...setup, game, options, players, clock: null },
        allowedEndings: { resign: [], agree: false, flag: [] }, start, end: null, root, tip, viewedNode: tip,
        targetNode: tip, treeVersion: state.treeVersion + 1, flipped, analysing: false, review: null,
        clocks: createClocks(null, length), tags: [], saveInfo: null, ...changes,
    });
}

/** Takes back all moves after a position. @param {GameNode} node @param {Partial<State>} changes */
export function takeBackMovesAfter(node, changes) {
    node.children = [];
    setState({
        ...clearedSelection(), tip: node, viewedNode: node, targetNode: node, treeVersion: state.treeVersion + 1,
        ...changes,
    });
}

/** Restores a suspended game. @param {object} suspended @param {Partial<State>} changes */
export function restoreSuspendedGame(suspended, changes) {
    ignorePendingResponses();
    const { tip, viewedNode, clocks, allowedEndings } = /** @type {State} */ (suspended);
    setState({
        ...clearedSelection(), ...suspended, targetNode: viewedNode, treeVersion: state.treeVersion + 1,
        clocks: clocksWithMoverRunning(tip, clocks, allowedEndings), ...changes,
    });
}
