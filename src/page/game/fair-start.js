/** @import { Setup } from "../core/types.js" */
import { capitalise, isGameOver, isViewingCurrentPosition, playerToMove, setState, sideWords, state,
    TEXT } from "../core/index.js";
import { sendRequest } from "../engine/index.js";
import { exchangeSides, startGame } from "./game.js";

/**
 * The ways to begin a game, which a setup names in `fairStart`: "" for the start position, "balanced" for a random
 * opening from which either side can win, "swap" if the second player may swap sides after the first move (the pie
 * rule), "swapped" when the players have swapped, and "handicap 1" if the engine has less by the first handicap.
 */

/** Returns the number of the handicap of a setup; 0 without one. @param {string} fairStart */
export const parseHandicapNumber = (fairStart) =>
    Number(/^handicap (?<number>\d)$/.exec(fairStart)?.groups?.number ?? 0);

/** Starts a new game with its way to begin. @param {Setup} setup */
export async function startNewGame(setup) {
    const { game, players } = setup;
    const fairStart = setup.fairStart === "swapped" ? "swap" : setup.fairStart;
    const number = parseHandicapNumber(fairStart);
    let { options } = setup;
    let start = null;
    if (fairStart === "balanced" || number > 0) {
        const { starts: { balanced, handicaps } } = await sendRequest({ game, options, ask: "starts" });
        const isAgainstEngine = players.length === 2 && players[0] !== players[1];
        const handicap = isAgainstEngine ? handicaps[number - 1]?.starts[players.indexOf("engine")] : null;
        options = { ...options, ...handicap?.options };
        start = handicap?.fen ?? (number > 0 ? null : balanced?.fen ?? null);
    }
    await startGame({ ...setup, options }, { start, fairStart });
}

/** Returns whether the player to move may swap sides instead. */
export function canSwapSides() {
    const { setup: { fairStart, players }, tip, start } = state.game;
    return fairStart === "swap" && players.length === 2 && tip.ply === 1 && start === null && !isGameOver();
}

/** Returns whether a person may swap sides now. */
export const canPersonSwap = () =>
    canSwapSides() && state.game.setup.players[playerToMove()] === "person" && isViewingCurrentPosition();

/** Swaps the sides of the players. A takeback reverts it. */
export function swapSides() {
    const isEngine = state.game.setup.players[playerToMove()] === "engine";
    const [first, second] = sideWords().map(TEXT.side);
    exchangeSides("swapped");
    setState({ app: { note: capitalise(isEngine ? TEXT.engineSwaps(first, second) : TEXT.swapped) } });
}
