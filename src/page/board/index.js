/** The parts of this folder that other folders use. */
export { Board, rotatePoint } from "./board.js";
export { BoardKeys } from "./board-keys.js";
export { setUpBoardPointer } from "./board-pointer.js";
export { mountBoardView } from "./board-view.js";
export { mountCountsPanel, toggleCounts } from "./counts-panel.js";
export { resetHoverOnChange } from "./hover-preview.js";
export { cancelMoveInput, confirmMove, dropResponsesOnNewGame, playPremove, playTypedMove } from "./move-input.js";
export { mountPlayerBars } from "./player-bars.js";
export { setUpPremoves } from "./premove.js";
export { clearUserShapes, mountUserShapes } from "./user-shapes.js";
