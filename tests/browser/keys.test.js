/** A complete game of each kind, from the dialog to the end, with keys only. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { GameTab, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const suite = setUpBrowser();

for (const [game, text] of Object.entries(SAMPLE_GAMES)) {
    test(`a complete game of ${game} by keys only`, async (context) => {
        const tab = await GameTab.open(suite);
        const engine = new EngineSession(game);
        context.after(() => engine.close());
        const { keyboard } = tab.page;
        await keyboard.press("n");
        const value = (id) => tab.page.locator(id).inputValue();
        while (await value("#setup-games :checked") !== game) await keyboard.press("ArrowDown");
        await keyboard.press("Tab");
        while (await value("#setup-players") !== "2") await keyboard.press("ArrowDown");
        while (await tab.page.evaluate(() => document.activeElement.value) !== "begin") await keyboard.press("Tab");
        await keyboard.press("Enter");
        await tab.waitUntilIdle();
        await keyboard.press("b");
        const moves = text.split(" ");
        for (const [index, move] of moves.entries()) {
            const [{ clicks }] = await engine.query(`details ${move}`);
            for (const site of clicks) {
                await focusSite(tab, site);
                await keyboard.press("Enter");
                await tab.waitUntilIdle();
            }
            const { moves: made, ready } = await tab.snapshot();
            if (made.length === index && ready !== null) await keyboard.press("Enter");
            assert.deepEqual((await tab.snapshot()).moves, moves.slice(0, index + 1));
            await engine.send(`play ${move}`);
        }
        const [{ sentence, turn }] = await engine.query("scene");
        const { status } = await tab.snapshot();
        assert.ok(turn === null && status.endsWith(`${sentence}.`), `${status} ${sentence}`);
        await tab.close();
    });
}

/** Moves the focus to a site. Uses arrow keys while they lead nearer, and then the list of sites. */
async function focusSite(tab, site) {
    const { page } = tab;
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-site"));
    const goal = await tab.sitePoint(site);
    const seen = new Set();
    for (;;) {
        const here = await focused();
        if (here === site) return;
        assert.ok(here, "the focus has left the board");
        const [left, top] = await tab.sitePoint(here);
        const away = ([right, down]) => (goal[0] - left) * right + (goal[1] - top) * down;
        const [arrow] = Object.keys(ARROWS).sort((one, other) => away(ARROWS[other]) - away(ARROWS[one]));
        await page.keyboard.press(seen.has(here) ? "PageDown" : arrow);
        seen.add(here);
    }
}

test("a focused button that is hidden or disabled passes the focus to the board", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    const isOnBoard = () => page.waitForFunction(() => document.activeElement?.closest("#board") !== null);
    await tab.clickSite("e2");
    await page.focus("#undo");
    await page.keyboard.press("Enter");
    await isOnBoard();
    await tab.clickSite("e2");
    page.once("dialog", (dialog) => dialog.accept());
    await page.focus("#resign");
    await page.keyboard.press("Enter");
    await isOnBoard();
    // A click outside all elements removes the focus. The board does not get the focus.
    await page.focus("#first");
    await page.mouse.click(5, 5);
    await page.evaluate(() => document.getElementById("first")?.toggleAttribute("disabled", true));
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY");
    await tab.close();
});

test("the Tab key enters the board at the pawn, grooves name their squares, and there is no empty clock", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    const entry = () => page.locator('#board [tabindex="0"]').getAttribute("data-site");
    assert.equal(await entry(), "e1");
    // No stop without a name comes before the pawn.
    await page.focus("#far select");
    await page.keyboard.press("Tab");
    assert.deepEqual(await page.evaluate(() => ["data-site", "role", "aria-label"]
        .map((name) => document.activeElement.getAttribute(name))), ["e1", "button", "e1, goal of black, white pawn"]);
    await page.fill("#move", "d3h");
    await page.keyboard.press("Enter");
    await tab.waitUntilIdle();
    assert.equal(await entry(), "e9");
    const nameOf = (site) => page.locator(`#board [data-site="${site}"]`).getAttribute("aria-label");
    assert.equal(await nameOf("a1h"), "a1h, horizontal groove between a1 b1 and a2 b2");
    assert.equal(await nameOf("e5v"), "e5v, vertical groove between e5 e6 and f5 f6");
    assert.equal(await page.locator("[role=timer]:visible").count(), 0);
    await tab.close();
});

test("arrow keys and the wheel go through the moves while no piece is chosen", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("bushka", SAMPLE_GAMES.bushka.split(" ").slice(0, 6).join(" "));
    const plies = async (action) => {
        await action();
        return (await tab.snapshot()).line.length;
    };
    const press = (key) => plies(() => page.keyboard.press(key));
    const wheel = (distance) => plies(async () => {
        const scrolled = page.evaluate(() => new Promise((done) => addEventListener("wheel", done, { once: true })));
        await page.mouse.wheel(0, distance);
        await scrolled;
    });
    // A click on the board leaves the keys to the moves.
    await tab.clickSite("e5");
    assert.deepEqual([await press("ArrowLeft"), await press("ArrowLeft"), await press("ArrowRight")], [5, 4, 5]);
    assert.deepEqual([await wheel(-100), await wheel(100), await wheel(100), await wheel(-30)], [4, 5, 6, 6]);
    const { selectable } = await tab.snapshot();
    await tab.clickSite(selectable[0]);
    assert.deepEqual([await press("ArrowLeft"), await wheel(-100)], [6, 6], "a piece is chosen");
    await page.keyboard.press("Escape");
    // A click on a move in the list also leaves the keys to the moves. Up and down move the focus in the list.
    await page.click("#moves button >> nth=3");
    assert.deepEqual([await press("ArrowLeft"), await press("ArrowLeft"), await press("ArrowRight")], [3, 2, 3]);
    const focusedMove = () => page.evaluate(() =>
        [...document.querySelectorAll("#moves button")].indexOf(document.activeElement) + 1);
    assert.equal(await focusedMove(), 3);
    assert.deepEqual([await press("ArrowDown"), await focusedMove()], [3, 5]);
    assert.deepEqual([await press("ArrowRight"), await press("ArrowRight"), await press("ArrowRight")], [4, 5, 6]);
    // If the page is longer than the screen, the wheel scrolls the page.
    await page.setViewportSize({ width: 500, height: 700 });
    await page.mouse.move(...await tab.sitePoint("e5"));
    assert.equal(await wheel(-100), 6);
    await page.mouse.wheel(0, 100);
    await page.waitForFunction(() => document.documentElement.scrollTop > 0);
    await page.setViewportSize({ width: 1280, height: 1000 });
    // Keyboard users move among the sites.
    await page.keyboard.press("b");
    assert.equal(await press("ArrowLeft"), 6);
    await tab.close();
});
