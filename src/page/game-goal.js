import { byId } from "./dom.js";
import { sides, state, subscribe, viewOf } from "./state.js";
import { TEXT } from "./strings.js";

/** Shows the goal of the game below the board, and the sides that the person plays. */
export function drawGameGoal() {
    subscribe(() => [state.geometry, state.setup, state.root], () => {
        const { geometry: { aim }, setup: { players }, root } = state;
        const ownSides = sides().filter((_, side) => players[side] === "person");
        const { teams } = viewOf(root).status;
        // The sides need no names if all players are people or all are engines.
        const ownSidesText = ownSides.length < sides().length && ownSides.length > 0 ? [TEXT.youAre(ownSides)] : [];
        const teamsText = teams.length > 0 ? [TEXT.teams(teams)] : [];
        byId("aim").textContent = [TEXT.aim(aim), ...ownSidesText, ...teamsText].join(" ");
    });
}
