/** @import { Board } from "./board.js" */
/** @import { Details, Scene, Site } from "../core/types.js" */
import { rotatePoint } from "./board.js";

/** The time of a step, in milliseconds. Each step of a longer path takes less. */
const STEP_TIME = 260;
/** The time of a quarter turn, in milliseconds. */
const QUARTER_TURN_TIME = 300;

/**
 * @typedef {{ element: Element, move: (part: number) => void }} Animation
 * The movement of an element. `part` is the completed part of the movement, from 0 to 1.
 */

/** @type {WeakMap<Board, () => void>} The functions that end the running animation of a board. */
const finishers = new WeakMap();

/**
 * Shows a scene on a board, and animates the changes since the previous scene.
 *
 * @param {Board} board A board that shows `before`.
 * @param {Scene} before
 * @param {Scene} after
 * @param {Details | null} details The effects of the move between the scenes, if they are known.
 * @param {boolean} back Whether the move is taken back.
 */
export function animateMove(board, before, after, details, back) {
    finishers.get(board)?.();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) {
        board.showScene(after);
        return;
    }
    const vanishingPieces = new Map(board.pieces);
    board.showScene(after);
    const paths = details ? knownPaths(details, back) : guessedPaths(before, after);
    /** @type {Animation[]} */
    const animations = [];
    for (const { from, to, path } of paths) {
        const element = board.pieces.get(to);
        vanishingPieces.delete(from);
        if (!element) continue;
        const position = details?.pivot ? rotationPosition(board, details, from, to, back) : pathPosition(board, path);
        const move = (/** @type {number} */ part) =>
            element.setAttribute("transform", board.transformOf(position(part)));
        animations.push({ element, move });
    }
    const targets = new Set(paths.map(({ to }) => to));
    const classOf = (/** @type {Element} */ element) => element.getAttribute("class");
    for (const [site, element] of board.pieces) {
        const old = vanishingPieces.get(site);
        if (old && classOf(old) === classOf(element)) vanishingPieces.delete(site);
        else if (!targets.has(site)) animations.push({ element, move: (part) => setOpacity(element, part) });
    }
    for (const element of vanishingPieces.values()) {
        board.layers.pieces.prepend(element);
        animations.push({ element, move: (part) => (part < 1 ? setOpacity(element, 1 - part) : element.remove()) });
    }
    const stepCount = Math.max(1, ...paths.map(({ path }) => path.length - 1));
    const time = details?.pivot ? (QUARTER_TURN_TIME * (details.degrees ?? 90)) / 90
        : STEP_TIME * Math.sqrt(stepCount);
    runAnimations(board, animations, time);
}

/** @param {Element} element @param {number} part */
function setOpacity(element, part) {
    if (part < 1) element.setAttribute("opacity", String(part));
    else element.removeAttribute("opacity");
}

/** Returns the paths of the pieces according to the move's details. @param {Details} details @param {boolean} back */
function knownPaths({ moved, path }, back) {
    // A piece that returns to its first site is not in `moved`, but has a path.
    const isRoundTrip = moved.length === 0 && path !== null && path.length > 2;
    const moves = isRoundTrip ? [{ from: path[0], to: path[path.length - 1] }] : moved;
    return moves.map(({ from, to }) => {
        const whole = path && path.length > 2 && path[0] === from && path.at(-1) === to ? path : [from, to];
        return back ? { from: to, to: from, path: [...whole].reverse() } : { from, to, path: whole };
    });
}

/**
 * Returns likely paths of the pieces if only the scenes are known. Each new piece is matched with a
 * vanished piece of the same kind and side.
 *
 * @param {Scene} before
 * @param {Scene} after
 */
function guessedPaths(before, after) {
    const key = (/** @type {{ kind: string, side: number | null, site: string }} */ { kind, side, site }) =>
        `${kind} ${side} ${site}`;
    const old = new Set(before.pieces.map(key));
    const now = new Set(after.pieces.map(key));
    const gone = before.pieces.filter((piece) => !now.has(key(piece)));
    return after.pieces.filter((piece) => !old.has(key(piece))).flatMap((piece) => {
        const index = gone.findIndex(({ kind, side }) => kind === piece.kind && side === piece.side);
        if (index < 0) return [];
        const [{ site }] = gone.splice(index, 1);
        return [{ from: site, to: piece.site, path: [site, piece.site] }];
    });
}

/**
 * Returns a function from a part of a path (0 to 1) to the position there. The path consists of
 * straight lines.
 *
 * @param {Board} board
 * @param {string[]} path
 */
function pathPosition(board, path) {
    const stops = path.flatMap((id) => board.sites.get(id) ?? []);
    return (/** @type {number} */ part) => {
        const along = part * (stops.length - 1);
        const index = Math.min(Math.floor(along), stops.length - 2);
        const start = stops[index];
        const end = stops[index + 1];
        const rest = along - index;
        const mean = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * rest;
        return { x: mean(start.x, end.x), y: mean(start.y, end.y), turn: part < 1 ? start.turn : end.turn };
    };
}

/**
 * Returns a function from a part of a rotation (0 to 1) to the position there. The rotation is
 * around the move's pivot.
 *
 * @param {Board} board
 * @param {Details} details
 * @param {string} from
 * @param {string} to
 * @param {boolean} back
 */
function rotationPosition(board, { pivot, direction, degrees }, from, to, back) {
    const [centre, start, end] = [pivot ?? "", from, to].map((id) => /** @type {Site} */ (board.sites.get(id)));
    const whole = (degrees ?? 0) * ((direction === "ccw") === back ? -1 : 1);
    return (/** @type {number} */ part) => (part < 1 ? rotatePoint(start, centre, whole * part) : end);
}

/**
 * Runs all animations at the same time. At the end the board is as drawn before the animations.
 *
 * @param {Board} board
 * @param {Animation[]} animations
 * @param {number} milliseconds
 */
function runAnimations(board, animations, milliseconds) {
    const start = performance.now();
    let frame = 0;
    const moveAll = (/** @type {number} */ part) => animations.forEach(({ move }) => move(part));
    const finish = () => {
        cancelAnimationFrame(frame);
        finishers.delete(board);
        board.element.classList.remove("moving");
        moveAll(1);
    };
    const step = () => {
        const part = (performance.now() - start) / milliseconds;
        if (part >= 1) {
            finish();
            return;
        }
        // Ease in and out.
        moveAll(part * part * (3 - 2 * part));
        frame = requestAnimationFrame(step);
    };
    finishers.set(board, finish);
    board.element.classList.add("moving");
    moveAll(0);
    frame = requestAnimationFrame(step);
}
