import { elementById, fillPageStrings, setState, setUpFocusFallbackToBoard, state, subscribe, TEXT } from
    "../core/index.js";
import { connectAndReconnect, describeError, HAS_SERVER, mountEngineConsole, sendRequest } from "../engine/index.js";
import { clocksWithMoverRunning, mountGameGoal, mountMoveList, mountNotesPanel, resumeLastGame, setUpAutosave,
    setUpEnginePlayer, setUpTally, clocksWithRunningSide } from "../game/index.js";
import { BoardKeys, dropResponsesOnNewGame, mountBoardView, mountCountsPanel, mountPlayerBars, mountUserShapes,
    playPremove, resetHoverOnChange, setUpBoardPointer, setUpPremoves } from "../board/index.js";
import { mountAdviceArrows, mountAnalysisList, mountEvaluationBar, mountLinePreview, mountReviewGraph, mountReviewPanel,
    setUpAnalysis } from "../analysis/index.js";
import { mountLessonPanel, mountProblemsPanel, mountRulesPanel, watchExerciseMoves, watchLessonMoves } from
    "../learn/index.js";
import { isHomeAddress, isProblemAddress, isSavedGameAddress, setUpAddressUpdates, startGameOfAddress } from
    "./address.js";
import { bindControls } from "./controls.js";
import { mountEndCard } from "./end-card.js";
import { mountGameOverButtons, mountSwapButton } from "./game-over-buttons.js";
import { mountHome } from "./home.js";
import { createGamesDialog, showOtherAddressNotice } from "./games-dialog.js";
import { setUpPanelFolding } from "./panel-folding.js";
import { mountPositionPanel } from "./position-panel.js";
import { createSettingsDialog } from "./settings-dialog.js";
import { loadAndApplySettings } from "./settings.js";
import { createNewGameDialog, startGameWithLastSetup } from "./setup-dialog.js";
import { setUpGameSounds } from "./sounds.js";

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
        state.game.clocks) : clocksWithRunningSide(state.game.clocks, -1);
    setState({ engine: { offlineReason }, game: { clocks } });
}

/** Starts the game of the address, the saved game of this tab, or a new game. */
async function start() {
    const { games, options } = await sendRequest({ ask: ["games", "options"] });
    setState({ engine: { games, options } });
    let note = "";
    const isBare = location.hash.length < 2;
    try {
        const isOwn = isSavedGameAddress();
        if (isOwn || !await startGameOfAddress()) await resumeLastGame();
        // A reloaded problem is shown over the suspended game.
        if (isOwn && state.game.root && isProblemAddress()) await startGameOfAddress();
    } catch (error) {
        // An invalid game stays in the list, and the page remains usable.
        note = TEXT.notResumed(describeError(error));
    }
    if (!state.game.root && !await startGameOfAddress()) await startGameWithLastSetup();
    const { tip, start: firstPosition } = state.game;
    const isUnplayed = tip.ply === 0 && firstPosition === null;
    if (isHomeAddress() || (isBare && isUnplayed && !note)) setState({ app: { isHome: true } });
    drawPage();
    if (note) setState({ app: { note, startNote: note } });
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
    mountSwapButton();
    setUpTally();
    mountEndCard();
    mountLessonPanel(() => keys.focus());
    watchLessonMoves();
    mountProblemsPanel(() => keys.focus());
    watchExerciseMoves();
    mountEngineConsole();
    mountHome(() => keys.focus());
    setUpPanelFolding();
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
    setUpFocusFallbackToBoard(() => keys.focus());
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
