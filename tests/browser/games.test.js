/** Games survive the end of the tab, the browser and the server. A list shows all games, and files transfer them. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { GameTab, launchBrowser, NEEDS_SERVER, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the entries of the list. */
const listEntries = ({ page }) => page.locator("#game-list > li").allInnerTexts();

/** Opens the list and waits for its new entries. The old ones are removed first. */
async function openList({ page }) {
    await page.evaluate(() => {
        document.getElementById("game-list").replaceChildren();
        document.getElementById("no-games").hidden = true;
    });
    await page.click("#show-games");
    await page.waitForFunction(() => document.getElementById("game-list").childElementCount > 0
        || !document.getElementById("no-games").hidden);
}

/** Waits until the store contains the tab's game with these moves. */
async function waitUntilSaved({ page }, moves) {
    const stored = () => page.evaluate(() => new Promise((done) => {
        const { id } = JSON.parse(sessionStorage.getItem("game"));
        indexedDB.open("pentarch").onsuccess = ({ target: { result } }) => {
            result.transaction("games").objectStore("games").get(id).onsuccess = ({ target }) => {
                result.close();
                done(target.result?.moves.flat(9).join(" "));
            };
        };
    }));
    while (await stored() !== moves) await setTimeout(20);
}

/** Imports a file of games. */
async function importGames({ page }, games, changes = {}) {
    const buffer = Buffer.from(JSON.stringify({ format: "pentarch games", version: 1, games, ...changes }));
    await page.locator("#games-note").evaluate((note) => note.replaceChildren());
    await page.setInputFiles("#games-file", { name: "a.json", mimeType: "application/json", buffer });
    await page.waitForFunction(() => document.getElementById("games-note").textContent !== "");
    return page.locator("#games-note").innerText();
}

/** Returns a game in the form of a file. */
const entry = (number, changes = {}) => ({
    id: `game-${number}`, name: `Game ${number}`, begun: "2026-01-02T03:04:05.678Z",
    changed: `2026-01-02T03:04:${String(number % 60).padStart(2, "0")}.000Z`, game: "quoridor", options: {},
    players: ["person", "person"], level: "casual", seconds: 2, clock: null, times: [0, 0], start: null,
    moves: ["e2", "e8", ["d9", "e3"], "e3"], played: 3, end: null, outcome: "ongoing", ...changes,
});

/** Returns the moves in the list of moves, including variations. */
const listedMoves = ({ page }) => page.evaluate(() =>
    [...document.querySelectorAll("#moves button")].map((button) => button.dataset.move).join(" "));

/** Returns the downloaded file. */
async function downloadFrom({ page }, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return JSON.parse(await readFile(await download.path(), "utf8"));
}

test("a game resumes after the browser was closed or killed", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "pentarch-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const first = await launchBrowser(folder);
    const tab = await GameTab.open({ ...suite, profile: first });
    await tab.startGame("quoridor", { Quoridor_Walls: "3" });
    for (const site of ["e2", "e8", "e3"]) await tab.clickSite(site);
    await tab.page.click("#back");
    await tab.waitUntilIdle();
    await tab.clickSite("d2");
    await waitUntilSaved(tab, "e2 e8 e3 d2");
    await first.close();

    const second = await launchBrowser(folder);
    const again = await GameTab.open({ ...suite, profile: second });
    const { moves, status } = await again.snapshot();
    assert.deepEqual(moves, ["e2", "e8", "e3"]);
    assert.match(status, /Black is to move/);
    assert.equal(await listedMoves(again), "e2 e8 e3 d2");
    assert.match(await again.page.locator("#near").innerText(), /3 walls/);
    await again.clickSite("e7");
    await waitUntilSaved(again, "e2 e8 e3 d2 e7");
    // A killed browser has no time to write anything.
    const [, pid] = /-(\d+)$/.exec(await readlink(join(folder, "SingletonLock")));
    const died = new Promise((done) => second.once("close", done));
    process.kill(Number(pid), "SIGKILL");
    await died;

    const third = await launchBrowser(folder);
    const last = await GameTab.open({ ...suite, profile: third });
    assert.deepEqual((await last.snapshot()).moves, ["e2", "e8", "e3", "e7"]);
    // Another tab starts a new game, because the current game is open here.
    const other = await GameTab.open({ ...suite, profile: third });
    assert.deepEqual((await other.snapshot()).moves, []);
    await third.close();
});

