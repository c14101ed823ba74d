/** @import { HoverTarget } from "../core/types.js" */
import { setState, state, subscribe } from "../core/index.js";
import { clickResultForSites, isClickResultRequested, selectedSites } from "./move-input.js";

/**
 * Previews the site under the pointer or with the focus. The site glows at once. The preview is the move that the site
 * completes, or the paths of all moves that continue from the site.
 *
 * A pointer that crosses the board sends no requests. A pointer that rests on a site sends requests
 * one after another. Known results are not requested again.
 */

/** The milliseconds for which the pointer must rest on a site before a request. */
const REST_TIME = 60;
/** The maximum number of paths. More paths would be unreadable; then only their ends are shown. */
const MAX_PATHS = 8;

/** @type {string | null} The site under the pointer. */
let hoveredSite = null;
let timer = 0;
/** @type {object | null} The running preview. Another preview replaces it after a lost connection. */
let runningPreview = null;

/** Resets the preview when the position or the selection changes. */
export function resetHoverOnChange() {
    subscribe(() => [state.game.root, state.engine.offlineReason], () => (runningPreview = null));
    subscribe(() => [state.game.viewedNode, state.board.chosenSites], () => {
        hoveredSite = null;
        clearTimeout(timer);
    });
}

/** Shows the effects of choosing a site. @param {string | null} site `null` for none. */
export function setHoveredSite(site) {
    if (site === hoveredSite) return;
    hoveredSite = site;
    clearTimeout(timer);
    setState({ board: { hoveredSite: site, hoveredMove: null, hoverTargets: [] } });
    if (site === null) return;
    if (isClickResultRequested([...selectedSites(), site])) void previewHovered();
    else timer = setTimeout(previewHovered, REST_TIME);
}

/** Shows the effects of the hovered site. Repeats this until the hovered site no longer changes. */
async function previewHovered() {
    if (runningPreview) return;
    const current = runningPreview = {};
    try {
        for (let site; site !== hoveredSite && current === runningPreview;) {
            site = hoveredSite;
            if (site !== null) await previewSite(site);
        }
    } catch {
        // The engine does not know this site in the position. Then nothing is shown.
    } finally {
        if (current === runningPreview) runningPreview = null;
    }
}

/** Requests and shows the effects of a site. @param {string} site */
async function previewSite(site) {
    if (state.board.pendingMove) return;
    const { viewedNode } = state.game;
    const { chosenSites } = state.board;
    const isSame = () => site === hoveredSite && viewedNode === state.game.viewedNode
        && chosenSites === state.board.chosenSites && !state.board.pendingMove;
    const sites = [...selectedSites(), site];
    const { clicks: { next }, successor } = await clickResultForSites(sites);
    if (!isSame()) return;
    /** @type {HoverTarget[]} */
    const targets = next.map((further) => ({ site: further, details: null }));
    setState({ board: { hoveredMove: successor?.details ?? null, hoverTargets: successor ? [] : targets } });
    if (successor || next.length > MAX_PATHS) return;
    for (const target of targets) {
        target.details = (await clickResultForSites([...sites, target.site])).successor?.details ?? null;
        if (!isSame()) return;
    }
    setState({ board: { hoverTargets: [...targets] } });
}
