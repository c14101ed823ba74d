/** Tabs and their sessions: each has its own game, and a session ends with its tab. The page reports the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEEDS_SERVER, PANELS, Server, setUp, Table } from "./page.js";

/** The maximum number of sessions. */
const SESSIONS = 16;

const own = setUp();
const onServer = { skip: NEEDS_SERVER };

test("two tabs have separate games", async () => {
    const [one, other] = [await Table.open(own), await Table.open(own)];
    await one.begin("quoridor");
    await other.begin("roses");
    await one.click("e2");
    await other.click("d3");
    await other.click("c5");
    assert.deepEqual([(await one.shown()).moves, (await other.shown()).moves], [["e2"], ["d3", "c5"]]);
    await one.close();
    await other.click("c3");
    assert.deepEqual((await other.shown()).moves, ["d3", "c5", "c3"]);
    await other.close();
});

test("a reloaded tab has the same game", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor");
    await table.click("e2");
    await table.click("e8");
    await table.reload();
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    await table.close();
});

test("a closed tab ends its session, and a tab above the limit is told so", onServer, async () => {
    const tables = [];
    for (let count = 0; count < SESSIONS; count += 1) tables.push(await Table.open(own));
    const context = await own.browser.newContext();
    const page = await context.newPage();
    await page.goto(own.server.address);
    await page.locator("#offline").waitFor({ state: "visible" });
    await context.close();
    for (const table of tables.splice(0, 4)) {
        // The engine is searching.
        await table.begin("alquerque", {}, 1);
        await table.close();
        tables.push(await opened());
    }
    for (const table of tables) await table.close();
});

test("a tab takes one session, whatever is open in it", onServer, async () => {
    const tables = [];
    for (let count = 0; count < SESSIONS; count += 1) tables.push(await Table.open(own));
    const [table, ...others] = tables;
    const { page } = table;
    await table.begin("quoridor");
    for (const panel of PANELS) await table.unfold(panel);
    for (const move of ["e2", "e8"]) await table.click(move);
    await page.fill("#console-line", "query game");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("console-log").textContent.includes("response alcaxar"));
    await page.check("#analysing");
    await table.analysed();
    await page.click("#review");
    await page.waitForFunction(() => !document.getElementById("review-result").hidden);
    // A variation is also explored.
    await page.click("#back");
    await table.analysed();
    await table.click("d9");
    assert.deepEqual((await table.shown()).line, ["e2", "d9"]);
    await page.click("#new");
    await page.click("#setup-rules-panel summary");
    await page.fill('#setup-rules [name="Quoridor_Walls"]', "3");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.watch.sockets.length), 1);
    assert.equal(await page.locator("#offline").isVisible(), false);
    for (const other of [...others, table]) await other.close();
});

/** Opens a tab that has a session, as soon as one is free. */
async function opened() {
    for (;;) {
        const context = await own.browser.newContext();
        const page = await context.newPage();
        await page.goto(own.server.address);
        await page.locator("#board .pieces > .piece, #offline:not([hidden])").first().waitFor();
        if (await page.locator("#board .pieces > .piece").count() > 0) return context;
        await context.close();
    }
}

test("the page reconnects by itself and repeats its requests", onServer, async () => {
    const table = await Table.open(own);
    const { page } = table;
    const offline = page.locator("#offline");
    await table.begin("quoridor");
    await table.click("e2");
    await page.evaluate(() => {
        window.seen = [];
        new MutationObserver(() => window.seen.push(document.getElementById("offline-text").textContent))
            .observe(document.getElementById("offline"), { childList: true, subtree: true });
        window.watch.sockets[0].close();
        // A request without a connection is not lost.
        document.getElementById("rules").open = true;
    });
    await page.waitForFunction(() => window.watch.sockets.length > 1);
    await offline.waitFor({ state: "hidden" });
    assert.match((await page.evaluate(() => window.seen))[0], /has ended.*reconnects automatically/);
    await page.locator("#rules-page h3").waitFor();
    await table.click("e8");
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    await table.close();
});

