/** @import { Board } from "./board.js" */
import { currentClickChoices, state } from "../core/index.js";
import { siteNearScreenPoint } from "./hit-test.js";
import { setHoveredSite } from "./hover-preview.js";
import { canDragPiece, chooseSite } from "./move-input.js";
import { cancelPremove, canPremove } from "./premove.js";
import { clearUserShapes, setDraftArrow, toggleUserArrow, toggleUserMark } from "./user-shapes.js";

/** The maximum distance of a click from the site that it chooses, in squares. */
const MAX_DISTANCE = { usual: 0.45, large: 0.6 };
/** The distance in pixels after which a pressed pointer drags a piece. */
const DRAG_DISTANCE = { mouse: 4, touch: 10 };
/** The distance of a dragged piece above the finger, in pixels, so that the piece is visible. */
const ABOVE_FINGER = 44;

/** @typedef {{ clientX: number, clientY: number }} Point */

/**
 * Lets the mouse and fingers play. A click chooses a site. A piece can be dragged to its target.
 * The site under the mouse shows its move. The second mouse button draws arrows and marks.
 *
 * @param {Board} board
 */
export function setUpBoardPointer(board) {
    const { element } = board;
    let isTouch = false;
    let wasDragged = false;
    /** @type {{ site: string, start: Point, lifted: SVGGElement | null } | null} The pressed piece. */
    let drag = null;
    /** @type {string | null} The site at which the second button was pressed. */
    let shapeStart = null;

    const maxDistance = () => (state.app.settings.large ? MAX_DISTANCE.large : MAX_DISTANCE.usual);
    const nearestSite = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) =>
        siteNearScreenPoint(board, sites, point, maxDistance());
    const siteAt = (/** @type {Iterable<string>} */ sites, /** @type {Point} */ point) =>
        siteNearScreenPoint(board, sites, point, 0);
    /**
     * Returns the site that a point means. Sites that can be chosen come first. Otherwise a mouse
     * means the site under the pointer. A finger means the nearest site that can be chosen.
     */
    const intendedSite = (/** @type {Point} */ point) =>
        siteAt(clickCandidates(), point) ?? (isTouch ? null : siteAt(board.sites.keys(), point))
            ?? nearestSite(clickCandidates(), point) ?? nearestSite(board.sites.keys(), point);
    const selectableSite = (/** @type {Point} */ point) => {
        const site = intendedSite(point);
        return site !== null && currentClickChoices().next.includes(site) ? site : null;
    };

    const startDrag = (/** @type {PointerEvent} */ event) => {
        const piece = drag && board.pieces.get(drag.site);
        if (!drag || !piece) return;
        element.setPointerCapture(event.pointerId);
        wasDragged = true;
        drag.lifted = /** @type {SVGGElement} */ (piece.cloneNode(true));
        piece.classList.add("lifted");
        board.layers.dragged.replaceChildren(drag.lifted);
        // Each dragged piece starts a new premove.
        cancelPremove();
        if (state.board.chosenSites.at(-1) !== drag.site) void chooseSite(drag.site, false);
    };
    const moveDragged = (/** @type {Point} */ { clientX, clientY }) => {
        const matrix = board.layers.sites.getScreenCTM()?.inverse();
        const place = drag && board.sites.get(drag.site);
        if (!matrix || !place) return;
        const point = new DOMPoint(clientX, clientY - (isTouch ? ABOVE_FINGER : 0)).matrixTransform(matrix);
        const [x, y] = board.toSvg(point.x, point.y);
        drag?.lifted?.setAttribute("transform", board.transformOf({ x, y, turn: place.turn }));
    };
    const endDrag = () => {
        board.layers.dragged.replaceChildren();
        for (const piece of board.pieces.values()) piece.classList.remove("lifted");
        drag = null;
    };

    element.addEventListener("pointerdown", (event) => {
        isTouch = event.pointerType === "touch";
        if (event.button === 2) {
            shapeStart = nearestSite(board.sites.keys(), event);
            return;
        }
        wasDragged = false;
        if (event.button !== 0 || !event.isPrimary) return;
        const site = isTouch ? siteAt(board.sites.keys(), event) : intendedSite(event);
        drag = site !== null && canDragPiece(site) ? { site, start: event, lifted: null } : null;
    });
    element.addEventListener("pointermove", (event) => {
        isTouch = event.pointerType === "touch";
        if (shapeStart !== null) {
            const to = nearestSite(board.sites.keys(), event);
            setDraftArrow(to !== null && to !== shapeStart ? { from: shapeStart, to } : null);
            return;
        }
        if (drag && !drag.lifted) {
            const { start: { clientX, clientY } } = drag;
            const distance = Math.hypot(event.clientX - clientX, event.clientY - clientY);
            if (distance > (isTouch ? DRAG_DISTANCE.touch : DRAG_DISTANCE.mouse)) startDrag(event);
        }
        if (drag?.lifted) moveDragged(event);
        if (!isTouch || drag?.lifted) setHoveredSite(selectableSite(event));
    });
    // A finger does not scroll the page if it is on a piece that can be dragged. Elsewhere a finger
    // scrolls.
    element.addEventListener("touchmove", (event) => {
        if (drag && event.cancelable) event.preventDefault();
    }, { passive: false });
    element.addEventListener("pointerleave", () => setHoveredSite(null));
    element.addEventListener("pointercancel", endDrag);
    element.addEventListener("pointerup", (event) => {
        if (event.button === 2 && shapeStart !== null) {
            const from = shapeStart;
            const to = nearestSite(board.sites.keys(), event);
            shapeStart = null;
            setDraftArrow(null);
            if (state.board.premove) cancelPremove();
            else if (to === from) toggleUserMark(from);
            else if (to !== null) toggleUserArrow(from, to);
            return;
        }
        const finishedDrag = drag;
        endDrag();
        // A drag must end at another site, and this site must be selectable at that time.
        if (!finishedDrag?.lifted || siteAt([finishedDrag.site], event) === finishedDrag.site) return;
        const isAhead = canPremove();
        const end = isAhead ? intendedSite(event) : selectableSite(event);
        if (end !== null) void chooseSite(end, false);
        if (isTouch) setHoveredSite(null);
    });
    element.addEventListener("contextmenu", (event) => {
        // A long press and the second button belong to the board.
        event.preventDefault();
    });
    element.addEventListener("click", (event) => {
        clearUserShapes();
        if (wasDragged) {
            wasDragged = false;
            return;
        }
        // A screen reader clicks an element without a point.
        const hasNoPoint = event.detail === 0 && event.target instanceof Element;
        const target = hasNoPoint ? event.target.closest("[data-site]") : null;
        const site = target?.getAttribute("data-site") ?? intendedSite(event);
        if (site) void chooseSite(site, isTouch && !hasNoPoint && state.app.settings.confirmTap);
    });
}

/** Returns the sites that a click may mean: the selectable sites and the last selected site. */
const clickCandidates = () => new Set([...currentClickChoices().next, ...state.board.chosenSites.slice(-1)]);
