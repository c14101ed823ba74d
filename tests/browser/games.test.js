/** Games survive the tab, the browser and the server. A list shows them all, and files transfer them. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { launch, NEEDS_SERVER, setUp, Table } from "./page.js";

const own = setUp();

/** Returns the entries of the list. */
const rows = ({ page }) => page.locator("#game-list > li").allInnerTexts();

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

/** Waits until the store has the tab's game with these moves. */
async function kept({ page }, moves) {
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
async function read({ page }, games, changes = {}) {
    const buffer = Buffer.from(JSON.stringify({ format: "pentarch games", version: 1, games, ...changes }));
    await page.locator("#games-note").evaluate((note) => note.replaceChildren());
    await page.setInputFiles("#games-file", { name: "a.json", mimeType: "application/json", buffer });
    await page.waitForFunction(() => document.getElementById("games-note").textContent !== "");
    return page.locator("#games-note").innerText();
}

/** Returns a game in the form of a file. */
const game = (number, changes = {}) => ({
    id: `game-${number}`, name: `Game ${number}`, begun: "2026-01-02T03:04:05.678Z",
    changed: `2026-01-02T03:04:${String(number % 60).padStart(2, "0")}.000Z`, game: "quoridor", options: {},
    players: ["person", "person"], level: "casual", seconds: 2, clock: null, times: [0, 0], start: null,
    moves: ["e2", "e8", ["d9", "e3"], "e3"], played: 3, end: null, outcome: "ongoing", ...changes,
});

/** Returns the moves in the list of moves, including variations. */
const listed = ({ page }) => page.evaluate(() =>
    [...document.querySelectorAll("#moves button")].map((button) => button.dataset.move).join(" "));

/** Returns the downloaded file. */
async function downloaded({ page }, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return JSON.parse(await readFile(await download.path(), "utf8"));
}

test("a game resumes after the browser was closed or killed", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "pentarch-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const first = await launch(folder);
    const table = await Table.open({ ...own, profile: first });
    await table.begin("quoridor", { Quoridor_Walls: "3" });
    for (const site of ["e2", "e8", "e3"]) await table.click(site);
    await table.page.click("#back");
    await table.settled();
    await table.click("d2");
    await kept(table, "e2 e8 e3 d2");
    await first.close();

    const second = await launch(folder);
    const again = await Table.open({ ...own, profile: second });
    const { moves, status } = await again.shown();
    assert.deepEqual(moves, ["e2", "e8", "e3"]);
    assert.match(status, /Black is to move/);
    assert.equal(await listed(again), "e2 e8 e3 d2");
    assert.match(await again.page.locator("#near").innerText(), /3 walls/);
    await again.click("e7");
    await kept(again, "e2 e8 e3 d2 e7");
    // A killed browser has no time to write anything.
    const [, pid] = /-(\d+)$/.exec(await readlink(join(folder, "SingletonLock")));
    const died = new Promise((done) => second.once("close", done));
    process.kill(Number(pid), "SIGKILL");
    await died;

    const third = await launch(folder);
    const last = await Table.open({ ...own, profile: third });
    assert.deepEqual((await last.shown()).moves, ["e2", "e8", "e3", "e7"]);
    // Another tab starts a new game, because this one is open here.
    const other = await Table.open({ ...own, profile: third });
    assert.deepEqual((await other.shown()).moves, []);
    await third.close();
});

test("the list shows all games, and resumes, renames, deletes and restores them", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await openList(table);
    assert.match(await page.locator("#no-games").innerText(), /No games have been played/);
    await table.hasNoComplaint("no games");
    await page.click("#games-close");
    // A game without moves is not saved.
    await table.begin("roses");
    await table.begin("quoridor", {}, 0);
    await table.click("e2");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await table.begin("alcaxar");
    await table.click("b6");
    await table.settled();
    await openList(table);
    const [mine, other, ...more] = await rows(table);
    assert.deepEqual(more, []);
    assert.match(mine, /^Alcaxar\n.* · Two people at this board · 1 move · not over\nopen here\n/);
    assert.match(other, /^Quoridor\n.* · Against the engine, casual · 2 moves · not over\n/);
    await table.hasNoComplaint("some games");
    assert.equal(await page.locator("#game-list").getByRole("button", { name: "Delete" }).count(), 1);

    page.once("dialog", (dialog) => dialog.accept(" With <b>Ada</b> "));
    await page.getByRole("button", { name: "Rename: Quoridor" }).click();
    await page.getByText("With <b>Ada</b>").waitFor();
    await page.getByRole("button", { name: "Delete: With" }).click();
    await page.getByText("Deleted: With <b>Ada</b>").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Undo");
    await table.hasNoComplaint("a deleted game");
    await page.keyboard.press("Enter");
    await page.locator("#game-list .resume", { hasText: "Ada" }).waitFor();
    await page.click("#games-close");
    await openList(table);
    await page.locator("#game-list .resume", { hasText: "Ada" }).click();
    await page.locator("#games").waitFor({ state: "hidden" });
    assert.equal((await table.shown()).moves[0], "e2");
    assert.equal(await page.textContent("#title"), "Quoridor");
    await openList(table);
    await page.getByRole("button", { name: "Delete: Alcaxar" }).click();
    await page.getByText("Deleted: Alcaxar").waitFor();
    await page.click("#games-close");
    await openList(table);
    assert.equal((await rows(table)).length, 1);
    await table.close();
});