test("the list shows all games, and resumes, renames, deletes and restores them", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openList(tab);
    assert.match(await page.locator("#no-games").innerText(), /No games have been played/);
    await tab.assertAccessible("no games");
    await page.click("#games-close");
    // A game without moves is not saved.
    await tab.startGame("roses");
    await tab.startGame("quoridor", {}, 0);
    await tab.clickSite("e2");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await tab.startGame("alcaxar");
    await tab.clickSite("b6");
    await tab.waitUntilIdle();
    await openList(tab);
    const [mine, other, ...more] = await listEntries(tab);
    assert.deepEqual(more, []);
    assert.match(mine, /^Alcaxar\n.* · Two people at this board · 1 move · not over\nopen here\n/);
    assert.match(other, /^Quoridor\n.* · Against the engine, beginner · 2 moves · not over\n/);
    await tab.assertAccessible("some games");
    assert.equal(await page.locator("#game-list").getByRole("button", { name: "Delete" }).count(), 1);

    page.once("dialog", (dialog) => dialog.accept(" With <b>Ada</b> "));
    await page.getByRole("button", { name: "Rename: Quoridor" }).click();
    await page.getByText("With <b>Ada</b>").waitFor();
    await page.getByRole("button", { name: "Delete: With" }).click();
    await page.getByText("Deleted: With <b>Ada</b>").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Undo");
    await tab.assertAccessible("a deleted game");
    await page.keyboard.press("Enter");
    await page.locator("#game-list .resume", { hasText: "Ada" }).waitFor();
    await page.click("#games-close");
    await openList(tab);
    await page.locator("#game-list .resume", { hasText: "Ada" }).click();
    await page.locator("#games").waitFor({ state: "hidden" });
    assert.equal((await tab.snapshot()).moves[0], "e2");
    assert.equal(await page.textContent("#title"), "Quoridor");
    await openList(tab);
    await page.getByRole("button", { name: "Delete: Alcaxar" }).click();
    await page.getByText("Deleted: Alcaxar").waitFor();
    await page.click("#games-close");
    await openList(tab);
    assert.equal((await listEntries(tab)).length, 1);
    await tab.close();
});

test("a list of fifty games, and a file with all of them", async (context) => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openList(tab);
    const games = Array.from({ length: 50 }, (_, number) => entry(number + 1));
    assert.equal(await importGames(tab, games), "Read 50 games.");
    await page.click("#games-close");
    const took = await page.evaluate(() => new Promise((done) => {
        const list = document.getElementById("game-list");
        list.replaceChildren();
        const begun = performance.now();
        new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun))))
            .observe(list, { childList: true });
        document.getElementById("show-games").click();
    }));
    context.diagnostic(`the list is there after ${Math.round(took)} ms`);
    assert.match((await listEntries(tab))[0], /^Game 50\n/);
    assert.equal((await listEntries(tab)).length, 50);
    await tab.assertAccessible("fifty games");
    const file = await downloadFrom(tab, () => page.click("#export-games"));
    assert.deepEqual(file.games.sort((one, other) => one.changed.localeCompare(other.changed)), games);
    // A game that is already stored is not imported again. A game that differs is stored as another
    // game.
    assert.equal(await importGames(tab, [games[0], entry(2, { name: "Another", played: 1 })]),
        "Read 1 game. 1 game was here already.");
    const names = await page.locator("#game-list strong").allTextContents();
    assert.equal(names.filter((name) => ["Game 2", "Another"].includes(name)).length, 2);
    await page.locator("#game-list .resume", { hasText: "Game 50" }).click();
    await page.locator("#games").waitFor({ state: "hidden" });
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3"]);
    assert.equal(await listedMoves(tab), "e2 e8 d9 e3 e3");
    await tab.close();
});

