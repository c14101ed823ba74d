import { elementById, sideWords, state, subscribe, TEXT, viewOfNode } from "../core/index.js";
import { AUTO_LEVEL, autoLevelText } from "./auto-level.js";

/** Shows the goal of the game below the board, and the sides that the person plays. */
export function mountGameGoal() {
    subscribe(() => [state.game.geometry, state.game.setup, state.game.root], () => {
        const { geometry: { aim }, setup: { game, players, level }, root } = state.game;
        const ownSides = sideWords().filter((_, side) => players[side] === "person");
        const { teams } = viewOfNode(root).status;
        // The sides need no names if all players are people or all are engines.
        const ownSidesText = ownSides.length < sideWords().length && ownSides.length > 0 ? [TEXT.youAre(ownSides)] : [];
        const teamsText = teams.length > 0 ? [TEXT.teams(teams)] : [];
        const isAuto = level === AUTO_LEVEL && players.includes("engine");
        const levelText = isAuto ? [TEXT.autoLevel(autoLevelText(game))] : [];
        elementById("aim").textContent = [TEXT.aim(aim), ...ownSidesText, ...teamsText, ...levelText].join(" ");
    });
}