test("a list of fifty games, and a file with all of them", async (context) => {
    const table = await Table.open(own);
    const { page } = table;
    await openList(table);
    const games = Array.from({ length: 50 }, (_, number) => game(number + 1));
    assert.equal(await read(table, games), "Read 50 games.");
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
    assert.match((await rows(table))[0], /^Game 50\n/);
    assert.equal((await rows(table)).length, 50);
    await table.hasNoComplaint("fifty games");
    const file = await downloaded(table, () => page.click("#export-games"));
    assert.deepEqual(file.games.sort((one, other) => one.changed.localeCompare(other.changed)), games);
    // An equal game is not imported twice; one that differs is stored as another game.
    assert.equal(await read(table, [games[0], game(2, { name: "Another", played: 1 })]),
        "Read 1 game. 1 game was here already.");
    const names = await page.locator("#game-list strong").allTextContents();
    assert.equal(names.filter((name) => ["Game 2", "Another"].includes(name)).length, 2);
    await page.locator("#game-list .resume", { hasText: "Game 50" }).click();
    await page.locator("#games").waitFor({ state: "hidden" });
    assert.deepEqual((await table.shown()).moves, ["e2", "e8", "e3"]);
    assert.equal(await listed(table), "e2 e8 d9 e3 e3");
    await table.close();
});

test("the valid games of a file with faults are imported", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await openList(table);
    for (const text of ["", "{", "[]", "null", "7", '{"games": 1}', '{"format": "pentarch games", "version": 1}']) {
        await page.locator("#games-note").evaluate((note) => note.replaceChildren());
        await page.setInputFiles("#games-file", { name: "a", mimeType: "text/plain", buffer: Buffer.from(text) });
        await page.getByText("This is not a file of games").waitFor();
    }
    assert.match(await read(table, [], { version: 2 }), /another version/);
    let deep = ["e2"];
    for (let count = 0; count < 1000; count += 1) deep = ["e2", deep];
    const bad = [
        null, 7, [], {}, game(1, { id: "" }), game(1, { id: 7 }), game(1, { name: "x".repeat(101) }),
        game(1, { changed: "yesterday" }), game(1, { changed: "2026-99-02T03:04:05.000Z" }), game(1, { options: [] }),
        game(1, { options: { a: 1 } }), game(1, { players: ["person"] }), game(1, { players: ["person", "ghost"] }),
        game(1, { seconds: -1 }), game(1, { seconds: "2" }), game(1, { clock: { minutes: 0, increment: 0 } }),
        game(1, { times: [null] }), game(1, { start: 7 }), game(1, { moves: "e2" }), game(1, { moves: [["e2"]] }),
        game(1, { moves: ["e2", []] }), game(1, { moves: [7] }), game(1, { moves: ["e2 e8"] }),
        game(1, { moves: Array(10_001).fill("e2") }), game(1, { played: 1.5 }), game(1, { end: {} }),
        game(1, { end: { agree: false } }), game(1, { end: { resign: "white", flag: "black" } }),
        game(1, { outcome: null }), { ...game(1), moves: undefined },
    ];
    const note = await read(table, [...bad, game(1)]);
    assert.match(note, new RegExp(`^Read 1 game\\. ${bad.length} games could not be read:`));
    assert.match(note, /Game 1: it is not a game\./);
    assert.match(note, new RegExp(`And ${bad.length - 5} more\\.`));
    assert.match(await read(table, [game(2, { moves: deep })]), /“moves” is missing or invalid/);
    assert.match(await read(table, [game(3, { moves: ["e2", deep] })]), /Read 0 games/);

    // The content of valid fields is only text.
    const hostile = "<img src=x onerror=window.hit=1>";
    await read(table, [
        game(4, { id: hostile, name: hostile, game: hostile, outcome: `win ${hostile}`, level: hostile }),
        game(5, { id: "__proto__", options: JSON.parse('{"__proto__": "x"}') }),
        game(6, { moves: ["e2", "e2"], level: "unheard of" }), game(7, { outcome: "win", start: hostile }),
    ]);
    assert.equal((await rows(table)).length, 5);
    assert.equal(await page.evaluate(() => [window.hit, document.querySelectorAll("img").length].join()), ",0");
    for (const id of [4, 6, 7]) {
        const row = page.locator("#game-list > li").filter({ hasText: id === 4 ? hostile : `Game ${id}` });
        await row.locator(".resume").click();
        await row.getByText("cannot continue the game").waitFor();
        assert.match(await row.locator("textarea").inputValue(), /^\[Game "/);
    }
    await table.hasNoComplaint("games that cannot be continued");
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
    // The list still works.
    await page.locator("#game-list .resume", { hasText: "Game 1" }).click();
    await page.locator("#games").waitFor({ state: "hidden" });
    assert.deepEqual((await table.shown()).moves, ["e2", "e8", "e3"]);
    await table.close();
});

test("a full store is reported, and no game is lost", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    // This is before the first write: the browser checks its quota only now and then.
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(own.server.address);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    await table.click("e2");
    await page.locator("#unkept").waitFor();
    await table.click("e8");
    assert.match(await page.locator("#unkept").innerText(), /no space to save this game/);
    await table.hasNoComplaint("a full store");
    await table.click("e3");
    assert.deepEqual((await table.shown()).moves, ["e2", "e8", "e3"]);
    const { games: [exported] } = await downloaded(table, () => page.click("#export-unkept"));
    assert.deepEqual(exported.moves, ["e2", "e8", "e3"]);
    await page.click("#unkept-games");
    await page.locator("#no-games").waitFor();
    assert.match(await read(table, [game(1)]), /no space/);
    await page.click("#games-close");
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await table.click("e7");
    await page.locator("#unkept").waitFor({ state: "hidden" });
    await kept(table, "e2 e8 e3 e7");
    await table.close();
});

