/** The parts of this folder that other folders use. */
export { AUTO_LEVEL, autoLevelText } from "./auto-level.js";
export { createClocks, formatClock, timeLeft, clocksWithRunningSide } from "./clock.js";
export { setUpEnginePlayer, showEngineHint } from "./engine-player.js";
export { canPersonSwap, parseHandicapNumber, startNewGame, swapSides } from "./fair-start.js";
export { adaptPlayersToSideCount, addAndViewVariation, addMovesToTree, clocksWithMoverRunning, continueGameFromViewed,
    deleteFromViewedMove, endGame, ignorePendingResponses, makeMove, offerDraw, promoteVariation, resignGame,
    startGame, startGameFromRecord, takeBackMove, viewPosition } from "./game.js";
export { allLinesFromStart, createSaveInfoOfNewGame, decodeGameFile, formatGamesFile, formatRecord, formatRecordBody,
    formatRecordHeader, parseGameSetup, parseGamesFile } from "./game-file.js";
export { mountGameGoal } from "./game-goal.js";
export { fieldsDroppedFromLink, formatGameLink, formatProblemLink, linkFieldsInvalidForGame, linkFieldsUnusedByProblem,
    parseGameLink, shortenInvalidLink } from "./game-link.js";
export { gameResultText } from "./game-result.js";
export { deleteSavedGame, getSavedGame, getSavedGames, saveGames } from "./game-store.js";
export { describePosition, mountMoveList } from "./move-list.js";
export { hasNotesOrVariations, moveMarkOfNotes, noteWithComment, noteWithMark, sanitizeComment } from "./notes.js";
export { mountNotesPanel } from "./notes-panel.js";
export { currentSavedGame, gameIdsOpenInTabs, resumeGame, resumeLastGame, saveErrorText,
    setUpAutosave } from "./saved-game.js";
export { continueTally, sentencesAboutEnd, setUpTally, swapTallySides } from "./tally.js";
