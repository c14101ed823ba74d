import { analyse } from "./analysis.js";
import { drawAdvice } from "./advice-arrows.js";
import { drawLines } from "./analysis-lines.js";
import { BoardKeys } from "./board-keys.js";
import { listen } from "./board-pointer.js";
import { run } from "./clock.js";
import { drawConsole } from "./console.js";
import { controls } from "./controls.js";
import { byId } from "./dom.js";
import { playEngine } from "./engine-player.js";
import { drawEvaluation } from "./evaluation.js";
import { begin, forgetBegun, timed } from "./game.js";
import { restartHover } from "./hover.js";
import { restartChoices } from "./move-input.js";
import { drawMoves } from "./move-list.js";
import { drawOwn } from "./own-marks.js";
import { drawPlayers } from "./players.js";
import { drawPositionPanel } from "./position-panel.js";
import { watchPremoves } from "./premove.js";
import { drawPreview } from "./preview.js";
import { ask, connect, Refused } from "./requests.js";
import { drawReview } from "./review.js";
import { drawGraph } from "./review-graph.js";
import { drawRules } from "./rules-panel.js";
import { keep, kept } from "./saved-game.js";
import { takeSettings } from "./settings.js";
import { settingsDialog } from "./settings-dialog.js";
import { setupDialog, usualSetup } from "./setup-dialog.js";
import { soundGame } from "./sounds.js";
import { change, state, whenever } from "./state.js";
import { TEXT, write } from "./strings.js";
import { drawTable } from "./table.js";

/** The code of a connection that the server ends because it has no session left. */
const TRY_AGAIN_LATER = 1013;

/** @param {string | null} offline Why the page has no engine; nothing if it has one. */
function setOffline(offline) {
    byId("offline-text").textContent = offline ?? "";
    byId("offline").hidden = offline === null;
    // Before there is a game there is nothing else to be changed.
    if (!state.root) return;
    change({ offline, clocks: offline === null ? timed(state.tip, state.clocks) : run(state.clocks, -1) });
}

/** Connects, and goes on with the game. @returns {Promise<boolean>} Whether there is an engine. */
async function connected() {
    const isOpen = await connect((code) => setOffline(code === TRY_AGAIN_LATER ? TEXT.full : TEXT.lost));
    if (isOpen) forgetBegun();
    setOffline(isOpen ? null : TEXT.failed);
    return isOpen;
}

/** Begins the game that the tab has kept, or a new one. */
async function start() {
    const { games, options } = await ask({ ask: ["games", "options"] });
    change({ games, options });
    try {
        const old = kept();
        if (old) await begin(old.setup, old);
    } catch (error) {
        // What was kept is of another version of the engine.
        if (!(error instanceof Refused)) throw error;
    }
    if (!state.root) await begin(usualSetup());
    draw();
    addEventListener("pagehide", keep);
}

/** Has everything drawn, from now on. */
function draw() {
    restartChoices();
    restartHover();
    const board = drawTable();
    const keys = new BoardKeys(board);
    listen(board);
    drawPlayers(board);
    drawMoves();
    drawPreview();
    drawAdvice(board);
    drawOwn(board);
    drawLines();
    drawEvaluation();
    drawReview();
    drawGraph();
    drawPositionPanel();
    drawRules();
    drawConsole();
    whenever(() => [state.setup, state.tip, state.end, state.version], keep);
    analyse();
    watchPremoves();
    soundGame();
    playEngine();
    controls(setupDialog(), settingsDialog(), () => keys.focus());
    change();
}

write();
takeSettings();
byId("reconnect").addEventListener("click", () => {
    if (state.root) void connected();
    else location.reload();
});
if (await connected()) await start();
