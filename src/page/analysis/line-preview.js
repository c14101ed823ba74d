import { elementById, setState, state, subscribe, TEXT } from "../core/index.js";
import { requestFieldsOfPosition, sendRequest } from "../engine/index.js";
import { Board } from "../board/index.js";

/** The number of the latest request; earlier responses are dropped. */
let latestRequest = 0;

/** Draws the position after a line on a second board over the first board. The first board does not change. */
export function mountLinePreview() {
    const element = elementById("preview", SVGSVGElement);
    const caption = elementById("preview-caption");
    /** @type {Board | null} */
    let board = null;
    subscribe(() => [state.game.viewedNode, state.analysis.isOn, state.board.flipped], hideLinePreview);
    subscribe(() => [state.analysis.preview], () => {
        const { geometry } = state.game;
        const { flipped } = state.board;
        const { preview } = state.analysis;
        element.toggleAttribute("hidden", !preview?.scene);
        caption.textContent = preview?.scene ? TEXT.preview(preview.moves) : "";
        if (!preview?.scene) return;
        board ??= new Board(element, geometry);
        if (board.geometry !== geometry) board.setGeometry(geometry);
        board.setFlipped(flipped);
        board.showScene(preview.scene);
    });
}

/** Previews the position after moves from the viewed position. @param {string[]} moves */
export async function previewPositionAfter(moves) {
    const thisRequest = ++latestRequest;
    // The previous preview stays until the response comes.
    if (!state.analysis.preview) setState({ analysis: { preview: { moves, scene: null } } });
    const { scene } = await sendRequest({ ...requestFieldsOfPosition(state.game.viewedNode, moves), ask: "scene" });
    if (thisRequest === latestRequest) setState({ analysis: { preview: { moves, scene } } });
}

/** Shows the first board again. */
export function hideLinePreview() {
    latestRequest += 1;
    if (state.analysis.preview) setState({ analysis: { preview: null } });
}
