/** Tabs and their sessions. Each tab has its own game, and a session ends with its tab. The page reports the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, NEEDS_SERVER, PageServer, PANELS, setUpBrowser } from "./page.js";

/** The maximum number of sessions. */
const SESSIONS = 16;

const suite = setUpBrowser();
const onServer = { skip: NEEDS_SERVER };

test("two tabs have separate games", async () => {
    const one = await GameTab.open(suite);
    const other = await GameTab.open(suite);
    await one.startGame("quoridor");
    await other.startGame("roses");
    await one.clickSite("e2");
    await other.clickSite("d3");
    await other.clickSite("c5");
    assert.deepEqual([(await one.snapshot()).moves, (await other.snapshot()).moves], [["e2"], ["d3", "c5"]]);
    await one.close();
    await other.clickSite("c3");
    assert.deepEqual((await other.snapshot()).moves, ["d3", "c5", "c3"]);
    await other.close();
});

test("a reloaded tab has the same game", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await tab.clickSite("e8");
    await tab.reload();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await tab.close();
});

test("a closed tab ends its session, and a tab above the limit is told so", onServer, async () => {
    const tabs = [];
    for (let count = 0; count < SESSIONS; count += 1) tabs.push(await GameTab.open(suite));
    const context = await suite.browser.newContext();
    const page = await context.newPage();
    await page.goto(suite.server.address);
    await page.locator("#offline").waitFor({ state: "visible" });
    await context.close();
    for (const tab of tabs.splice(0, 4)) {
        // The engine is searching.
        await tab.startGame("alquerque", {}, 1);
        await tab.close();
        tabs.push(await openTabWithSession());
    }
    for (const tab of tabs) await tab.close();
});

test("a tab takes one session, whatever is open in it", onServer, async () => {
    const tabs = [];
    for (let count = 0; count < SESSIONS; count += 1) tabs.push(await GameTab.open(suite));
    const [tab, ...others] = tabs;
    const { page } = tab;
    await tab.startGame("quoridor");
    for (const panel of PANELS) await tab.openPanel(panel);
    for (const move of ["e2", "e8"]) await tab.clickSite(move);
    await page.fill("#console-line", "query game");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("console-log").textContent.includes("response alcaxar"));
    await page.check("#analysing");
    await tab.waitForAnalysis();
    await page.click("#review");
    await page.waitForFunction(() => !document.getElementById("review-result").hidden);
    // A variation is also explored.
    await page.click("#back");
    await tab.waitForAnalysis();
    await tab.clickSite("d9");
    assert.deepEqual((await tab.snapshot()).line, ["e2", "d9"]);
    await page.click("#new");
    await page.click("#setup-rules-panel summary");
    await page.fill('#setup-rules [name="Quoridor_Walls"]', "3");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.watch.connections.length), 1);
    assert.equal(await page.locator("#offline").isVisible(), false);
    for (const other of [...others, tab]) await other.close();
});

/** Opens a tab with a session as soon as a session is free. */
async function openTabWithSession() {
    for (;;) {
        const context = await suite.browser.newContext();
        const page = await context.newPage();
        await page.goto(suite.server.address);
        await page.locator("#home-now .card, #offline:not([hidden])").first().waitFor();
        if (await page.locator("#board .pieces > .piece").count() > 0) return context;
        await context.close();
    }
}

test("the page reconnects by itself and repeats its requests", onServer, async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const offline = page.locator("#offline");
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await page.evaluate(() => {
        window.seen = [];
        new MutationObserver(() => window.seen.push(document.getElementById("offline-text").textContent))
            .observe(document.getElementById("offline"), { childList: true, subtree: true });
        window.watch.connections[0].close();
        // A request without a connection is not lost.
        document.getElementById("rules").open = true;
    });
    await page.waitForFunction(() => window.watch.connections.length > 1);
    await offline.waitFor({ state: "hidden" });
    assert.match((await page.evaluate(() => window.seen))[0], /has ended.*reconnects automatically/);
    await page.locator("#rules-page h3").waitFor();
    await tab.clickSite("e8");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await tab.close();
});

