import { capitalise, elementById, isGameOver, isGameSuspended, isViewingCurrentPosition, setText, state,
    subscribe } from "../core/index.js";
import { gameResultText, sentencesAboutEnd } from "../game/index.js";
import { canReviewGame } from "../analysis/index.js";
import { celebrateWin, endCelebration } from "./celebration.js";

/**
 * Shows a card when a game ends: the result, its reason and the next steps. It does not cover the final position. A
 * game that is opened after its end has no card.
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
    const sentences = sentencesAboutEnd();
    elementById("end-series").hidden = sentences.length === 0;
    setText(elementById("end-series"), sentences.join(" "));
    celebrateWin();
    elementById("end-card").hidden = false;
}
