/** @import { Successor, Tried } from "./types.js" */
/** @import { GameNode } from "./tree.js" */
import { make } from "./game.js";
import { endPremove, mayPremove, premove } from "./premove.js";
import { ask, explained, placeOf } from "./requests.js";
import { change, choiceFromStart, choices, hindrance, readyMove, scene, seen, sides, state, whenever }
    from "./state.js";
import { TEXT } from "./strings.js";

/**
 * The input of a move: the sites that are selected so far. They belong to the page, not to the
 * engine.
 *
 * Each choice takes one request, which asks for the sites that can follow and, if the sites make a
 * move, for the position after it. The page plays the move when no site can follow. If the move can
 * also end earlier, the person confirms it. A finger may miss, so that it always confirms.
 */

/** @type {Promise<void>} The processing of the last choice: choices are processed in order. */
let queue = Promise.resolve();
/** @type {WeakMap<GameNode, Map<string, Promise<Tried>>>} The meaning of sites in positions. */
let asked = new WeakMap();
/** @type {WeakMap<GameNode, Map<string, Successor>>} The known positions after moves. */
const successors = new WeakMap();

/** Drops pending responses when a new game starts. */
export function restartChoices() {
    whenever(() => [state.root], () => {
        queue = Promise.resolve();
        asked = new WeakMap();
    });
}

/** Cancels the move that was begun, and the premove. */
export function cancel() {
    endPremove();
    change({ note: "", ...(state.chosen.length > 0 || state.pending ? choiceFromStart() : {}) });
}

/** Plays the move that is ready. */
export async function confirm() {
    const move = readyMove();
    if (move !== null && hindrance() === null) await make(move, state.here, successors.get(state.here)?.get(move));
}

/**
 * Chooses a site. Choices are processed in order, however fast they come.
 *
 * @param {string} site
 * @param {boolean} careful Whether a complete move waits for confirmation.
 */
export function choose(site, careful) {
    const failed = (/** @type {Error} */ error) => change({ note: explained(error) });
    queue = queue.then(() => deal(site, careful)).catch(failed);
    return queue;
}

/** @param {string} site @param {boolean} careful */
async function deal(site, careful) {
    const { chosen, pending, tentative } = state;
    const hindered = hindrance();
    if (mayPremove()) premove(site, careful);
    else if (hindered !== null) change({ note: hindered });
    else if (pending?.site === site) await confirm();
    else if (choices().next.includes(site)) await extend([...begun(), site], careful);
    else if (chosen.at(-1) === site) await (tentative || choices().move === null ? cancel() : confirm());
    else if (seen(state.here).clicks.next.includes(site)) await extend([site], careful);
    else await refuse(site);
}

/**
 * Chooses the sites of a premove in order. If they are not legal, shows the reason.
 *
 * @param {string[]} sites
 * @param {boolean} careful Whether a complete move waits for confirmation.
 */
export function makeAhead(sites, careful) {
    const { here } = state;
    const tryIt = async () => {
        if (here !== state.here || state.chosen.length > 0 || hindrance() !== null) return;
        const isSame = watch();
        const { clicks: { move, next, reason } } = await tried(sites);
        if (!isSame()) return;
        if (move === null && next.length === 0) change({ note: TEXT.premoveDropped(sites, reason) });
        else await extend(sites, careful);
    };
    queue = queue.then(tryIt).catch((error) => change({ note: explained(error) }));
    return queue;
}

/** Returns whether the piece on a site can be dragged. @param {string} site */
export function mayLift(site) {
    const piece = scene().pieces.find((other) => other.site === site);
    if (!piece) return false;
    if (mayPremove()) return piece.side === null || state.setup.players[piece.side] === "person";
    return choices().next.includes(site) || begun().at(-1) === site;
}

/**
 * Plays a typed move.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether it is a legal move.
 */
