/** @import { Details } from "./types.js" */
import { begun, isKnown, tried } from "./move-input.js";
import { change, state, whenever } from "./state.js";

/**
 * Previews the site under the pointer or with the focus: the move that it completes, or the paths of
 * all moves that continue from it.
 *
 * A pointer that crosses the board sends no requests. One that rests on a site sends them one after
 * another. Known results are not requested again.
 */

/** The milliseconds that the pointer rests on a site before a request. */
const REST = 60;
/** The maximum number of paths; more would be unreadable, so that only their ends are shown. */
const MOST_WAYS = 8;

/** @typedef {{ site: string, details: Details | null }} Lead A site that can follow, and the effects of its move. */

/** @type {string | null} The site under the pointer. */
let pointed = null;
let timer = 0;
/** @type {object | null} The running preview. Another one replaces it after a lost connection. */
let asking = null;

/** Resets the preview when the position or the selection changes. */
export function restartHover() {
    whenever(() => [state.root, state.offline], () => (asking = null));
    whenever(() => [state.here, state.chosen], () => {
        pointed = null;
        clearTimeout(timer);
    });
}

/** Shows the effects of choosing a site. @param {string | null} site `null` for none. */
export function hover(site) {
    if (site === pointed) return;
    pointed = site;
    clearTimeout(timer);
    if (site === null) change({ hovered: null, leads: [] });
    else if (isKnown([...begun(), site])) void show();
    else timer = setTimeout(show, REST);
}

/** Shows the effects of the hovered site, until it no longer changes. */
async function show() {
    if (asking) return;
    const mine = asking = {};
    try {
        for (let site; site !== pointed && mine === asking;) {
            site = pointed;
            if (site !== null) await look(site);
        }
    } catch {
        // The engine does not know this site in the position, so that nothing is shown.
    } finally {
        if (mine === asking) asking = null;
    }
}

/** Requests and shows the effects of a site. @param {string} site */
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