test("a browser that blocks site data can play games", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "pentarch-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "Default"));
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
    const table = await Table.open({ ...own, profile: await launch(folder) });
    const { page } = table;
    const refused = await page.evaluate(() => navigator.locks.request("a", () => "").catch(({ name }) => name));
    assert.equal(refused, "SecurityError");
    await table.begin("quoridor");
    for (const site of ["e2", "e8"]) await table.click(site);
    assert.equal(await listed(table), "e2 e8");
    assert.equal(await page.locator("#offline").isVisible(), false);
    const words = await page.locator("#unkept-text").innerText();
    assert.match(words, /block cookies/);
    assert.doesNotMatch(words, /denied/);
    await page.click("#show-games");
    await page.locator("#games-note").getByText("block cookies").waitFor();
    await table.close();
});

test("the lines of a long game are requested a few at a time, and a game that is too long is rejected",
    async () => {
        const table = await Table.open(own);
        const { page } = table;
        const rounds = (count) => Array(count).fill(["e2", "e8", "e1", "e9"]).flat();
        const variations = (count) => Array.from({ length: count }, (_, index) => [`${"abcdefgh"[index % 8]}1h`]);
        await openList(table);
        const long = game(1, { moves: [...rounds(1000), ...variations(2500)], played: 4000 });
        assert.match(await read(table, [long]), /Read 0 games.*variations are too long: they have more than 200000/s);
        await read(table, [game(2, { moves: [...rounds(5), ...variations(100)], played: 20 })]);
        await page.evaluate(() => (window.watch.asked = []));
        await page.locator("#game-list .resume").click();
        await page.locator("#games").waitFor({ state: "hidden" });
        assert.equal((await table.shown()).moves.length, 20);
        const asked = (await page.evaluate(() => window.watch.asked)).filter(({ ask }) => ask === "course");
        assert.equal(asked.length, 101);
        assert.ok(asked.every(({ before }) => before <= 10), JSON.stringify(asked.map(({ before }) => before)));
        const many = await read(table, Array.from({ length: 5001 }, (_, number) => game(number)));
        assert.equal(many, "The file has 5001 games. At most 5000 are read from one file.");
        await table.close();
    });

test("a saved game that cannot be started does not prevent another one", { skip: NEEDS_SERVER }, async () => {
    const table = await Table.open(own);
    const { page } = table;
    await openList(table);
    await read(table, [game(1, { moves: ["e2", "e2"], played: 2 })]);
    await page.click("#games-close");
    const profile = page.context();
    const other = await Table.open({ ...own, profile });
    assert.match((await other.shown()).note,
        /^The last game cannot be resumed\. It stays in the list of games\. Move 2, e2, is illegal/);
    assert.ok((await other.shown()).open.length > 0);
    await openList(other);
    assert.match((await rows(other))[0], /^Game 1\n/);
    await other.page.close();
    // The server ends the connection because of a request about the game.
    const last = await Table.open({ ...own, profile }, {}, () => {
        window.WebSocket = class extends WebSocket {
            send(message) {
                const isKept = JSON.parse(message).moves?.length > 0;
                super.send(isKept ? JSON.stringify({ long: "x".repeat(3 << 20) }) : message);
            }
        };
    });
    const { note, moves, open } = await last.shown();
    assert.match(note, /It stays in the list of games\. The server has ended the connection because of too/);
    assert.deepEqual(moves, []);
    assert.ok(open.length > 0);
    assert.equal(await last.page.evaluate(() => window.watch.sockets.length), 2);
    await openList(last);
    assert.match((await rows(last))[0], /^Game 1\n/);
    await last.page.close();
    await table.close();
});

