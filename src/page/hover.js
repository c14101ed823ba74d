/** @import { Details } from "./types.js" */
import { begun, isKnown, tried } from "./move-input.js";
import { change, state, whenever } from "./state.js";

/**
 * Where a try leads: what the site under the pointer, or with the focus, would do. Where it makes a move, that move is
 * shown; where a move only begins with it, the ways of all moves that go on from there.
 *
 * A pointer that goes across the board asks nothing, and one that rests on a site asks one thing after the other. What
 * is known of a position is not asked again.
 */

/** How long the pointer rests on a site before anything is asked, in milliseconds. */
const REST = 60;
/** With more ways than these none is seen; their ends are shown alone. */
const MOST_WAYS = 8;

/** @typedef {{ site: string, details: Details | null }} Lead A site that may be chosen then, and what its move does. */

/** @type {string | null} The site under the pointer. */
let pointed = null;
let timer = 0;
/** @type {object | null} What is being asked: something else takes its place when the connection has ended. */
let asking = null;

/** Forgets what was pointed at, when something else may be chosen. */
export function restartHover() {
    whenever(() => [state.root, state.offline], () => (asking = null));
    whenever(() => [state.here, state.chosen], () => {
        pointed = null;
        clearTimeout(timer);
    });
}

/** Shows what choosing a site would do. @param {string | null} site `null` for none. */
export function hover(site) {
    if (site === pointed) return;
    pointed = site;
    clearTimeout(timer);
    if (site === null) change({ hovered: null, leads: [] });
    else if (isKnown([...begun(), site])) void show();
    else timer = setTimeout(show, REST);
}

/** Shows what the site does that is pointed at, until it is the same one as before. */
async function show() {
    if (asking) return;
    const mine = asking = {};
    try {
        for (let site; site !== pointed && mine === asking;) {
            site = pointed;
            if (site !== null) await look(site);
        }
    } catch {
        // The engine knows no such site in this position: nothing is shown.
    } finally {
        if (mine === asking) asking = null;
    }
}

/** @param {string} site */
async function look(site) {
    if (state.pending) return;
    const { here, chosen } = state;
    const isSame = () => site === pointed && here === state.here && chosen === state.chosen && !state.pending;
    const sites = [...begun(), site];
    const { clicks: { next }, successor } = await tried(sites);
    if (!isSame()) return;
    /** @type {Lead[]} */
    const leads = next.map((further) => ({ site: further, details: null }));
    change({ hovered: successor?.details ?? null, leads: successor ? [] : leads });
    if (successor || next.length > MOST_WAYS) return;
    for (const lead of leads) {
        lead.details = (await tried([...sites, lead.site])).successor?.details ?? null;
        if (!isSame()) return;
    }
    change({ leads: [...leads] });
}
