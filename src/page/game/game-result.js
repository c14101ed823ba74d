import { sideWords, state, TEXT, viewOfNode } from "../core/index.js";

/** Returns the result of the finished game, from the view of the person if only one person played. */
export const gameResultText = () =>
    resultTextForPerson() ?? TEXT.playerNames(viewOfNode(state.game.tip).scene.sentence);

/**
 * Returns the result for a person who played against the engine: "You won" or "You lost". Returns
 * `null` if the game goes on or is drawn. Also returns `null` if people played no side, or more
 * than one side or team.
 */
export function resultTextForPerson() {
    const { setup: { players }, tip } = state.game;
    const { winner, why, teams } = viewOfNode(tip).status;
    if (winner === null || why === null) return null;
    // The winner may be the word of a team. The teams of `status` are lists of players.
    const groups = teams.length > 0 ? teams : sideWords().map((side) => [side]);
    const mine = groups.filter((group) => group.some((side) => players[sideWords().indexOf(side)] === "person"));
    const winners = groups.find((group, index) => group.includes(winner) || winner === TEXT.teamWord(index));
    if (mine.length !== 1 || !winners) return null;
    return mine[0] === winners ? TEXT.youWon(winner, why) : TEXT.youLost(winner, why);
}
