import { isProblemAddress, isSavedGameAddress, openAddress, keepAddressUpdated } from "./address.js";
import { drawAdviceArrows } from "./advice-arrows.js";
import { runAnalysis } from "./analysis.js";
import { drawAnalysisLines } from "./analysis-list.js";
import { BoardKeys } from "./board-keys.js";
import { handleBoardPointer } from "./board-pointer.js";
import { drawBoardView } from "./board-view.js";
import { runClock } from "./clock.js";
import { bindControls } from "./controls.js";
import { drawCountsPanel } from "./counts-panel.js";
import { elementById } from "./dom.js";
import { drawEngineConsole } from "./engine-console.js";
import { runEnginePlayer } from "./engine-player.js";
import { drawEvaluationBar } from "./evaluation-bar.js";
import { clocksForPosition } from "./game.js";
import { drawGameGoal } from "./game-goal.js";
import { drawGameOver } from "./game-over.js";
import { createGamesDialog, showHostNotice } from "./games-dialog.js";
import { resetHoverOnChange } from "./hover-preview.js";
import { keepBoardFocus } from "./keep-focus.js";
import { checkLessonMoves } from "./lesson.js";
import { drawLessonPanel } from "./lesson-panel.js";
import { drawLinePreview } from "./line-preview.js";
import { playPremove, resetInputOnNewGame } from "./move-input.js";
import { drawMoveList } from "./move-list.js";
import { drawNotesPanel } from "./notes-panel.js";
import { drawPlayers } from "./players.js";
import { drawPositionPanel } from "./position-panel.js";
import { handlePremoves } from "./premove.js";
import { checkExerciseMoves } from "./problems.js";
import { drawProblemsPanel } from "./problems-panel.js";
import { connectAndReconnect } from "./reconnect.js";
import { sendRequest, describeError } from "./requests.js";
import { drawReview } from "./review.js";
import { drawReviewGraph } from "./review-graph.js";
import { drawRulesPanel } from "./rules-panel.js";
import { autosaveGame, resumeLastGame } from "./saved-game.js";
import { applySettings } from "./settings.js";
import { createSettingsDialog } from "./settings-dialog.js";
import { createSetupDialog, startDefaultGame } from "./setup-dialog.js";
import { playGameSounds } from "./sounds.js";
import { setState, state, subscribe } from "./state.js";
import { fillPageStrings, TEXT } from "./strings.js";
import { HAS_SERVER } from "./transport.js";
import { drawUserShapes } from "./user-shapes.js";

/** The reason why there is no connection; `null` while there is one. @type {string | null} */
let connectionError = null;

/** Updates the state and the warning when the engine becomes available or unavailable. */
function updateConnection() {
    const offlineReason = connectionError ?? (state.isTakenOver ? TEXT.openInOtherTab : null);
    elementById("offline-text").textContent = offlineReason ?? "";
    elementById("offline").hidden = offlineReason === null;
    elementById("reconnect").hidden = connectionError === null;
    elementById("take-over").hidden = connectionError !== null;
    // Before the first game, no other part of the state needs an update.
    if (!state.root || offlineReason === state.offlineReason) return;
    const clocks = offlineReason === null ? clocksForPosition(state.tip, state.clocks) : runClock(state.clocks, -1);
    setState({ offlineReason, clocks });
}

/** Starts the game of the address, the saved game of this tab, or a new game. */
async function start() {
    const { games, options } = await sendRequest({ ask: ["games", "options"] });
    setState({ games, options });
    let note = "";
    try {
        const isOwn = isSavedGameAddress();
        if (isOwn || !await openAddress()) await resumeLastGame();
        // A reloaded problem is shown over the suspended game.
        if (isOwn && state.root && isProblemAddress()) await openAddress();
    } catch (error) {
        // An invalid game stays in the list, and the page remains usable.
        note = TEXT.notResumed(describeError(error));
    }
    if (!state.root && !await openAddress()) await startDefaultGame();
    drawPage();
    if (note) setState({ note });
}

/** Draws the page and subscribes its parts to the state. */
function drawPage() {
    resetInputOnNewGame();
    resetHoverOnChange();
    const board = drawBoardView();
    const keys = new BoardKeys(board);
    handleBoardPointer(board);
    drawPlayers(board);
    drawMoveList();
    drawNotesPanel();
    drawLinePreview();
    drawAdviceArrows(board);
    drawUserShapes(board);
    drawCountsPanel(board);
    drawAnalysisLines();
    drawEvaluationBar();
    drawReview();
    drawReviewGraph();
    drawPositionPanel();
    drawRulesPanel();
    drawGameGoal();
    drawGameOver();
    drawLessonPanel(() => keys.focus());
    checkLessonMoves();
    drawProblemsPanel(() => keys.focus());
    checkExerciseMoves();
    drawEngineConsole();
    autosaveGame();
    keepAddressUpdated();
    subscribe(() => [state.isTakenOver], updateConnection);
    runAnalysis();
    handlePremoves(playPremove);
    playGameSounds();
    runEnginePlayer();
    bindControls({
        openSetup: createSetupDialog(), openGames: createGamesDialog(), openSettings: createSettingsDialog(),
        focusBoard: () => keys.focus(),
    });
    keepBoardFocus(() => keys.focus());
    setState();
    showHostNotice();
}

fillPageStrings();
applySettings();
let isStarted = false;
connectAndReconnect((reason) => {
    const isAgain = isStarted && connectionError !== null && reason === null;
    connectionError = reason;
    updateConnection();
    if (isAgain && !HAS_SERVER) setState({ note: TEXT.engineRestarted });
    if (reason === null && !isStarted) {
        isStarted = true;
        void start();
    }
});
