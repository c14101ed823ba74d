/* global VERSION, FILES, DATA_VERSION, DATA */
/**
 * Keeps the files of the page, so that it works without a network. All files of a version are loaded before it is used,
 * and they are used together. Nets and books are kept when they are first needed.
 *
 * `web/build` writes the names of the files, and digests of them as the versions, in front of this.
 */
const scope = self.registration.scope;
// Other pages of the same site have caches, too.
const PREFIX = `pentarch ${scope} `;
const [PAGE_CACHE, DATA_CACHE] = [`${PREFIX}${VERSION}`, `${PREFIX}${DATA_VERSION}`];

/** A file, from the network if its copy in the browser is not the newest. */
const fresh = (name) => new Request(new URL(name, scope), { cache: "no-cache" });

async function install() {
    const cache = await caches.open(PAGE_CACHE);
    await cache.addAll(FILES.map(fresh));
}

async function activate() {
    const others = (name) => name.startsWith(PREFIX) && name !== PAGE_CACHE && name !== DATA_CACHE;
    await Promise.all((await caches.keys()).filter(others).map((name) => caches.delete(name)));
    await self.clients.claim();
}

async function answer(name, request) {
    const cache = await caches.open(DATA.includes(name) ? DATA_CACHE : PAGE_CACHE);
    const kept = await cache.match(new URL(name, scope));
    if (kept) return kept;
    const found = await fetch(request);
    if (found.ok && DATA.includes(name)) await cache.put(new URL(name, scope), found.clone());
    return found;
}

/** Keeps the nets of all games, so that each can be played without a network when one has been played. */
async function keepNets() {
    const cache = await caches.open(DATA_CACHE);
    await Promise.all(DATA.filter((name) => name.endsWith(".net")).map(async (name) => {
        if (!await cache.match(new URL(name, scope))) await cache.add(fresh(name));
    }));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => data === "use" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    const name = `${origin}${pathname}`.replace(scope, "") || "index.html";
    if (DATA.includes(name)) event.waitUntil(keepNets().catch(() => {}));
    if (request.method === "GET" && [...FILES, ...DATA].includes(name)) event.respondWith(answer(name, request));
});
