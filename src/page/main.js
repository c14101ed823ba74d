import { isProblemAddress, isSavedGameAddress, startGameOfAddress, setUpAddressUpdates } from "./address.js";
import { mountAdviceArrows } from "./advice-arrows.js";
import { setUpAnalysis } from "./analysis.js";
import { mountAnalysisList } from "./analysis-list.js";
import { BoardKeys } from "./board-keys.js";
import { setUpBoardPointer } from "./board-pointer.js";
import { mountBoardView } from "./board-view.js";
import { withRunningClock } from "./clock.js";
import { bindControls } from "./controls.js";
import { mountCountsPanel } from "./counts-panel.js";
import { elementById } from "./dom.js";
import { mountEndCard } from "./end-card.js";
import { mountEngineConsole } from "./engine-console.js";
import { setUpEnginePlayer } from "./engine-player.js";
import { mountEvaluationBar } from "./evaluation-bar.js";
import { clocksWithMoverRunning } from "./game.js";
import { mountGameGoal } from "./game-goal.js";
import { mountGameOverButtons } from "./game-over.js";
import { createGamesDialog, showOtherAddressNotice } from "./games-dialog.js";
import { resetHoverOnChange } from "./hover-preview.js";
import { setUpBoardFocus } from "./keep-focus.js";
import { watchLessonMoves } from "./lesson.js";
import { mountLessonPanel } from "./lesson-panel.js";
import { mountLinePreview } from "./line-preview.js";
import { playPremove, dropResponsesOnNewGame } from "./move-input.js";
import { mountMoveList } from "./move-list.js";
import { mountNotesPanel } from "./notes-panel.js";
import { mountPlayerBars } from "./players.js";
import { mountPositionPanel } from "./position-panel.js";
import { setUpPremoves } from "./premove.js";
import { watchExerciseMoves } from "./problems.js";
import { mountProblemsPanel } from "./problems-panel.js";
import { connectAndReconnect } from "./reconnect.js";
import { sendRequest, describeError } from "./requests.js";
import { mountReviewPanel } from "./review.js";
import { mountReviewGraph } from "./review-graph.js";
import { mountRulesPanel } from "./rules-panel.js";
import { setUpAutosave, resumeLastGame } from "./saved-game.js";
import { loadAndApplySettings } from "./settings.js";
import { createSettingsDialog } from "./settings-dialog.js";
import { createNewGameDialog, startDefaultGame } from "./setup-dialog.js";
import { setUpGameSounds } from "./sounds.js";
import { setState, state, subscribe } from "./state.js";
import { fillPageStrings, TEXT } from "./strings.js";
import { HAS_SERVER } from "./transport.js";
import { mountUserShapes } from "./user-shapes.js";

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
    const clocks = offlineReason === null ? clocksWithMoverRunning(state.tip,
        state.clocks) : withRunningClock(state.clocks, -1);
    setState({ offlineReason, clocks });
}

/** Starts the game of the address, the saved game of this tab, or a new game. */
async function start() {
    const { games, options } = await sendRequest({ ask: ["games", "options"] });
    setState({ games, options });
    let note = "";
    try {
        const isOwn = isSavedGameAddress();
        if (isOwn || !await startGameOfAddress()) await resumeLastGame();
        // A reloaded problem is shown over the suspended game.
        if (isOwn && state.root && isProblemAddress()) await startGameOfAddress();
    } catch (error) {
        // An invalid game stays in the list, and the page remains usable.
        note = TEXT.notResumed(describeError(error));
    }
    if (!state.root && !await startGameOfAddress()) await startDefaultGame();
    drawPage();
    if (note) setState({ note });
}

/** Draws the page and subscribes its parts to the state. */
function drawPage() {
    dropResponsesOnNewGame();
    resetHoverOnChange();
    const board = mountBoardView();
    const keys = new BoardKeys(board);
    setUpBoardPointer(board);
    mountPlayerBars(board);
    mountMoveList();
    mountNotesPanel();
    mountLinePreview();
    mountAdviceArrows(board);
    mountUserShapes(board);
    mountCountsPanel(board);
    mountAnalysisList();
    mountEvaluationBar();
    mountReviewPanel();
    mountReviewGraph();
    mountPositionPanel();
    mountRulesPanel();
    mountGameGoal();
    mountGameOverButtons();
    mountEndCard();
    mountLessonPanel(() => keys.focus());
    watchLessonMoves();
    mountProblemsPanel(() => keys.focus());
    watchExerciseMoves();
    mountEngineConsole();
    setUpAutosave();
    setUpAddressUpdates();
    subscribe(() => [state.isTakenOver], updateConnection);
    setUpAnalysis();
    setUpPremoves(playPremove);
    setUpGameSounds();
    setUpEnginePlayer();
    bindControls({
        openSetup: createNewGameDialog(), openGames: createGamesDialog(), openSettings: createSettingsDialog(),
        focusBoard: () => keys.focus(),
    });
    setUpBoardFocus(() => keys.focus());
    setState();
    showOtherAddressNotice();
}

fillPageStrings();
loadAndApplySettings();
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
