import { elementById, isGameOver, isGameSuspended, isViewingCurrentPosition, state, subscribe } from "../core/index.js";
import { startGame } from "../game/index.js";
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

/** Starts the same game again. Each player moves to the next side. */
export async function startRematch() {
    const { setup } = state.game;
    const players = [...setup.players.slice(-1), ...setup.players.slice(0, -1)];
    await startGame({ ...setup, players });
}
