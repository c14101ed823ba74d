import { elementById } from "../core/dom.js";
import { startGame } from "../game/game.js";
import { canReviewGame, toggleReview } from "../analysis/review.js";
import { isGameSuspended, isViewingCurrentPosition, isGameOver, state, subscribe } from "../core/state.js";

/** Shows the buttons for a rematch and a review when the game is over. */
export function mountGameOverButtons() {
    subscribe(() => [state.game.viewedNode, state.game.tip, state.game.end, state.game.geometry, isGameSuspended(),
        state.engine.offlineReason], () => {
        const isEnd = isGameOver() && isViewingCurrentPosition() && !isGameSuspended()
            && state.engine.offlineReason === null;
        elementById("rematch").hidden = !isEnd;
        for (const id of ["review-end", "practise-end"]) elementById(id).hidden = !isEnd || !canReviewGame();
    });
}

/** Starts the same game again. Each player moves to the next side. */
export async function startRematch() {
    const { setup } = state.game;
    const players = [...setup.players.slice(-1), ...setup.players.slice(0, -1)];
    await startGame({ ...setup, players });
}

/** Reviews the game and shows the analysis panel. */
export async function reviewFinishedGame() {
    const panel = elementById("analysis", HTMLDetailsElement);
    panel.open = true;
    const button = elementById("review");
    button.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
    if (!state.analysis.review) await toggleReview();
}
