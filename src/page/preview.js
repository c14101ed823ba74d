import { Board } from "./board.js";
import { byId } from "./dom.js";
import { ask, placeOf } from "./requests.js";
import { change, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** The number of the latest request; earlier responses are dropped. */
let step = 0;

/** Draws the position after a line on a second board over the first one, which does not change. */
export function drawPreview() {
    const [element, caption] = [byId("preview", SVGSVGElement), byId("preview-caption")];
    /** @type {Board | null} */
    let board = null;
    whenever(() => [state.here, state.analysing, state.flipped], endPreview);
    whenever(() => [state.preview], () => {
        const { geometry, flipped, preview } = state;
        element.toggleAttribute("hidden", !preview?.scene);
        caption.textContent = preview?.scene ? TEXT.preview(preview.moves) : "";
        if (!preview?.scene) return;
        board ??= new Board(element, geometry);
        if (board.geometry !== geometry) board.shape(geometry);
        board.flip(flipped);
        board.show(preview.scene);
    });
}

/** Previews the position after moves from the viewed one. @param {string[]} moves */
export async function previewLine(moves) {
    const mine = ++step;
    // The preview before stays until the response comes.
    if (!state.preview) change({ preview: { moves, scene: null } });
    const { scene } = await ask({ ...placeOf(state.here, moves), ask: "scene" });
    if (mine === step) change({ preview: { moves, scene } });
}

/** Shows the first board again. */
export function endPreview() {
    step += 1;
    if (state.preview) change({ preview: null });
}
