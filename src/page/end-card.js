import { elementById, setText } from "./dom.js";
import { endingText } from "./game-over.js";
import { canReviewGame, isReviewComplete } from "./review.js";
import { isGameOver, isGameSuspended, isViewingCurrentPosition, state, subscribe } from "./state.js";
import { capitalise, TEXT } from "./strings.js";

/**
 * Shows a card over the board when a game ends: the result, its reason and the next steps. After a
 * review it also shows the accuracy of the players. A game that is opened after its end has no card.
 */
export function mountEndCard() {
    const card = elementById("end-card");
    const parts = () => [state.root, isGameOver(), state.viewedNode, isGameSuspended(), state.offlineReason];
    subscribe(parts, ([root, wasOver]) => {
        const canShow = isViewingCurrentPosition() && !isGameSuspended() && state.offlineReason === null;
        if (!isGameOver() || !canShow) card.hidden = true;
        else if (root === state.root && !wasOver) openEndCard();
    });
    subscribe(() => [state.review, state.tip, state.geometry], () => {
        elementById("end-review").hidden = !canReviewGame() || state.review !== null;
        setText(elementById("end-accuracy"), accuracyText());
    });
    elementById("end-close").addEventListener("click", closeEndCard);
}

/** Hides the card. */
export function closeEndCard() {
    elementById("end-card").hidden = true;
}

function openEndCard() {
    const [result, ...reason] = endingText().split(": ");
    setText(elementById("end-result"), result);
    setText(elementById("end-reason"), reason.length > 0 ? `${capitalise(reason.join(": "))}.` : "");
    elementById("end-card").hidden = false;
}

/** Returns the accuracy of the players, or the progress of the review. It is empty without a review. */
function accuracyText() {
    if (state.review === null) return "";
    const { nodes, result } = state.review;
    if (!isReviewComplete()) return TEXT.reviewing(result?.moves.length ?? 0, nodes.length - 1);
    return TEXT.accuracies(result?.sides ?? []);
}
