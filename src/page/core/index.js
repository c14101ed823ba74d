/** The parts of this folder that other folders use. */
export { downloadFile, elementById, html, setFieldValue, setText, svg } from "./dom.js";
export { GameNode } from "./game-tree.js";
export { setUpFocusFallbackToBoard } from "./focus-fallback.js";
export { addRovingFocus, setTabStop } from "./roving-focus.js";
export { selectionResetChanges, currentClickChoices, isEngineToMove, isEngineToMoveHere, isGameOver, isGameSuspended,
    isInVariation, isViewingCurrentPosition, moveBlockedReason, moveReadyToMake, nextPositionInLine, playerToMove,
    reviewOfMoveTo, setState, sideWords, state, subscribe, viewedScene, viewOfNode } from "./state.js";
export { capitalise, fillPageStrings, TEXT } from "./strings.js";
