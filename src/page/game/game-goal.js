import { elementById, sideWords, state, subscribe, TEXT, viewOfNode } from "../core/index.js";

/** Shows the goal of the game below the board, and the sides that the person plays. */
export function mountGameGoal() {
    subscribe(() => [state.game.geometry, state.game.setup, state.game.root], () => {
        const { geometry: { aim }, setup: { players }, root } = state.game;
        const ownSides = sideWords().filter((_, side) => players[side] === "person");
        const { teams } = viewOfNode(root).status;
        // The sides need no names if all players are people or all are engines.
        const ownSidesText = ownSides.length < sideWords().length && ownSides.length > 0 ? [TEXT.youAre(ownSides)] : [];
        const teamsText = teams.length > 0 ? [TEXT.teams(teams)] : [];
        elementById("aim").textContent = [TEXT.aim(aim), ...ownSidesText, ...teamsText].join(" ");
    });
}