test("the valid games of a file with faults are imported", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openList(tab);
    for (const text of ["", "{", "[]", "null", "7", '{"games": 1}', '{"format": "pentarch games", "version": 1}']) {
        await page.locator("#games-note").evaluate((note) => note.replaceChildren());
        await page.setInputFiles("#games-file", { name: "a", mimeType: "text/plain", buffer: Buffer.from(text) });
        await page.getByText("This is not a file of games").waitFor();
    }
    assert.match(await importGames(tab, [], { version: 2 }), /another version/);
    let deep = ["e2"];
    for (let count = 0; count < 1000; count += 1) deep = ["e2", deep];
    const bad = [
        null, 7, [], {}, entry(1, { id: "" }), entry(1, { id: 7 }), entry(1, { name: "x".repeat(101) }),
        entry(1, { changed: "yesterday" }), entry(1, { changed: "2026-99-02T03:04:05.000Z" }),
        entry(1, { options: [] }),
        entry(1, { options: { a: 1 } }), entry(1, { players: ["person"] }), entry(1, { players: ["person", "ghost"] }),
        entry(1, { seconds: -1 }), entry(1, { seconds: "2" }), entry(1, { clock: { minutes: 0, increment: 0 } }),
        entry(1, { times: [null] }), entry(1, { start: 7 }), entry(1, { moves: "e2" }), entry(1, { moves: [["e2"]] }),
        entry(1, { moves: ["e2", []] }), entry(1, { moves: [7] }), entry(1, { moves: ["e2 e8"] }),
        entry(1, { moves: Array(10_001).fill("e2") }), entry(1, { played: 1.5 }), entry(1, { end: {} }),
        entry(1, { end: { agree: false } }), entry(1, { end: { resign: "white", flag: "black" } }),
        entry(1, { outcome: null }), { ...entry(1), moves: undefined },
    ];
    const note = await importGames(tab, [...bad, entry(1)]);
    assert.match(note, new RegExp(`^Read 1 game\\. ${bad.length} games could not be read:`));
    assert.match(note, /Game 1: it is not a game\./);
    assert.match(note, new RegExp(`And ${bad.length - 5} more\\.`));
    assert.match(await importGames(tab, [entry(2, { moves: deep })]), /“moves” is missing or invalid/);
    assert.match(await importGames(tab, [entry(3, { moves: ["e2", deep] })]), /Read 0 games/);

    // The content of valid fields is treated as plain text.
    const hostile = "<img src=x onerror=window.hit=1>";
    await importGames(tab, [
        entry(4, { id: hostile, name: hostile, game: hostile, outcome: `win ${hostile}`, level: hostile }),
        entry(5, { id: "__proto__", options: JSON.parse('{"__proto__": "x"}') }),
        entry(6, { moves: ["e2", "e2"], played: 2, level: "unheard of" }), entry(7, { outcome: "win", start: hostile }),
    ]);
    assert.equal((await listEntries(tab)).length, 5);
    assert.equal(await page.evaluate(() => [window.hit, document.querySelectorAll("img").length].join()), ",0");
    for (const id of [4, 6, 7]) {
        const row = page.locator("#game-list > li").filter({ hasText: id === 4 ? hostile : `Game ${id}` });
        await row.locator(".resume").click();
        await row.getByText("cannot continue the game").waitFor();
        assert.match(await row.locator("textarea").inputValue(), /^\[Game "/);
    }
    await tab.assertAccessible("games that cannot be continued");
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
    // The list still works.
    await page.locator("#game-list .resume", { hasText: "Game 1" }).click();
    await page.locator("#games").waitFor({ state: "hidden" });
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3"]);
    await tab.close();
});

/** Stores entries without any check. */
const storeEntries = ({ page }, entries) => page.evaluate((all) => new Promise((done) => {
    indexedDB.open("pentarch").onsuccess = ({ target: { result } }) => {
        const transaction = result.transaction("games", "readwrite");
        for (const one of all) transaction.objectStore("games").put(one);
        transaction.oncomplete = () => {
            result.close();
            done();
        };
    };
}), entries);

test("damaged entries are shown as such, and can be exported, deleted and restored", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openList(tab);
    await page.click("#games-close");
    const players = ["person", "person", "person"];
    await storeEntries(tab, [entry(1), entry(2, { players: "xx" }), { id: 7 }, entry(3, { changed: 5 }),
        entry(4, { players }), entry(5, { played: 99 })]);
    await openList(tab);
    const labels = async () =>
        (await listEntries(tab)).map((row) => row.match(/^Game \d|“\w+”/)?.[0]);
    assert.deepEqual(await labels(), ["Game 4", "Game 1", "“id”", "“players”", "“changed”", "“played”"]);
    assert.match((await listEntries(tab))[0], / · Three people at this board · /);
    assert.equal(await page.innerText("#games-note"), "");
    const damaged = page.locator("#game-list > li", { hasText: "“players”" });
    const { games } = await downloadFrom(tab, () => damaged.getByText("Export").click());
    assert.deepEqual(games, [entry(2, { players: "xx" })]);
    await damaged.getByText("Delete").click();
    await page.getByText("Undo").click();
    await damaged.waitFor();
    await damaged.getByText("Delete").click();
    // An import neither overwrites nor duplicates a damaged entry.
    assert.match(await importGames(tab, [entry(3)]), /Read 1 game/);
    assert.deepEqual(await labels(), ["Game 4", "Game 3", "Game 1", "“id”", "“changed”", "“played”"]);
    await tab.assertAccessible("the list of games");
    await page.locator("#game-list .resume").first().click();
    await page.locator("#games").waitFor({ state: "hidden" });
    await tab.close();
});

