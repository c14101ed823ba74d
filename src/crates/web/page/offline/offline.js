import { elementById, html, setState, state, subscribe, TEXT } from "../core/index.js";

/**
 * Caches the page for use without a network, with a service worker. After the first move it also
 * caches the nets of all games. A new version of the page is loaded in the background. The page
 * switches to the new version when the user agrees, or when the page is open in no tab.
 */

/**
 * Shows a bar that offers the new version, if one is waiting.
 *
 * @param {ServiceWorkerRegistration} registration
 */
function offerUpdate({ waiting }) {
    // The very first version replaces nothing.
    if (!waiting || !navigator.serviceWorker.controller || document.getElementById("update")) return;
    const use = html("button", { type: "button", onclick: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
        waiting.postMessage("use");
    } }, TEXT.useUpdate);
    const later = html("button", { type: "button", onclick: () => bar.remove() }, TEXT.updateLater);
    const text = html("span", {}, TEXT.update);
    const bar = html("div", { id: "update", class: "warning", role: "status" }, text, use, later);
    elementById("offline").before(bar);
}

/** Caches the page. */
async function cachePage() {
    const registration = await navigator.serviceWorker.register("service-worker.js");
    offerUpdate(registration);
    registration.addEventListener("updatefound", () => {
        const { installing } = registration;
        installing?.addEventListener("statechange", () => offerUpdate(registration));
    });
}

/** Caches the nets and losses of all games after the first move. */
function cacheAllButBooks() {
    const hasMoves = () => Boolean(state.game.root) && state.game.tip.ply > 0;
    subscribe(() => [hasMoves()], async () => {
        if (hasMoves()) (await navigator.serviceWorker.ready).active?.postMessage("keep");
    });
}

// Browsers offer no service workers in private windows or to a page without HTTPS.
if ("serviceWorker" in navigator) {
    cachePage().catch(() => {});
    cacheAllButBooks();
}
// Files that the engine could not load for its move may be available now.
addEventListener("online", () => setState({ engine: { retries: state.engine.retries + 1 } }));
