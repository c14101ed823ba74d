import { capitalise, elementById, isGameOver, isGameSuspended, isViewingCurrentPosition, setText, state, subscribe,
    TEXT } from "../core/index.js";
import { gameResultText } from "../game/index.js";
import { canReviewGame, isReviewComplete } from "../analysis/index.js";
import { celebrateWin, endCelebration } from "./flourish.js";

/**
 * Shows a card over the board when a game ends: the result, its reason and the next steps. After a
 * review it also shows the accuracy of the players. A game that is opened after its end has no card.
 */
export function mountEndCard() {
    const parts = () => [state.game.root, isGameOver(), state.game.viewedNode, isGameSuspended(),
        state.engine.offlineReason];
    subscribe(parts, ([root, wasOver]) => {
        const canShow = isViewingCurrentPosition() && !isGameSuspended() && state.engine.offlineReason === null;
        if (!isGameOver() || !canShow) closeEndCard();
        else if (root === state.game.root && !wasOver) openEndCard();
    });
    subscribe(() => [state.analysis.review, state.game.tip, state.game.geometry], () => {
        elementById("end-review").hidden = !canReviewGame() || state.analysis.review !== null;
        setText(elementById("end-accuracy"), accuracyText());
    });
    elementById("end-close").addEventListener("click", closeEndCard);
}

/** Hides the card. */
export function closeEndCard() {
    elementById("end-card").hidden = true;
    endCelebration();
}

function openEndCard() {
    const [result, ...reason] = gameResultText().split(": ");
    setText(elementById("end-result"), result);
    setText(elementById("end-reason"), reason.length > 0 ? `${capitalise(reason.join(": "))}.` : "");
    celebrateWin();
    elementById("end-card").hidden = false;
}

/** Returns the accuracy of the players, or the progress of the review. It is empty without a review. */
function accuracyText() {
    if (state.analysis.review === null) return "";
    const { nodes, result } = state.analysis.review;
    if (!isReviewComplete()) return TEXT.reviewing(result?.moves.length ?? 0, nodes.length - 1);
    return TEXT.accuracies(result?.sides ?? []);
}