test("a full store is reported, and no game is lost", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    // This runs before the first write, because the browser checks its quota only from time to time.
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(suite.server.address);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    await tab.clickSite("e2");
    await page.locator("#unkept").waitFor();
    await tab.clickSite("e8");
    assert.match(await page.locator("#unkept").innerText(), /no space to save this game/);
    await tab.assertAccessible("a full store");
    await tab.clickSite("e3");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3"]);
    const { games: [exported] } = await downloadFrom(tab, () => page.click("#export-unkept"));
    assert.deepEqual(exported.moves, ["e2", "e8", "e3"]);
    await page.click("#unkept-games");
    await page.locator("#no-games").waitFor();
    assert.match(await importGames(tab, [entry(1)]), /no space/);
    await page.click("#games-close");
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await tab.clickSite("e7");
    await page.locator("#unkept").waitFor({ state: "hidden" });
    await waitUntilSaved(tab, "e2 e8 e3 e7");
    await tab.close();
});

test("a browser that blocks site data can play games", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "pentarch-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "Default"));
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
    const tab = await GameTab.open({ ...suite, profile: await launchBrowser(folder) });
    const { page } = tab;
    const refused = await page.evaluate(() => navigator.locks.request("a", () => "").catch(({ name }) => name));
    assert.equal(refused, "SecurityError");
    await tab.startGame("quoridor");
    for (const site of ["e2", "e8"]) await tab.clickSite(site);
    assert.equal(await listedMoves(tab), "e2 e8");
    assert.equal(await page.locator("#offline").isVisible(), false);
    const words = await page.locator("#unkept-text").innerText();
    assert.match(words, /block cookies/);
    assert.doesNotMatch(words, /denied/);
    await page.click("#show-games");
    await page.locator("#games-note").getByText("block cookies").waitFor();
    await tab.close();
});

test("the lines of a long game are requested a few at a time, and a game that is too long is rejected",
    async () => {
        const tab = await GameTab.open(suite);
        const { page } = tab;
        const rounds = (count) => Array(count).fill(["e2", "e8", "e1", "e9"]).flat();
        const variations = (count) => Array.from({ length: count }, (_, index) => [`${"abcdefgh"[index % 8]}1h`]);
        await openList(tab);
        const long = entry(1, { moves: [...rounds(1000), ...variations(2500)], played: 4000 });
        const rejected = await importGames(tab, [long]);
        assert.match(rejected, /Read 0 games.*variations are too long: they have more than 200000/s);
        await importGames(tab, [entry(2, { moves: [...rounds(5), ...variations(100)], played: 20 })]);
        await page.evaluate(() => (window.watch.requests = []));
        await page.locator("#game-list .resume").click();
        await page.locator("#games").waitFor({ state: "hidden" });
        assert.equal((await tab.snapshot()).moves.length, 20);
        const asked = (await page.evaluate(() => window.watch.requests)).filter(({ ask }) => ask === "course");
        assert.equal(asked.length, 101);
        assert.ok(asked.every(({ before }) => before <= 10), JSON.stringify(asked.map(({ before }) => before)));
        const many = await importGames(tab, Array.from({ length: 5001 }, (_, number) => entry(number)));
        assert.equal(many, "The file has 5001 games. At most 5000 are read from one file.");
        await tab.close();
    });

test("a saved game that cannot be started does not prevent another one", { skip: NEEDS_SERVER }, async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openList(tab);
    await importGames(tab, [entry(1, { moves: ["e2", "e2"], played: 2 })]);
    await page.click("#games-close");
    const profile = page.context();
    const other = await GameTab.open({ ...suite, profile });
    assert.match((await other.snapshot()).note,
        /^The last game cannot be resumed\. It stays in the list of games\. Move 2, e2, is illegal/);
    assert.ok((await other.snapshot()).selectable.length > 0);
    await openList(other);
    assert.match((await listEntries(other))[0], /^Game 1\n/);
    await other.page.close();
    // The server ends the connection when it gets a request about the game.
    const last = await GameTab.open({ ...suite, profile }, {}, () => {
        window.WebSocket = class extends WebSocket {
            send(message) {
                const isKept = JSON.parse(message).moves?.length > 0;
                super.send(isKept ? JSON.stringify({ long: "x".repeat(3 << 20) }) : message);
            }
        };
    });
    const { note, moves, selectable } = await last.snapshot();
    assert.match(note, /It stays in the list of games\. The server has ended the connection because of too/);
    assert.deepEqual(moves, []);
    assert.ok(selectable.length > 0);
    assert.equal(await last.page.evaluate(() => window.watch.connections.length), 2);
    await openList(last);
    assert.match((await listEntries(last))[0], /^Game 1\n/);
    await last.page.close();
    await tab.close();
});

