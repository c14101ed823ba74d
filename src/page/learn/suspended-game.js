/** @import { GameNode } from "../core/game-tree.js" */
/** @import { StateChanges } from "../core/state.js" */
/** @import { Geometry, Player, SuspendedGame } from "../core/types.js" */
import { selectionResetChanges, setState, state } from "../core/index.js";
import { clocksWithMoverRunning, createClocks, ignorePendingResponses, clocksWithRunningSide } from "../game/index.js";

/**
 * An overlay shows a lesson or a problem in place of the current game. The game is suspended, and
 * is restored when the overlay is closed.
 */

/** Returns the parts of the state that belong to the current game, with stopped clocks. @returns {SuspendedGame} */
export function gameSnapshot() {
    const { game, board: { flipped }, analysis: { isOn, review } } = state;
    const clocks = clocksWithRunningSide(game.clocks, -1);
    return { game: { ...game, clocks }, board: { flipped }, analysis: { isOn, review } };
}

/**
 * Shows a position in place of the current game. People play all sides in it. It is not saved.
 *
 * @param {{ geometry: Geometry, start: string | null, root: GameNode, tip: GameNode, flipped: boolean }} place
 * @param {StateChanges} changes Further changes of the state.
 */
export function suspendGameAndShow({ geometry, start, root, tip, flipped }, changes) {
    ignorePendingResponses();
    const { game, rules: options, sides: { length } } = geometry;
    const { setup, geometry: old, treeVersion } = state.game;
    // An equal geometry is reused, so that the board is not redrawn.
    const isSame = old.game === game && JSON.stringify(old.rules) === JSON.stringify(options);
    const players = /** @type {Player[]} */ (Array(length).fill("person"));
    const shown = {
        geometry: isSame ? old : geometry, setup: { ...setup, game, options, players, clock: null },
        allowedEndings: { resign: [], agree: false, flag: [] }, start, end: null, root, tip, viewedNode: tip,
        targetNode: tip, treeVersion: treeVersion + 1, clocks: createClocks(null, length), tags: [], saveInfo: null,
    };
    const analysis = { isOn: false, review: null };
    setState(selectionResetChanges(), { game: shown, board: { flipped }, analysis }, changes);
}

/** Takes back all moves after a position. @param {GameNode} node @param {StateChanges} changes */
export function takeBackMovesAfter(node, changes) {
    node.children = [];
    const game = { tip: node, viewedNode: node, targetNode: node, treeVersion: state.game.treeVersion + 1 };
    setState(selectionResetChanges(), { game }, changes);
}

/** Restores a suspended game. @param {SuspendedGame} suspended @param {StateChanges} changes */
export function restoreSuspendedGame(suspended, changes) {
    ignorePendingResponses();
    const { tip, viewedNode, clocks, allowedEndings } = suspended.game;
    const game = {
        targetNode: viewedNode, treeVersion: state.game.treeVersion + 1,
        clocks: clocksWithMoverRunning(tip, clocks, allowedEndings),
    };
    setState(selectionResetChanges(), suspended, { game }, changes);
}
