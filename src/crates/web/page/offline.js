import { byId, html } from "./dom.js";
import { setState, state, subscribe } from "./state.js";
import { TEXT } from "./strings.js";

/**
 * Keeps the page for use without a network, by a service worker: after the first move with the nets of all games.
 * Another version of the page is loaded in the background, and used when somebody says so, or when no tab has the page
 * any more.
 */

/** @param {ServiceWorkerRegistration} registration */
function offer({ waiting }) {
    // The first version of all replaces nothing.
    if (!waiting || !navigator.serviceWorker.controller || document.getElementById("update")) return;
    const use = html("button", { type: "button", onclick: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
        waiting.postMessage("use");
    } }, TEXT.useUpdate);
    const later = html("button", { type: "button", onclick: () => bar.remove() }, TEXT.updateLater);
    const text = html("span", {}, TEXT.update);
    const bar = html("div", { id: "update", class: "warning", role: "status" }, text, use, later);
    byId("offline").before(bar);
}

/** Has the page kept. */
async function keepPage() {
    const registration = await navigator.serviceWorker.register("service-worker.js");
    offer(registration);
    registration.addEventListener("updatefound", () => {
        const { installing } = registration;
        installing?.addEventListener("statechange", () => offer(registration));
    });
}

/** Has the nets of all games kept when a move has been made. */
function keepNets() {
    const hasMoves = () => Boolean(state.root) && state.tip.ply > 0;
    subscribe(() => [hasMoves()], async () => {
        if (hasMoves()) (await navigator.serviceWorker.ready).active?.postMessage("keep");
    });
}

// Browsers have none in private windows, or where the page does not come over HTTPS.
if ("serviceWorker" in navigator) {
    keepPage().catch(() => {});
    keepNets();
}
// What the engine could not load for its move it may get then.
addEventListener("online", () => setState({ engineRetries: state.engineRetries + 1 }));
