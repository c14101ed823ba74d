/** A move that is chosen while the engine thinks. If it is legal after the engine's reply, it is played. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, PHONE, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Waits until at least `moves` moves were made. @param {GameTab} tab @param {number} moves */
const waitForMoves = ({ page }, moves) =>
    page.waitForFunction((moves) => document.querySelectorAll("#moves button").length >= moves, moves);

/** Makes the first move, and holds back the reply. The engine has only one. @param {GameTab} tab */
async function playFirstMoveAndHoldReply(tab) {
    await tab.holdMoves();
    await tab.page.fill("#move", "d3c3");
    await tab.page.press("#move", "Enter");
    await waitForMoves(tab, 1);
    await tab.page.evaluate(() => scrollTo(0, 0));
    await tab.waitUntilIdle();
}

/**
 * Starts a game of Alquerque, makes the first move, and holds back the reply.
 *
 * @param {import("playwright-core").BrowserContextOptions} options
 */
async function startWithHeldReply(options = {}) {
    const tab = await GameTab.open(suite, options);
    await tab.startGame("alquerque", {}, 0);
    await playFirstMoveAndHoldReply(tab);
    return tab;
}

/** Delivers the engine's reply, and waits for its move. @param {GameTab} tab */
async function deliverReply(tab, moves = 2) {
    await tab.deliverHeld();
    await waitForMoves(tab, moves);
    await tab.waitUntilIdle();
}

/** Clicks without waiting for responses, because they are held back. @param {GameTab} tab @param {string[]} sites */
async function clickSites(tab, ...sites) {
    for (const site of sites) await tab.page.mouse.click(...await tab.sitePoint(site));
}

/** Returns the sites that are shown as selected. @param {GameTab} tab */
const premoveSites = ({ page }) => page.locator('#board [data-site][aria-pressed="true"]')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.site).sort());

test("a premove is played if it is legal after the engine's move", async () => {
    const tab = await startWithHeldReply();
    await clickSites(tab, "e3", "c3");
    assert.deepEqual(await premoveSites(tab), ["c3", "e3"]);
    assert.match(await tab.textOf("note"), /^Premove: e3 c3/);
    await deliverReply(tab, 3);
    assert.deepEqual((await tab.snapshot()).moves.slice(0, 3), ["d3c3", "b3d3", "e3c3"]);
    assert.deepEqual(await premoveSites(tab), []);
    await tab.close();
});

test("a dragged premove is played, and replaces another one", async () => {
    const tab = await startWithHeldReply();
    const { mouse } = tab.page;
    await clickSites(tab, "d2");
    await mouse.move(...await tab.sitePoint("e3"));
    await mouse.down();
    await mouse.move(...await tab.sitePoint("d3"), { steps: 4 });
    await mouse.move(...await tab.sitePoint("c3"), { steps: 4 });
    await mouse.up();
    assert.deepEqual(await premoveSites(tab), ["c3", "e3"]);
    await deliverReply(tab, 3);
    assert.deepEqual((await tab.snapshot()).moves.slice(0, 3), ["d3c3", "b3d3", "e3c3"]);
    await tab.close();
});

test("a premove is dropped with the reason if it is illegal after the engine's move", async () => {
    const tab = await startWithHeldReply();
    // Another piece has to capture.
    await clickSites(tab, "c2", "b3");
    assert.deepEqual(await premoveSites(tab), ["b3", "c2"]);
    await deliverReply(tab);
    const { moves, note, selectable: sites } = await tab.snapshot();
    assert.deepEqual(moves, ["d3c3", "b3d3"]);
    assert.match(note, /^The premove c2 b3 was not played/);
    assert.deepEqual(await premoveSites(tab), []);
    assert.ok(sites.length > 0);
    await tab.close();
});

test("the first site of a premove stays selected when the engine moves before the second one", async () => {
    const tab = await startWithHeldReply();
    await clickSites(tab, "e3");
    await deliverReply(tab);
    assert.deepEqual(await premoveSites(tab), ["e3"]);
    await tab.clickSite("c3");
    assert.deepEqual((await tab.snapshot()).moves.slice(0, 3), ["d3c3", "b3d3", "e3c3"]);
    await tab.close();
});

/** @type {Record<string, (tab: GameTab) => Promise<unknown>>} */
const CANCELLATIONS = {
    "by Escape": ({ page }) => page.keyboard.press("Escape"),
    "by the button": ({ page }) => page.click("#cancel"),
    "by the second mouse button": async (tab) =>
        tab.page.mouse.click(...await tab.sitePoint("a1"), { button: "right" }),
    "by the same site again": (tab) => clickSites(tab, "c3"),
    "when the setting is turned off": async ({ page }) => {
        await page.keyboard.press("e");
        await page.uncheck("#set-premove");
        await page.keyboard.press("Escape");
    },
    "when another position is viewed": ({ page }) => page.click("#first"),
};

for (const [how, action] of Object.entries(CANCELLATIONS)) {
    test(`a premove is cancelled ${how}`, async () => {
        const tab = await startWithHeldReply();
        await clickSites(tab, "e3", "c3");
        await action(tab);
        assert.deepEqual(await premoveSites(tab), []);
        await deliverReply(tab);
        assert.deepEqual((await tab.snapshot()).moves, ["d3c3", "b3d3"]);
        await tab.close();
    });
}

test("a premove is played neither after a takeback nor after the end of the game", async () => {
    const tab = await startWithHeldReply();
    tab.page.on("dialog", (dialog) => dialog.accept());
    await clickSites(tab, "e3", "c3");
    await tab.page.click("#undo");
    await tab.deliverHeld();
    await tab.waitUntilIdle();
    assert.deepEqual([(await tab.snapshot()).moves, await premoveSites(tab)], [[], []]);
    await playFirstMoveAndHoldReply(tab);
    await clickSites(tab, "e3", "c3");
    await tab.page.click("#resign");
    await tab.deliverHeld();
    await tab.waitUntilIdle();
    assert.deepEqual([(await tab.snapshot()).moves, await premoveSites(tab)], [["d3c3"], []]);
    await tab.close();
});

test("a piece of the engine begins no premove", async () => {
    const tab = await startWithHeldReply();
    await clickSites(tab, "b3");
    assert.deepEqual(await premoveSites(tab), []);
    assert.match(await tab.textOf("note"), /is dark's/);
    await tab.close();
});

test("a finger's premove waits for confirmation", async () => {
    const tab = await startWithHeldReply(PHONE);
    for (const site of ["e3", "c3"]) await tab.tap(...await tab.sitePoint(site));
    assert.deepEqual(await premoveSites(tab), ["c3", "e3"]);
    await deliverReply(tab);
    const { moves, ready } = await tab.snapshot();
    assert.deepEqual([moves, ready], [["d3c3", "b3d3"], "Play e3c3"]);
    await tab.page.click("#confirm");
    await waitForMoves(tab, 3);
    assert.equal((await tab.snapshot()).moves[2], "e3c3");
    await tab.close();
});
