/** @import { Clicks, Details } from "./types.js" */
/** @import { GameNode } from "./tree.js" */
import { make } from "./game.js";
import { explained } from "./refusal.js";
import { askAbout } from "./requests.js";
import { change, choiceFromStart, choices, hindrance, readyMove, scene, seen, sides, state, whenever }
    from "./state.js";
import { TEXT } from "./strings.js";

/**
 * A move in the making: the sites that have been chosen so far, which belong to the page and not to the engine.
 *
 * Each choice asks the engine what may come next. A move is made when nothing may come next; where the rules also let
 * it end earlier, when it is confirmed; and always only on confirmation where a finger chooses, because fingers miss.
 */

/** @type {Promise<void>} Until the last choice has been dealt with: one comes after the other. */
let queue = Promise.resolve();
/** @type {string | null} The site under the pointer. */
let pointed = null;
/** @type {WeakMap<GameNode, Map<string, Promise<any>>>} What was asked about positions. */
let asked = new WeakMap();

/** Waits no longer for the answers of an earlier game. */
export function restartChoices() {
    whenever(() => [state.root], () => {
        queue = Promise.resolve();
        asked = new WeakMap();
    });
    whenever(() => [state.here, state.chosen], () => (pointed = null));
}

/** Gives the half-made move up. */
export function cancel() {
    change({ note: "", ...(state.chosen.length > 0 || state.pending ? choiceFromStart() : {}) });
}

/** Makes the move that is ready. */
export async function confirm() {
    const move = readyMove();
    if (move !== null && hindrance() === null) await make(move, details(move));
}

/**
 * A site is chosen. Choices come one after the other, however fast they are made.
 *
 * @param {string} site
 * @param {boolean} careful Whether a whole move waits to be confirmed.
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
    if (hindered !== null) change({ note: hindered });
    else if (pending?.site === site) await confirm();
    else if (choices().next.includes(site)) await extend([...begun(), site], careful);
    else if (chosen.at(-1) === site) await (tentative || choices().move === null ? cancel() : confirm());
    else if (seen(state.here).clicks.next.includes(site)) await extend([site], careful);
    else await refuse(site);
}

/** Shows what choosing a site would do. @param {string | null} site `null` for none. */
export async function hover(site) {
    if (site === pointed) return;
    pointed = site;
    if (state.pending) return;
    const found = site === null ? null : await outcome([...begun(), site]);
    if (site === pointed && !state.pending) change({ hovered: found });
}

/**
 * A move is typed, or taken from a list.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether it is a move that can be made.
 */
export async function type(text) {
    const hindered = hindrance();
    if (hindered !== null) {
        change({ note: hindered });
        return false;
    }
    const { here } = state;
    // People may part the places by blanks.
    const written = text.replace(/\s+/g, "");
    if (written === "") {
        change({ note: TEXT.noMoveText });
        return false;
    }
    const { move, reason } = await askAbout(here, "legal", { move: written });
    if (here !== state.here) return false;
    if (move === null) change({ note: reason === null ? TEXT.notAMove(text) : TEXT.illegal(reason) });
    else void make(move);
    return move !== null;
}

/** The sites with which a move has been begun. */
const begun = () => (state.tentative ? [] : state.chosen);

/** Says whether the choice is still the same. */
function watch() {
    const { here, chosen, pending } = state;
    return () => here === state.here && chosen === state.chosen && pending === state.pending;
}

/** The choice is longer by a site. @param {string[]} chosen @param {boolean} careful */
async function extend(chosen, careful) {
    change({ note: "" });
    const isSame = watch();
    const answer = await clicks(chosen);
    if (!isSame()) return;
    const none = { ...choiceFromStart(), hint: state.hint };
    if (answer.move === null) {
        change({ ...none, chosen, answer });
    } else if (answer.next.length > 0) {
        change({ ...none, chosen, answer, note: TEXT.mayStop });
        const soFar = await details(answer.move);
        if (state.chosen === chosen) change({ soFar });
    } else if (careful) {
        // The move is only shown: what may be chosen stays what it was before its last site.
        const sites = chosen.slice(0, -1);
        const [earlier, does] = await Promise.all([sites.length > 0 ? clicks(sites) : null, details(answer.move)]);
        if (!isSame()) return;
        const pending = { site: /** @type {string} */ (chosen.at(-1)), move: answer.move, details: does };
        change({ ...none, chosen: sites, answer: earlier, pending, note: TEXT.confirm(answer.move) });
    } else {
        await make(answer.move, details(answer.move));
    }
}

/**
 * A site was chosen where no move goes on: says why. A piece that is not the other side's stays chosen, so that where
 * it was meant to go can be chosen, too, and be explained.
 *
 * @param {string} site
 */
async function refuse(site) {
    const isSame = watch();
    const chosen = [...state.chosen, site];
    const [whole, alone] = await Promise.all([clicks(chosen), clicks([site])]);
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

/** @param {string[]} sites @returns {Promise<Clicks>} */
const clicks = (sites) => once("clicks", { clicks: sites });

/** What a move does. @param {string} move @returns {Promise<Details>} */
const details = (move) => once("details", { move });

/** What the move does that these sites are, if they are one. @param {string[]} sites */
async function outcome(sites) {
    const { here } = state;
    const { move } = await clicks(sites);
    return move !== null && here === state.here ? details(move) : null;
}

/** Asks once about the position that is looked at. @param {string} question @param {object} members */
function once(question, members) {
    const { here } = state;
    const known = asked.get(here) ?? new Map();
    asked.set(here, known);
    const key = JSON.stringify(members);
    if (!known.has(key)) known.set(key, askAbout(here, question, members));
    return known.get(key);
}
