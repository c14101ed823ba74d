/* global VERSION, FILES, DATA_VERSION, DATA */
/**
 * Caches the files of the page, so that it works without a network. A version is used only after
 * all its files are loaded, and its files are never mixed with files of another version. A net,
 * book or file of losses is cached when it is first needed. All nets and losses are cached when the
 * page sends `keep`.
 *
 * `.ci/page` writes constants in front of this code: the names of the files, digests of all files
 * as versions, and a digest of each net, book and file of losses.
 */
const scope = self.registration.scope;
// Other pages of the same site also have caches.
const PREFIX = `pentarch ${scope} `;
const PAGE_CACHE = `${PREFIX}${VERSION}`;
const DATA_CACHE = `${PREFIX}${DATA_VERSION}`;

/**
 * Returns the request of a file. The browser may use its own copy only if the copy is the newest
 * one.
 */
const freshRequest = (name) => new Request(new URL(name, scope), { cache: "no-cache", integrity: DATA[name] });

async function install() {
    const cache = await caches.open(PAGE_CACHE);
    await cache.addAll(FILES.map(freshRequest));
    // Games that worked without a network before an update also work after it.
    if (self.registration.active) await cacheAllButBooks();
}

async function activate() {
    const isOutdated = (name) => name.startsWith(PREFIX) && name !== PAGE_CACHE && name !== DATA_CACHE;
    const outdated = (await caches.keys()).filter(isOutdated);
    await Promise.all(outdated.map((name) => caches.delete(name)));
    await self.clients.claim();
}

async function respond(name, request) {
    const isData = Object.hasOwn(DATA, name);
    const cache = await caches.open(isData ? DATA_CACHE : PAGE_CACHE);
    const cached = await cache.match(new URL(name, scope));
    if (cached) return cached;
    const response = await fetch(request);
    if (response.ok && isData) await cache.put(new URL(name, scope), response.clone());
    return response;
}

/** Caches the nets and losses of all games. */
async function cacheAllButBooks() {
    const cache = await caches.open(DATA_CACHE);
    const names = Object.keys(DATA).filter((name) => !name.endsWith(".book"));
    await Promise.all(names.map(async (name) => {
        if (!await cache.match(new URL(name, scope))) await cache.add(freshRequest(name));
    }));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
    if (event.data === "use") void self.skipWaiting();
    if (event.data === "keep") event.waitUntil(cacheAllButBooks().catch(() => {}));
});
self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    const name = `${origin}${pathname}`.replace(scope, "") || "index.html";
    const isCached = FILES.includes(name) || Object.hasOwn(DATA, name);
    if (request.method === "GET" && isCached) event.respondWith(respond(name, request));
});
