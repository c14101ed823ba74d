/** Tabs and their sessions: each has a game of its own, which ends with its tab, and the page tells of the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PANELS, Server, setUp, Table } from "./page.js";

/** How many sessions there can be at a time. */
const SESSIONS = 16;

const own = setUp();

test("two tabs have games of their own", async () => {
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

test("a tab keeps its game when it is loaded again", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor");
    await table.click("e2");
    await table.click("e8");
    await table.page.reload();
    await table.page.waitForFunction(() => window.watch.drawn > 0);
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    await table.close();
});

test("a tab that is closed ends its session, and one too many is told so", async () => {
    const tables = [];
    for (let count = 0; count < SESSIONS; count += 1) tables.push(await Table.open(own));
    const context = await own.browser.newContext();
    const page = await context.newPage();
    await page.goto(own.server.address);
    await page.locator("#offline").waitFor({ state: "visible" });
    await context.close();
    for (const table of tables.splice(0, 4)) {
        // The engine searches.
        await table.begin("alquerque", {}, 1);
        await table.close();
        tables.push(await opened());
    }
    for (const table of tables) await table.close();
});

test("a tab takes one session, whatever is open on it", async () => {
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
    // The past is explored, too.
    await page.click("#back");
    await table.analysed();
    await table.click("d9");
    assert.deepEqual((await table.shown()).line, ["e2", "d9"]);
    await page.click("#new");
    await page.fill('#setup-rules [name="Quoridor_Walls"]', "3");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => window.watch.sockets.length), 1);
    assert.equal(await page.locator("#offline").isVisible(), false);
    for (const other of [...others, table]) await other.close();
});

/** A tab that has a session, as soon as there is room for one. */
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

test("the page tells when its session has ended, and goes on in another", async (context) => {
    const server = await Server.start();
    context.after(() => server.stop());
    const table = await Table.open({ ...own, server });
    const { page } = table;
    const offline = page.locator("#offline");
    await table.begin("quoridor");
    await table.click("e2");
    await page.evaluate(() => window.watch.sockets[0].close());
    await offline.waitFor({ state: "visible" });
    await page.click("#reconnect");
    await offline.waitFor({ state: "hidden" });
    // Clicks count as soon as the new session has told what they mean.
    do await table.click("e8");
    while ((await table.shown()).moves.length < 2);
    assert.deepEqual((await table.glimpse()).moves, ["e2", "e8"]);
    assert.deepEqual(table.faults, []);

    await server.stop();
    await offline.waitFor({ state: "visible" });
    const text = await page.locator("#offline-text").textContent();
    await page.click("#reconnect");
    await page.waitForFunction((text) => document.getElementById("offline-text").textContent !== text, text);
    assert.deepEqual((await table.glimpse()).moves, ["e2", "e8"]);
    // The browser itself writes that there is no server.
    assert.ok(table.faults.every((fault) => fault.includes("WebSocket connection")), table.faults);
    await page.context().close();
});
