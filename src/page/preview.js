import { Board } from "./board.js";
import { byId } from "./dom.js";
import { ask, placeOf } from "./requests.js";
import { change, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** Counts what was asked for, so that a late answer is dropped. */
let step = 0;

/** Draws where a line would lead on a second board upon the first one, which stays as it is. */
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

/** Shows the position after some moves in the one that is looked at. @param {string[]} moves */
export async function previewLine(moves) {
    const mine = ++step;
    // An earlier line stays on the board until this one is known.
    if (!state.preview) change({ preview: { moves, scene: null } });
    const { scene } = await ask({ ...placeOf(state.here, moves), ask: "scene" });
    if (mine === step) change({ preview: { moves, scene } });
}

/** Shows the first board again. */
export function endPreview() {
    step += 1;
    if (state.preview) change({ preview: null });
}
