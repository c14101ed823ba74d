/* global VERSION, FILES, DATA_VERSION, DATA */
/**
 * Keeps the files of the page, so that it works without a network. All files of a version are loaded before it is used,
 * and they are used together. Nets and books are kept when they are first needed, and all nets when the page asks for
 * them.
 *
 * `.ci/page` writes the names of the files, digests of them as the versions, and those of single nets and books in
 * front of this.
 */
const scope = self.registration.scope;
// Other pages of the same site have caches, too.
const PREFIX = `pentarch ${scope} `;
const [PAGE_CACHE, DATA_CACHE] = [`${PREFIX}${VERSION}`, `${PREFIX}${DATA_VERSION}`];

/** A file, from the network if its copy in the browser is not the newest. */
const fresh = (name) => new Request(new URL(name, scope), { cache: "no-cache", integrity: DATA[name] });

async function install() {
    const cache = await caches.open(PAGE_CACHE);
    await cache.addAll(FILES.map(fresh));
    // What could be played without a network before can be so with another version.
    if (self.registration.active) await keepNets();
}

async function activate() {
    const others = (name) => name.startsWith(PREFIX) && name !== PAGE_CACHE && name !== DATA_CACHE;
    await Promise.all((await caches.keys()).filter(others).map((name) => caches.delete(name)));
    await self.clients.claim();
}

async function answer(name, request) {
    const cache = await caches.open(Object.hasOwn(DATA, name) ? DATA_CACHE : PAGE_CACHE);
    const kept = await cache.match(new URL(name, scope));
    if (kept) return kept;
    const found = await fetch(request);
    if (found.ok && Object.hasOwn(DATA, name)) await cache.put(new URL(name, scope), found.clone());
    return found;
}

/** Keeps the nets of all games. */
async function keepNets() {
    const cache = await caches.open(DATA_CACHE);
    await Promise.all(Object.keys(DATA).filter((name) => name.endsWith(".net")).map(async (name) => {
        if (!await cache.match(new URL(name, scope))) await cache.add(fresh(name));
    }));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
    if (event.data === "use") void self.skipWaiting();
    if (event.data === "keep") event.waitUntil(keepNets().catch(() => {}));
});
self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    const name = `${origin}${pathname}`.replace(scope, "") || "index.html";
    const isKept = FILES.includes(name) || Object.hasOwn(DATA, name);
    if (request.method === "GET" && isKept) event.respondWith(answer(name, request));
});