test("the game continues after the server was killed and restarted", onServer, async (context) => {
    let server = await PageServer.start();
    context.after(() => server.stop());
    const tab = await GameTab.open({ ...suite, server });
    const { page } = tab;
    const offline = page.locator("#offline");
    await tab.startGame("quoridor", {}, 0);
    await tab.clickSite("e2");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await tab.waitUntilIdle();
    await server.stop("SIGKILL");
    await offline.waitFor();
    await page.getByText("Is the server still running?").waitFor();
    // Actions that would have no effect are disabled.
    assert.deepEqual((await tab.snapshotNow()).selectable, []);
    for (const id of ["undo", "hint", "resign"]) assert.ok(await page.isDisabled(`#${id}`), id);
    await page.mouse.click(...await tab.sitePoint("e3"));
    await page.getByText("You cannot move now.").waitFor();
    // A user who does not want to wait can reconnect at once.
    const tries = await page.evaluate(() => window.watch.connections.length);
    await page.click("#reconnect");
    await page.waitForFunction((tries) => window.watch.connections.length > tries, tries);
    server = await PageServer.start(server.port);
    await offline.waitFor({ state: "hidden" });
    await tab.waitUntilIdle();
    assert.ok((await tab.snapshot()).selectable.length > 0);
    await tab.stepWhitePawn();
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 4);

    // The server is available again when the page becomes visible. Then the page reconnects at once.
    await server.stop("SIGKILL");
    await offline.waitFor();
    await page.getByText("Is the server still running?").waitFor();
    server = await PageServer.start(server.port);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await offline.waitFor({ state: "hidden" });

    // If the token is different, the page has another address.
    await server.stop("SIGKILL");
    server = await PageServer.start(server.port, "--new-token");
    await page.getByText("started with another address").waitFor();
    assert.equal((await tab.snapshotNow()).moves.length, 4);
    await page.context().close();
});

test("without a connection the engine does not think, and no other game starts later", onServer, async (context) => {
    let server = await PageServer.start();
    context.after(() => server.stop());
    const tab = await GameTab.open({ ...suite, server });
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await page.click("#new");
    await page.selectOption("#setup-players", { index: 1 });
    // Other levels move at once.
    await page.selectOption("#setup-level", "champion");
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
    await page.click("#go-home");
    await page.click('[aria-label="Play: Bushka"]');
    await tab.leaveHome();
    await page.click("#show-games");
    await page.locator("#game-list .resume", { hasText: "Two people" }).click();
    await page.locator("#games-note").getByText("No game can start now").waitFor();
    await page.click("#games-close");
    await page.locator("#position").evaluate((panel) => (panel.open = true));
    await page.fill("#record", '[Game "alcaxar"]\n*');
    await page.click("#record-load");
    await page.locator("#record-verdict").getByText("No game can start now").waitFor();
    server = await PageServer.start(server.port);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.locator("#offline").waitFor({ state: "hidden" });
    await page.locator("#thinking").waitFor();
    await tab.waitUntilIdle();
    assert.equal(await page.textContent("#title"), "Quoridor");
    assert.equal(await page.locator("#thinking").isVisible(), true);
    await page.context().close();
});

test("without scripts the page says that it needs them", async () => {
    const context = await suite.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(suite.server.address);
    assert.match(await page.locator("noscript").innerText(), /needs JavaScript/);
    await context.close();
});

test("the page says that it has another address than usual", async () => {
    const tab = await GameTab.open(suite, {}, () => addEventListener("DOMContentLoaded", () => {
        const meta = document.createElement("meta");
        meta.name = "usual-host";
        meta.content = "127.0.0.1:12345<b>";
        document.head.append(meta);
    }));
    assert.match((await tab.snapshot()).note, /127\.0\.0\.1:12345<b> was in use: the games .* are not here/);
    await tab.page.click("#show-games");
    assert.match(await tab.page.innerText("#games"), /the games saved under that address are not here/);
    await tab.close();
});
