/** @import { Arrow, UserShapes } from "../core/types.js" */
/** @import { Board } from "./board.js" */
import { setState, state, subscribe } from "../core/index.js";

/**
 * Arrows and marks that the user draws on the board. They are not part of the game and are never
 * sent to the engine.
 */

/** @type {UserShapes} */
const NO_SHAPES = { marks: [], arrows: [], draft: null };

/** Draws the user's shapes. @param {Board} board */
export function mountUserShapes(board) {
    subscribe(() => [state.game.root], () => setState({ board: { userShapes: NO_SHAPES } }));
    subscribe(() => [state.game.geometry, state.board.flipped, state.board.userShapes], () => {
        const { marks, arrows, draft } = state.board.userShapes;
        const sites = marks.flatMap((id) => board.sites.get(id) ?? []);
        board.layers.drawings.replaceChildren(
            ...sites.map((place) => board.createOutline(place, "area")),
            ...[...arrows, ...(draft ? [draft] : [])].map(({ from, to }) => board.createArrow(from, to, "arrow")),
        );
    });
}

/** Adds or removes a mark. @param {string} site */
export function toggleUserMark(site) {
    const { userShapes } = state.board;
    const others = userShapes.marks.filter((other) => other !== site);
    const marks = others.length < userShapes.marks.length ? others : [...others, site];
    setState({ board: { userShapes: { ...userShapes, marks, draft: null } } });
}

/** Adds or removes an arrow. @param {string} from @param {string} to */
export function toggleUserArrow(from, to) {
    const { userShapes } = state.board;
    const others = userShapes.arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
    const arrows = others.length < userShapes.arrows.length ? others : [...others, { from, to }];
    setState({ board: { userShapes: { ...userShapes, arrows, draft: null } } });
}

/** Shows the arrow that is being drawn. @param {Arrow | null} draft */
export function setDraftArrow(draft) {
    const old = state.board.userShapes.draft;
    if (draft?.from === old?.from && draft?.to === old?.to) return;
    setState({ board: { userShapes: { ...state.board.userShapes, draft } } });
}

/** Removes all shapes. */
export function clearUserShapes() {
    if (state.board.userShapes !== NO_SHAPES) setState({ board: { userShapes: NO_SHAPES } });
}