test("the game continues after the server was killed and restarted", onServer, async (context) => {
    let server = await Server.start();
    context.after(() => server.stop());
    const table = await Table.open({ ...own, server });
    const { page } = table;
    const offline = page.locator("#offline");
    await table.begin("quoridor", {}, 0);
    await table.click("e2");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await table.settled();
    await server.stop("SIGKILL");
    await offline.waitFor();
    await page.getByText("Is the server still running?").waitFor();
    // Actions without an effect are disabled.
    assert.deepEqual((await table.glimpse()).open, []);
    for (const id of ["undo", "hint", "resign"]) assert.ok(await page.isDisabled(`#${id}`), id);
    await page.mouse.click(...await table.place("e3"));
    await page.getByText("You cannot move now.").waitFor();
    // Impatient users can reconnect at once.
    const tries = await page.evaluate(() => window.watch.sockets.length);
    await page.click("#reconnect");
    await page.waitForFunction((tries) => window.watch.sockets.length > tries, tries);
    server = await Server.start(server.port);
    await offline.waitFor({ state: "hidden" });
    await table.settled();
    assert.ok((await table.shown()).open.length > 0);
    await table.step();
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 4);

    // The page becomes visible when the server is available again, and reconnects at once.
    await server.stop("SIGKILL");
    await offline.waitFor();
    await page.getByText("Is the server still running?").waitFor();
    server = await Server.start(server.port);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await offline.waitFor({ state: "hidden" });

    // With another token the page has another address.
    await server.stop("SIGKILL");
    server = await Server.start(server.port, "--new-token");
    await page.getByText("started with another address").waitFor();
    assert.equal((await table.glimpse()).moves.length, 4);
    await page.context().close();
});

test("without a connection the engine does not think, and no other game starts later", onServer, async (context) => {
    let server = await Server.start();
    context.after(() => server.stop());
    const table = await Table.open({ ...own, server });
    const { page } = table;
    await table.begin("quoridor");
    await table.click("e2");
    await page.click("#new");
    await page.selectOption("#setup-players", { index: 1 });
    await page.selectOption("#setup-seconds", "30");
    await page.click("#setup button[value=begin]");
    await page.locator("#thinking").waitFor();
    await server.stop("SIGKILL");
    await page.locator("#offline").waitFor();
    assert.equal(await page.locator("#thinking").isVisible(), false);
    await page.click("#new");
    await page.check('#setup-games [value="roses"]');
    await page.click("#setup button[value=begin]");
    await page.locator("#note").getByText("No game can start now").waitFor();
    await page.click("#other-games button >> text=Bushka");
    await page.click("#show-games");
    await page.locator("#game-list .resume", { hasText: "Two people" }).click();
    await page.locator("#games-note").getByText("No game can start now").waitFor();
    await page.click("#games-close");
    await page.locator("#position").evaluate((panel) => (panel.open = true));
    await page.fill("#record", '[Game "alcaxar"]\n*');
    await page.click("#record-load");
    await page.locator("#record-verdict").getByText("No game can start now").waitFor();
    server = await Server.start(server.port);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.locator("#offline").waitFor({ state: "hidden" });
    await page.locator("#thinking").waitFor();
    await table.settled();
    assert.equal(await page.textContent("#title"), "Quoridor");
    assert.equal(await page.locator("#thinking").isVisible(), true);
    await page.context().close();
});

test("without scripts the page says that it needs them", async () => {
    const context = await own.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(own.server.address);
    assert.match(await page.locator("noscript").innerText(), /needs JavaScript/);
    await context.close();
});

test("the page says that it has another address than usual", async () => {
    const table = await Table.open(own, {}, () => addEventListener("DOMContentLoaded", () => {
        const meta = document.createElement("meta");
        meta.name = "usual-host";
        meta.content = "127.0.0.1:12345<b>";
        document.head.append(meta);
    }));
    assert.match((await table.shown()).note, /127\.0\.0\.1:12345<b> was in use: the games .* are not here/);
    await table.page.click("#show-games");
    assert.match(await table.page.innerText("#games"), /the games saved under that address are not here/);
    await table.close();
});
