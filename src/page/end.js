import { byId } from "./dom.js";
import { begin } from "./game.js";
import { isReviewable, review } from "./review.js";
import { isAside, isCurrent, isOver, seen, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** Offers another game and a review next to the result of the game. */
export function drawEnd() {
    whenever(() => [state.here, state.tip, state.end, state.geometry, isAside(), state.offline], () => {
        const isEnd = isOver() && isCurrent() && !isAside() && state.offline === null;
        byId("rematch").hidden = !isEnd;
        for (const id of ["review-end", "practise-end"]) byId(id).hidden = !isEnd || !isReviewable();
    });
}

/** Begins the same game again, in which each player takes the side after his own. */
export async function rematch() {
    const { setup } = state;
    const players = [...setup.players.slice(-1), ...setup.players.slice(0, -1)];
    await begin({ ...setup, players });
}

/** Reviews the game in the panel for that. */
export async function reviewFromEnd() {
    const panel = byId("analysis", HTMLDetailsElement);
    panel.open = true;
    const button = byId("review");
    button.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
    if (!state.review) await review();
}

/**
 * How the game in play has ended, as somebody is told who has played it against the engine. Nothing if it goes on, is
 * drawn, or nobody has played so.
 */
export function ownResult() {
    const { setup: { players }, tip } = state;
    const { winner, why, teams } = seen(tip).status;
    if (winner === null || why === null) return null;
    // A team is one player here, by the word for it: its members are those of one list.
    const groups = teams.length > 0 ? teams : sides().map((side) => [side]);
    const mine = groups.filter((group) => group.some((side) => players[sides().indexOf(side)] === "person"));
    const winners = groups.find((group, index) => group.includes(winner) || winner === TEXT.teamWord(index));
    if (mine.length !== 1 || !winners) return null;
    return mine[0] === winners ? TEXT.youWon(winner, why) : TEXT.youLost(winner, why);
}
