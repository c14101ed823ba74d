/** @import { PersonResult } from "../core/types.js" */
import { sideWords, state, TEXT, viewOfNode } from "../core/index.js";

/** Returns the result of the finished game, from the view of the person if only one person played. */
export const gameResultText = () =>
    resultTextForPerson() ?? TEXT.playerNames(viewOfNode(state.game.tip).scene.sentence);

/**
 * Returns the result for the people who played against the engine. Returns `null` if the game goes on, or if people
 * played no side, all sides, or more than one side or team.
 *
 * @returns {PersonResult | null}
 */
export function personResult() {
    const { setup: { players }, tip } = state.game;
    const { winner, why, teams } = viewOfNode(tip).status;
    if (why === null || !players.includes("engine")) return null;
    // The winner may be the word of a team. The teams of `status` are lists of players.
    const groups = teams.length > 0 ? teams : sideWords().map((side) => [side]);
    const mine = groups.filter((group) => group.some((side) => players[sideWords().indexOf(side)] === "person"));
    if (mine.length !== 1) return null;
    if (winner === null) return "drawn";
    const winners = groups.find((group, index) => group.includes(winner) || winner === TEXT.teamWord(index));
    return mine[0] === winners ? "won" : "lost";
}

/**
 * Returns the result for a person who played against the engine: "You won" or "You lost". Returns `null` for any other
 * game, and for a draw.
 */
export function resultTextForPerson() {
    const { winner, why } = viewOfNode(state.game.tip).status;
    const result = personResult();
    if (winner === null || why === null || result === null) return null;
    return result === "won" ? TEXT.youWon(winner, why) : TEXT.youLost(winner, why);
}