export async function type(text) {
    const hindered = hindrance();
    if (hindered !== null) {
        change({ note: hindered });
        return false;
    }
    const { here } = state;
    // People may put spaces between the sites.
    const written = text.replace(/\s+/g, "");
    if (written === "") {
        change({ note: TEXT.noMoveText });
        return false;
    }
    const asking = ask({ ...placeOf(here), ask: ["legal", "successor"], move: written });
    const { legal: { move, reason }, successor } = await asking;
    if (here !== state.here) return false;
    if (move === null) change({ note: reason === null ? TEXT.notAMove(text) : TEXT.illegal(reason) });
    else void make(move, here, successor);
    return move !== null;
}

/** Returns the sites with which a move has begun. */
export const begun = () => (state.tentative ? [] : state.chosen);

/** Returns a function that tells whether the selection is unchanged. */
function watch() {
    const { here, chosen, pending } = state;
    return () => here === state.here && chosen === state.chosen && pending === state.pending;
}

/** Extends the selection. @param {string[]} chosen @param {boolean} careful */
async function extend(chosen, careful) {
    change({ note: "" });
    const isSame = watch();
    const { clicks: answer, successor } = await tried(chosen);
    if (!isSame()) return;
    const none = { ...choiceFromStart(), hint: state.hint };
    if (answer.move === null) {
        change({ ...none, chosen, answer });
    } else if (answer.next.length > 0) {
        change({ ...none, chosen, answer, note: TEXT.mayStop, soFar: successor?.details ?? null });
    } else if (careful) {
        // The move is only shown: the sites that can follow are those before its last site.
        const sites = chosen.slice(0, -1);
        const earlier = sites.length > 0 ? (await tried(sites)).clicks : null;
        if (!isSame()) return;
        const [site, does] = [/** @type {string} */ (chosen.at(-1)), successor?.details ?? null];
        const pending = { site, move: answer.move, details: does };
        change({ ...none, chosen: sites, answer: earlier, pending, note: TEXT.confirm(answer.move) });
    } else {
        await make(answer.move, state.here, successor);
    }
}

/**
 * Explains why no move continues with a site. A piece of the person's side stays selected, so that
 * the next choice can be explained as its target.
 *
 * @param {string} site
 */
async function refuse(site) {
    const isSame = watch();
    const chosen = [...state.chosen, site];
    const { clicks: whole } = await tried(chosen);
    const { clicks: alone } = whole.why === null ? await tried([site]) : { clicks: whole };
    if (!isSame()) return;
    const { pieces, marks } = scene();
    const turn = seen(state.here).status.player;
    const piece = state.chosen.length === 0 && pieces.find((other) => other.site === site);
    const mark = marks.find((other) => other.site === site);
    if (piece && piece.side !== null && piece.side !== turn) {
        change({ note: TEXT.otherSide(piece.kind, site, sides()[piece.side], sides()[turn]) });
    } else if (piece && mark) {
        change({ note: TEXT.marked(piece.kind, site, mark.kind) });
    } else if (piece && (piece.side !== null || alone.why === null)) {
        change({ chosen: [site], answer: choices(), tentative: true, pending: null,
            note: TEXT.whereTo(piece.kind, site) });
    } else {
        const none = state.chosen.length === 0 ? TEXT.nothing(site) : TEXT.noWay(chosen);
        const reason = whole.reason ?? alone.reason;
        change({ note: reason === null ? none : TEXT.illegal(reason) });
    }
}

/** Returns whether the meaning of these sites was requested. @param {string[]} sites */
export const isKnown = (sites) => asked.get(state.here)?.has(sites.join(" ")) ?? false;

/** Returns the meaning of these sites in the viewed position, which is requested once. @param {string[]} sites */
export function tried(sites) {
    const { here } = state;
    const known = asked.get(here) ?? new Map();
    asked.set(here, known);
    const key = sites.join(" ");
    if (!known.has(key)) known.set(key, attempt(here, sites));
    return /** @type {Promise<Tried>} */ (known.get(key));
}

/** Requests the meaning of sites. @param {GameNode} node @param {string[]} sites @returns {Promise<Tried>} */
async function attempt(node, sites) {
    const found = /** @type {Tried} */ (await ask({ ...placeOf(node), ask: ["clicks", "successor"], clicks: sites }));
    if (found.successor) {
        const known = successors.get(node) ?? new Map();
        successors.set(node, known.set(found.successor.details.move, found.successor));
    }
    return found;
}
