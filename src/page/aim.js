import { byId } from "./dom.js";
import { seen, sides, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** Says under the board what the game is about, and for which sides the person plays. */
export function drawAim() {
    whenever(() => [state.geometry, state.setup, state.root], () => {
        const { geometry: { aim }, setup: { players }, root } = state;
        const own = sides().filter((_, side) => players[side] === "person");
        const { teams } = seen(root).status;
        // At a table of people, or of engines, nobody needs to be told.
        const who = own.length < sides().length && own.length > 0 ? [TEXT.youAre(own)] : [];
        byId("aim").textContent = [TEXT.aim(aim), ...who, ...(teams.length > 0 ? [TEXT.teams(teams)] : [])].join(" ");
    });
}
