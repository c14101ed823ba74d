import { isProblemAddress, isSavedGameAddress, startGameOfAddress, setUpAddressUpdates } from "./address.js";
import { mountAdviceArrows } from "../analysis/advice-arrows.js";
import { setUpAnalysis } from "../analysis/analysis.js";
import { mountAnalysisList } from "../analysis/analysis-list.js";
import { BoardKeys } from "../board/board-keys.js";
import { setUpBoardPointer } from "../board/board-pointer.js";
import { mountBoardView } from "../board/board-view.js";
import { withRunningClock } from "../game/clock.js";
import { bindControls } from "./controls.js";
import { mountCountsPanel } from "../board/counts-panel.js";
import { elementById } from "../core/dom.js";
import { mountEndCard } from "./end-card.js";
import { mountEngineConsole } from "../engine/engine-console.js";
import { setUpEnginePlayer } from "../game/engine-player.js";
import { mountEvaluationBar } from "../analysis/evaluation-bar.js";
import { clocksWithMoverRunning } from "../game/game.js";
import { mountGameGoal } from "../game/game-goal.js";
import { mountGameOverButtons } from "./game-over.js";
import { createGamesDialog, showOtherAddressNotice } from "./games-dialog.js";
import { resetHoverOnChange } from "../board/hover-preview.js";
import { setUpBoardFocus } from "../core/keep-focus.js";
import { watchLessonMoves } from "../learn/lesson.js";
import { mountLessonPanel } from "../learn/lesson-panel.js";
import { mountLinePreview } from "../analysis/line-preview.js";
import { playPremove, dropResponsesOnNewGame } from "../board/move-input.js";
import { mountMoveList } from "../game/move-list.js";
import { mountNotesPanel } from "../game/notes-panel.js";
import { mountPlayerBars } from "../board/players.js";
import { mountPositionPanel } from "./position-panel.js";
import { setUpPremoves } from "../board/premove.js";
import { watchExerciseMoves } from "../learn/problems.js";
import { mountProblemsPanel } from "../learn/problems-panel.js";
import { connectAndReconnect } from "../engine/reconnect.js";
import { sendRequest, describeError } from "../engine/requests.js";
import { mountReviewPanel } from "../analysis/review.js";
import { mountReviewGraph } from "../analysis/review-graph.js";
import { mountRulesPanel } from "../learn/rules-panel.js";
import { setUpAutosave, resumeLastGame } from "../game/saved-game.js";
import { loadAndApplySettings } from "./settings.js";
import { createSettingsDialog } from "./settings-dialog.js";
import { createNewGameDialog, startDefaultGame } from "./setup-dialog.js";
import { setUpGameSounds } from "./sounds.js";
import { setState, state, subscribe } from "../core/state.js";
import { fillPageStrings, TEXT } from "../core/strings.js";
import { HAS_SERVER } from "../engine/transport.js";
import { mountUserShapes } from "../board/user-shapes.js";

/** The reason why there is no connection; `null` while there is one. @type {string | null} */
let connectionError = null;

/** Updates the state and the warning when the engine becomes available or unavailable. */
function updateConnection() {
    const offlineReason = connectionError ?? (state.storage.isTakenOver ? TEXT.openInOtherTab : null);
    elementById("offline-text").textContent = offlineReason ?? "";
    elementById("offline").hidden = offlineReason === null;
    elementById("reconnect").hidden = connectionError === null;
    elementById("take-over").hidden = connectionError !== null;
    // Before the first game, no other part of the state needs an update.
    if (!state.game.root || offlineReason === state.engine.offlineReason) return;
    const clocks = offlineReason === null ? clocksWithMoverRunning(state.game.tip,
        state.game.clocks) : withRunningClock(state.game.clocks, -1);
    setState({ engine: { offlineReason }, game: { clocks } });
}

/** Starts the game of the address, the saved game of this tab, or a new game. */
async function start() {
    const { games, options } = await sendRequest({ ask: ["games", "options"] });
    setState({ engine: { games, options } });
    let note = "";
    try {
        const isOwn = isSavedGameAddress();
        if (isOwn || !await startGameOfAddress()) await resumeLastGame();
        // A reloaded problem is shown over the suspended game.
        if (isOwn && state.game.root && isProblemAddress()) await startGameOfAddress();
    } catch (error) {
        // An invalid game stays in the list, and the page remains usable.
        note = TEXT.notResumed(describeError(error));
    }
    if (!state.game.root && !await startGameOfAddress()) await startDefaultGame();
    drawPage();
    if (note) setState({ app: { note } });
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
    subscribe(() => [state.storage.isTakenOver], updateConnection);
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
    if (isAgain && !HAS_SERVER) setState({ app: { note: TEXT.engineRestarted } });
    if (reason === null && !isStarted) {
        isStarted = true;
        void start();
    }
});
