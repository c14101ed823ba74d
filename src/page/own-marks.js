/** @import { Board } from "./board.js" */
import { change, state, whenever } from "./state.js";

/** Arrows and marks that the user draws on the board. They are not part of the game, and the engine never gets them. */

/** @typedef {{ from: string, to: string }} Arrow */
/** @typedef {{ marks: string[], arrows: Arrow[], draft: Arrow | null }} Own `draft` is the arrow being drawn. */

/** @type {Own} */
const NOTHING_DRAWN = { marks: [], arrows: [], draft: null };

/** Draws the user's shapes. @param {Board} board */
export function drawOwn(board) {
    whenever(() => [state.root], () => change({ own: NOTHING_DRAWN }));
    whenever(() => [state.geometry, state.flipped, state.own], () => {
        const { marks, arrows, draft } = state.own;
        const places = marks.flatMap((id) => board.sites.get(id) ?? []);
        board.layers.own.replaceChildren(
            ...places.map((place) => board.outline(place, "area")),
            ...[...arrows, ...(draft ? [draft] : [])].map(({ from, to }) => board.arrow(from, to, "arrow")),
        );
    });
}

/** Adds or removes a mark. @param {string} site */
export function toggleMark(site) {
    const { own } = state;
    const others = own.marks.filter((other) => other !== site);
    change({ own: { ...own, marks: others.length < own.marks.length ? others : [...others, site], draft: null } });
}

/** Adds or removes an arrow. @param {string} from @param {string} to */
export function toggleArrow(from, to) {
    const { own } = state;
    const others = own.arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
    const arrows = others.length < own.arrows.length ? others : [...others, { from, to }];
    change({ own: { ...own, arrows, draft: null } });
}

/** Shows the arrow that is being drawn. @param {Arrow | null} draft */
export function draftArrow(draft) {
    const old = state.own.draft;
    if (draft?.from !== old?.from || draft?.to !== old?.to) change({ own: { ...state.own, draft } });
}

/** Removes all shapes. */
export function clearOwn() {
    if (state.own !== NOTHING_DRAWN) change({ own: NOTHING_DRAWN });
}