test("a game that changed since the list was drawn is renamed and exported in its current state", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", {}, 0);
    // The response of the engine comes after the list is drawn.
    await page.evaluate(() => (window.watch.heldResponses = []));
    await page.mouse.click(...await tab.sitePoint("e2"));
    const played = () => page.evaluate(() => document.querySelectorAll("#moves button").length);
    while (await played() < 1) await page.evaluate(() => window.watch.release(1));
    await waitUntilSaved(tab, "e2");
    await openList(tab);
    assert.match((await listEntries(tab))[0], / · 1 move · /);
    const release = async () => {
        await page.evaluate(() => window.watch.release(1));
        return played();
    };
    while (await release() < 2) await setTimeout(20);
    await tab.deliverHeld();
    const now = (await tab.snapshotNow()).moves;
    await waitUntilSaved(tab, now.join(" "));
    const button = (name) => page.locator("#game-list").getByRole("button", { name });
    const file = await downloadFrom(tab, () => button("Export: Quoridor").click());
    assert.deepEqual(file.games[0].moves, now);
    page.on("dialog", (dialog) => dialog.accept("Ada"));
    await button("Rename: Quoridor").click();
    await page.locator("#game-list .resume", { hasText: "Ada" }).waitFor();
    assert.match((await listEntries(tab))[0], / · 2 moves · /);
    await waitUntilSaved(tab, now.join(" "));

    // Another tab resumes a game of the list. Then it leaves the game.
    await page.click("#games-close");
    await tab.startGame("roses");
    await openList(tab);
    const other = await GameTab.open({ ...suite, profile: page.context() });
    await openList(other);
    await other.page.locator("#game-list .resume", { hasText: "Ada" }).click();
    await other.page.locator("#games").waitFor({ state: "hidden" });
    await other.clickSite("d9");
    await other.page.click("#undo");
    await waitUntilSaved(other, "");
    await other.page.close();
    await button("Rename: Ada").click();
    await page.locator("#game-list .resume", { hasText: "Ada" }).getByText(" · 0 moves · ").waitFor();
    const again = await downloadFrom(tab, () => page.click("#export-games"));
    assert.deepEqual(again.games.map(({ moves }) => moves), [[]]);
    await tab.close();
});

test("a game that a second tab takes over stops in the first, and can be taken back", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await waitUntilSaved(tab, "e2");
    const other = await GameTab.open({ ...suite, profile: tab.page.context() });
    await other.startGame("roses");
    await other.clickSite("d3");
    await waitUntilSaved(other, "d3");
    await openList(other);
    const row = other.page.locator("#game-list > li").filter({ hasText: "Quoridor" });
    assert.match(await row.innerText(), /open in another tab/);
    assert.equal(await row.getByRole("button", { name: "Delete" }).count(), 0);
    await row.locator(".resume").click();
    await other.page.locator("#games").waitFor({ state: "hidden" });
    await other.clickSite("e8");
    assert.deepEqual((await other.snapshot()).moves, ["e2", "e8"]);
    // The first tab reports this and offers no moves.
    await tab.page.locator("#offline").waitFor();
    assert.match(await tab.page.locator("#offline").innerText(), /continues in another tab/);
    assert.deepEqual((await tab.snapshot()).selectable, []);
    await tab.assertAccessible("a game that continues in another tab");
    await tab.clickSite("e8");
    assert.match((await tab.snapshot()).note, /You cannot move now/);
    await waitUntilSaved(other, "e2 e8");
    await tab.page.click("#take-over");
    await tab.page.locator("#offline").waitFor({ state: "hidden" });
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await other.page.locator("#offline").waitFor();
    await tab.clickSite("e3");
    await waitUntilSaved(tab, "e2 e8 e3");
    // The game that the other tab had left is unchanged.
    await openList(other);
    await other.page.locator("#game-list .resume", { hasText: "Guerre" }).click();
    await other.page.locator("#offline").waitFor({ state: "hidden" });
    assert.deepEqual((await other.snapshot()).moves, ["d3"]);
    await other.page.close();
    await tab.close();
});

test("a loaded record is a separate game", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    for (const site of ["e2", "e8", "e3"]) await tab.clickSite(site);
    await tab.openPanel("position");
    await page.fill("#record", '[Game "quoridor"]\n1. d1 d9 *');
    await page.click("#record-load");
    await tab.waitUntilIdle();
    assert.equal(await listedMoves(tab), "d1 d9");
    await openList(tab);
    assert.deepEqual((await listEntries(tab)).map((row) => / · (\d) moves/.exec(row)[1]), ["2", "3"]);
    await tab.close();
});