test("a game that changed since the list was drawn is renamed and exported in its current state", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor", {}, 0);
    // The engine's response comes after the list is drawn.
    await page.evaluate(() => (window.watch.held = []));
    await page.mouse.click(...await table.place("e2"));
    const played = () => page.evaluate(() => document.querySelectorAll("#moves button").length);
    while (await played() < 1) await page.evaluate(() => window.watch.release(1));
    await kept(table, "e2");
    await openList(table);
    assert.match((await rows(table))[0], / · 1 move · /);
    const release = async () => {
        await page.evaluate(() => window.watch.release(1));
        return played();
    };
    while (await release() < 2) await setTimeout(20);
    await table.deliver();
    const now = (await table.glimpse()).moves;
    await kept(table, now.join(" "));
    const button = (name) => page.locator("#game-list").getByRole("button", { name });
    const file = await downloaded(table, () => button("Export: Quoridor").click());
    assert.deepEqual(file.games[0].moves, now);
    page.on("dialog", (dialog) => dialog.accept("Ada"));
    await button("Rename: Quoridor").click();
    await page.locator("#game-list .resume", { hasText: "Ada" }).waitFor();
    assert.match((await rows(table))[0], / · 2 moves · /);
    await kept(table, now.join(" "));

    // Another tab resumes a game of the list, and leaves it.
    await page.click("#games-close");
    await table.begin("roses");
    await openList(table);
    const other = await Table.open({ ...own, profile: page.context() });
    await openList(other);
    await other.page.locator("#game-list .resume", { hasText: "Ada" }).click();
    await other.page.locator("#games").waitFor({ state: "hidden" });
    await other.click("d9");
    await other.page.click("#undo");
    await kept(other, "");
    await other.page.close();
    await button("Rename: Ada").click();
    await page.locator("#game-list .resume", { hasText: "Ada" }).getByText(" · 0 moves · ").waitFor();
    const again = await downloaded(table, () => page.click("#export-games"));
    assert.deepEqual(again.games.map(({ moves }) => moves), [[]]);
    await table.close();
});

test("a game that a second tab takes over stops in the first, and can be taken back", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor");
    await table.click("e2");
    await kept(table, "e2");
    const other = await Table.open({ ...own, profile: table.page.context() });
    await other.begin("roses");
    await other.click("d3");
    await kept(other, "d3");
    await openList(other);
    const row = other.page.locator("#game-list > li").filter({ hasText: "Quoridor" });
    assert.match(await row.innerText(), /open in another tab/);
    assert.equal(await row.getByRole("button", { name: "Delete" }).count(), 0);
    await row.locator(".resume").click();
    await other.page.locator("#games").waitFor({ state: "hidden" });
    await other.click("e8");
    assert.deepEqual((await other.shown()).moves, ["e2", "e8"]);
    // The first tab reports that, and offers no moves.
    await table.page.locator("#offline").waitFor();
    assert.match(await table.page.locator("#offline").innerText(), /continues in another tab/);
    assert.deepEqual((await table.shown()).open, []);
    await table.hasNoComplaint("a game that continues in another tab");
    await table.click("e8");
    assert.match((await table.shown()).note, /You cannot move now/);
    await kept(other, "e2 e8");
    await table.page.click("#take-over");
    await table.page.locator("#offline").waitFor({ state: "hidden" });
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    await other.page.locator("#offline").waitFor();
    await table.click("e3");
    await kept(table, "e2 e8 e3");
    // The game that the other tab had left is unchanged.
    await openList(other);
    await other.page.locator("#game-list .resume", { hasText: "Guerre" }).click();
    await other.page.locator("#offline").waitFor({ state: "hidden" });
    assert.deepEqual((await other.shown()).moves, ["d3"]);
    await other.page.close();
    await table.close();
});

test("a loaded record is a separate game", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    for (const site of ["e2", "e8", "e3"]) await table.click(site);
    await table.unfold("position");
    await page.fill("#record", '[Game "quoridor"]\n1. d1 d9 *');
    await page.click("#record-load");
    await table.settled();
    assert.equal(await listed(table), "d1 d9");
    await openList(table);
    assert.deepEqual((await rows(table)).map((row) => / · (\d) moves/.exec(row)[1]), ["2", "3"]);
    await table.close();
});
