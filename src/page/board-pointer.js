/** @import { Board } from "./board.js" */
import { hit } from "./hit-test.js";
import { hover } from "./hover.js";
import { choose, mayLift } from "./move-input.js";
import { clearOwn, draftArrow, toggleArrow, toggleMark } from "./own-marks.js";
import { endPremove, mayPremove } from "./premove.js";
import { choices, state } from "./state.js";

/** How far from a site a click may be that means it, in squares. */
const REACH = { usual: 0.45, large: 0.6 };
/** How far the pointer goes before it drags, in pixels. */
const SLACK = { mouse: 4, touch: 10 };
/** How far above a finger a lifted piece is held, in pixels, so that it is seen. */
const ABOVE_FINGER = 44;

/** @typedef {{ clientX: number, clientY: number }} Point */

/**
 * Lets the mouse and fingers play: a click chooses a site, a piece may also be dragged to where it goes, and the site
 * under the mouse shows its move. The second button of the mouse draws arrows and marks.
 *
 * @param {Board} board
 */
export function listen(board) {
    const { element } = board;
    let touch = false;
    let dragged = false;
    /** @type {{ site: string, start: Point, lifted: SVGGElement | null } | null} The piece that is pressed. */
    let drag = null;
    /** @type {string | null} Where the second button went down. */
    let drawn = null;

    const reach = () => (state.settings.large ? REACH.large : REACH.usual);
    const among = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) =>
        hit(board, sites, point, reach());
    const within = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) => hit(board, sites, point, 0);
    /** A finger that misses means what may be chosen nearby. A mouse means what it is on, if it is on anything. */
    const chosen = (/** @type {Point} */ point) =>
        within(candidates(), point) ?? (touch ? null : within(board.sites.keys(), point))
            ?? among(candidates(), point) ?? among(board.sites.keys(), point);
    const next = (/** @type {Point} */ point) => {
        const site = chosen(point);
        return site !== null && choices().next.includes(site) ? site : null;
    };

    const lift = (/** @type {PointerEvent} */ event) => {
        const piece = drag && board.pieces.get(drag.site);
        if (!drag || !piece) return;
        element.setPointerCapture(event.pointerId);
        dragged = true;
        drag.lifted = /** @type {SVGGElement} */ (piece.cloneNode(true));
        piece.classList.add("lifted");
        board.layers.dragged.replaceChildren(drag.lifted);
        // A premove begins anew with each piece that is dragged.
        endPremove();
        if (state.chosen.at(-1) !== drag.site) void choose(drag.site, false);
    };
    const carry = (/** @type {Point} */ { clientX, clientY }) => {
        const matrix = board.layers.sites.getScreenCTM()?.inverse();
        const place = drag && board.sites.get(drag.site);
        if (!matrix || !place) return;
        const point = new DOMPoint(clientX, clientY - (touch ? ABOVE_FINGER : 0)).matrixTransform(matrix);
        const [x, y] = board.at(point.x, point.y);
        drag?.lifted?.setAttribute("transform", board.placing({ x, y, turn: place.turn }));
    };
    const put = () => {
        board.layers.dragged.replaceChildren();
        for (const piece of board.pieces.values()) piece.classList.remove("lifted");
        drag = null;
    };

    element.addEventListener("pointerdown", (event) => {
        touch = event.pointerType === "touch";
        if (event.button === 2) {
            drawn = among(board.sites.keys(), event);
            return;
        }
        dragged = false;
        if (event.button !== 0 || !event.isPrimary) return;
        const site = touch ? within(board.sites.keys(), event) : chosen(event);
        drag = site !== null && mayLift(site) ? { site, start: event, lifted: null } : null;
    });
    element.addEventListener("pointermove", (event) => {
        touch = event.pointerType === "touch";
        if (drawn !== null) {
            const to = among(board.sites.keys(), event);
            draftArrow(to !== null && to !== drawn ? { from: drawn, to } : null);
            return;
        }
        if (drag && !drag.lifted) {
            const { start: { clientX, clientY } } = drag;
            const way = Math.hypot(event.clientX - clientX, event.clientY - clientY);
            if (way > (touch ? SLACK.touch : SLACK.mouse)) lift(event);
        }
        if (drag?.lifted) carry(event);
        if (!touch || drag?.lifted) hover(next(event));
    });
    // A finger on a piece that may be dragged does not scroll the page. Anywhere else it does.
    element.addEventListener("touchmove", (event) => {
        if (drag && event.cancelable) event.preventDefault();
    }, { passive: false });
    element.addEventListener("pointerleave", () => hover(null));
    element.addEventListener("pointercancel", put);
    element.addEventListener("pointerup", (event) => {
        if (event.button === 2 && drawn !== null) {
            const [from, to] = [drawn, among(board.sites.keys(), event)];
            drawn = null;
            draftArrow(null);
            if (state.premove) endPremove();
            else if (to === from) toggleMark(from);
            else if (to !== null) toggleArrow(from, to);
            return;
        }
        const held = drag;
        put();
        // A drag ends somewhere else than where it began, at a site that may be chosen then.
        if (!held?.lifted || within([held.site], event) === held.site) return;
        const isAhead = mayPremove();
        const end = isAhead ? chosen(event) : next(event);
        if (end !== null) void choose(end, false);
        if (touch) hover(null);
    });
    element.addEventListener("contextmenu", (event) => {
        // A finger that rests on the board, and the second button, mean the board.
        event.preventDefault();
    });
    element.addEventListener("click", (event) => {
        clearOwn();
        if (dragged) {
            dragged = false;
            return;
        }
        // A screen reader clicks an element and no point.
        const pointless = event.detail === 0 && event.target instanceof Element;
        const target = pointless ? event.target.closest("[data-site]") : null;
        const site = target?.getAttribute("data-site") ?? chosen(event);
        if (site) void choose(site, touch && !pointless && state.settings.confirmTap);
    });
}

/** The sites that a click may mean: those that may be chosen, and one that has been chosen. */
const candidates = () => new Set([...choices().next, ...state.chosen.slice(-1)]);
