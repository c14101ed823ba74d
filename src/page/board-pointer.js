/** @import { Board } from "./board.js" */
import { hit } from "./hit-test.js";
import { hover } from "./hover.js";
import { choose, mayLift } from "./move-input.js";
import { clearOwn, draftArrow, toggleArrow, toggleMark } from "./own-marks.js";
import { endPremove, mayPremove } from "./premove.js";
import { choices, state } from "./state.js";

/** The maximum distance of a click from the site that it chooses, in squares. */
const REACH = { usual: 0.45, large: 0.6 };
/** The distance from which a pressed pointer drags, in pixels. */
const SLACK = { mouse: 4, touch: 10 };
/** The distance of a dragged piece above the finger, in pixels, so that the piece is visible. */
const ABOVE_FINGER = 44;

/** @typedef {{ clientX: number, clientY: number }} Point */

/**
 * Lets the mouse and fingers play. A click chooses a site, a piece can be dragged to its target, and
 * the site under the mouse shows its move. The second mouse button draws arrows and marks.
 *
 * @param {Board} board
 */
export function listen(board) {
    const { element } = board;
    let touch = false;
    let dragged = false;
    /** @type {{ site: string, start: Point, lifted: SVGGElement | null } | null} The pressed piece. */
    let drag = null;
    /** @type {string | null} The site at which the second button was pressed. */
    let drawn = null;

    const reach = () => (state.settings.large ? REACH.large : REACH.usual);
    const among = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) =>
        hit(board, sites, point, reach());
    const within = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) => hit(board, sites, point, 0);
    /** Returns the site that a point means. A finger prefers sites that can be chosen; a mouse the site it is on. */
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
        // Each dragged piece starts a new premove.
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
    // A finger on a piece that can be dragged does not scroll the page. Elsewhere it does.
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
        // A drag must end at another site, and at one that can be chosen then.
        if (!held?.lifted || within([held.site], event) === held.site) return;
        const isAhead = mayPremove();
        const end = isAhead ? chosen(event) : next(event);
        if (end !== null) void choose(end, false);
        if (touch) hover(null);
    });
    element.addEventListener("contextmenu", (event) => {
        // A long press and the second button belong to the board.
        event.preventDefault();
    });
    element.addEventListener("click", (event) => {
        clearOwn();
        if (dragged) {
            dragged = false;
            return;
        }
        // A screen reader clicks an element without a point.
        const pointless = event.detail === 0 && event.target instanceof Element;
        const target = pointless ? event.target.closest("[data-site]") : null;
        const site = target?.getAttribute("data-site") ?? chosen(event);
        if (site) void choose(site, touch && !pointless && state.settings.confirmTap);
    });
}

/** Returns the sites that a click may mean: the selectable ones and the last selected one. */
const candidates = () => new Set([...choices().next, ...state.chosen.slice(-1)]);
