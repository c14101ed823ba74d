import { drawAim } from "./aim.js";
import { followAddress, isOwnAddress, keepAddress, namesProblem } from "./address.js";
import { analyse } from "./analysis.js";
import { drawAdvice } from "./advice-arrows.js";
import { drawLines } from "./analysis-lines.js";
import { BoardKeys } from "./board-keys.js";
import { listen } from "./board-pointer.js";
import { run } from "./clock.js";
import { drawConsole } from "./console.js";
import { controls } from "./controls.js";
import { byId } from "./dom.js";
import { drawEnd } from "./end.js";
import { playEngine } from "./engine-player.js";
import { drawEvaluation } from "./evaluation.js";
import { timed } from "./game.js";
import { gamesDialog, tellUsualHost } from "./games-dialog.js";
import { restartHover } from "./hover.js";
import { keepFocus } from "./keep-focus.js";
import { judgeLesson } from "./lesson.js";
import { drawLesson } from "./lesson-panel.js";
import { makeAhead, restartChoices } from "./move-input.js";
import { drawMoves } from "./move-list.js";
import { drawNotes } from "./notes-panel.js";
import { drawOwn } from "./own-marks.js";
import { drawPlayers } from "./players.js";
import { drawPositionPanel } from "./position-panel.js";
import { watchPremoves } from "./premove.js";
import { drawPreview } from "./preview.js";
import { judgeSolving } from "./problems.js";
import { drawProblems } from "./problems-panel.js";
import { stayConnected } from "./reconnect.js";
import { ask, explained } from "./requests.js";
import { drawReview } from "./review.js";
import { drawGraph } from "./review-graph.js";
import { drawRules } from "./rules-panel.js";
import { beginKeptGame, keepGames } from "./saved-game.js";
import { takeSettings } from "./settings.js";
import { settingsDialog } from "./settings-dialog.js";
import { beginUsual, setupDialog } from "./setup-dialog.js";
import { soundGame } from "./sounds.js";
import { change, state, whenever } from "./state.js";
import { TEXT, write } from "./strings.js";
import { drawTable } from "./table.js";
import { HAS_SERVER } from "./transport.js";

/** The reason why there is no connection; `null` while there is one. @type {string | null} */
let unconnected = null;

/** Updates the state and the warning when the engine becomes available or unavailable. */
function checkEngine() {
    const offline = unconnected ?? (state.elsewhere ? TEXT.elsewhere : null);
    byId("offline-text").textContent = offline ?? "";
    byId("offline").hidden = offline === null;
    byId("reconnect").hidden = unconnected === null;
    byId("take-over").hidden = unconnected !== null;
    // Before the first game, the state has no other parts to update.
    if (!state.root || offline === state.offline) return;
    change({ offline, clocks: offline === null ? timed(state.tip, state.clocks) : run(state.clocks, -1) });
}

/** Starts the game of the address, the saved game of this tab, or a new one. */
async function start() {
    const { games, options } = await ask({ ask: ["games", "options"] });
    change({ games, options });
    let note = "";
    try {
        const isOwn = isOwnAddress();
        if (isOwn || !await followAddress()) await beginKeptGame();
        // A reloaded problem is shown over the suspended game.
        if (isOwn && state.root && namesProblem()) await followAddress();
    } catch (error) {
        // An invalid game stays in the list, and the page remains usable.
        note = TEXT.notResumed(explained(error));
    }
    if (!state.root && !await followAddress()) await beginUsual();
    draw();
    if (note) change({ note });
}

/** Draws the page and subscribes its parts to the state. */
function draw() {
    restartChoices();
    restartHover();
    const board = drawTable();
    const keys = new BoardKeys(board);
    listen(board);
    drawPlayers(board);
    drawMoves();
    drawNotes();
    drawPreview();
    drawAdvice(board);
    drawOwn(board);
    drawLines();
    drawEvaluation();
    drawReview();
    drawGraph();
    drawPositionPanel();
    drawRules();
    drawAim();
    drawEnd();
    drawLesson(() => keys.focus());
    judgeLesson();
    drawProblems(() => keys.focus());
    judgeSolving();
    drawConsole();
    keepGames();
    keepAddress();
    whenever(() => [state.elsewhere], checkEngine);
    analyse();
    watchPremoves(makeAhead);
    soundGame();
    playEngine();
    controls({
        openSetup: setupDialog(), openGames: gamesDialog(), openSettings: settingsDialog(),
        focusBoard: () => keys.focus(),
    });
    keepFocus(() => keys.focus());
    change();
    tellUsualHost();
}

write();
takeSettings();
let isStarted = false;
stayConnected((offline) => {
    const isAgain = isStarted && unconnected !== null && offline === null;
    unconnected = offline;
    checkEngine();
    if (isAgain && !HAS_SERVER) change({ note: TEXT.engineAgain });
    if (offline === null && !isStarted) {
        isStarted = true;
        void start();
    }
});
