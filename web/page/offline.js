import { byId, html } from "./dom.js";
import { TEXT } from "./strings.js";

/**
 * Keeps the page for use without a network, by a service worker. Another version of the page is loaded in the
 * background, and used when somebody says so, or when no tab has the page any more.
 */

/** @param {ServiceWorkerRegistration} registration */
function offer({ waiting }) {
    // The first version of all replaces nothing.
    if (!waiting || !navigator.serviceWorker.controller || document.getElementById("update")) return;
    const use = html("button", { type: "button", onclick: () => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
        waiting.postMessage("use");
    } }, TEXT.useUpdate);
    const later = html("button", { type: "button", onclick: () => bar.remove() }, TEXT.notNowButLater);
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

// Browsers have none in private windows, or where the page does not come over HTTPS.
if ("serviceWorker" in navigator) keepPage().catch(() => {});
