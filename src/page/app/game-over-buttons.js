import { elementById, isGameOver, isGameSuspended, isViewingCurrentPosition, setText, sideWords, state, subscribe,
    TEXT } from "../core/index.js";
import { canPersonSwap, continueTally, startNewGame, swapSides, swapTallySides } from "../game/index.js";
import { canReviewGame } from "../analysis/index.js";

/** Shows the buttons for a rematch and for the turning points when the game is over. */
export function mountGameOverButtons() {
    subscribe(() => [state.game.viewedNode, state.game.tip, state.game.end, state.game.geometry, isGameSuspended(),
        state.engine.offlineReason], () => {
        const isEnd = isGameOver() && isViewingCurrentPosition() && !isGameSuspended()
            && state.engine.offlineReason === null;
        elementById("rematch").hidden = !isEnd;
        elementById("practise-end").hidden = !isEnd || !canReviewGame();
    });
}

/** Starts the same game again. Each player moves to the next side, unless the players have just swapped sides. */
export async function startRematch() {
    const { setup } = state.game;
    const isTurned = setup.fairStart !== "swapped";
    const players = isTurned ? [...setup.players.slice(-1), ...setup.players.slice(0, -1)] : setup.players;
    continueTally(isTurned);
    await startNewGame({ ...setup, players });
}

/** Shows the button with which a person swaps sides after the first move. */
export function mountSwapButton() {
    const button = elementById("swap");
    subscribe(() => [canPersonSwap() && !isGameSuspended(), state.game.geometry], () => {
        button.hidden = !canPersonSwap() || isGameSuspended();
        setText(button, TEXT.swapSides(sideWords()[0]));
    });
    button.addEventListener("click", () => {
        swapSides();
        swapTallySides();
    });
}
