/** The layout of the page on a narrow screen, and shifts of the layout. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, GameTab, PANELS, PHONE, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

test("nothing scrolls sideways at 360 pixels, and the whole board is visible", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    const width = () => page.evaluate(() => document.scrollingElement.scrollWidth);
    for (const [game, options] of GAMES) {
        await tab.startGame(game, options);
        const place = `${game} ${Object.values(options)}`;
        assert.equal(await width(), 360, place);
        const { x, y, width: across, height } = await page.locator("#board").boundingBox();
        assert.ok(x >= 0 && y >= 0 && across > 300 && x + across <= 360 && y + height <= 640, place);
        for (const panel of PANELS) await tab.openPanel(panel);
        assert.equal(await width(), 360, `${place}, panels`);
        for (const opener of ["#new", "#show-keys", "#show-settings"]) {
            await page.click(opener);
            assert.equal(await width(), 360, `${place} ${opener}`);
            assert.equal(await page.evaluate(() => document.querySelector("dialog[open]").scrollTop), 0, opener);
            const inside = await page.evaluate(() => document.querySelector("dialog[open]").scrollWidth);
            assert.ok(inside <= 360, `${place} ${opener}`);
            await page.keyboard.press("Escape");
        }
    }
    await tab.close();
});

test("nothing scrolls sideways at 360 pixels during an analysis", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
        await tab.loadGame(game, moves);
        await tab.openPanel("analysis");
        await page.click("#review");
        await page.waitForFunction(() => !document.getElementById("review-result").hidden);
        await page.click("#back");
        await page.check("#analysing");
        await page.selectOption("#line-count", "5");
        await tab.waitForAnalysis();
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360, game);
        await page.evaluate(() => scrollTo(0, 0));
        const { x, y, width, height } = await page.locator("#board").boundingBox();
        assert.ok(x >= 0 && y >= 0 && width > 300 && x + width <= 360 && y + height <= 640, game);
    }
    await tab.close();
});

/** @type {Record<string, [number, number]>} Wide and low screens. The second one is a laptop. */
const LOW_SCREENS = { "a phone in landscape": [740, 360], "a page at 200 %": [640, 400] };

for (const [name, [width, height]] of Object.entries(LOW_SCREENS)) {
    test(`the whole board is visible on ${name}, next to the status`, async () => {
        const tab = await GameTab.open(suite, { ...PHONE, viewport: { width, height } });
        const { page } = tab;
        for (const [game, options] of GAMES) {
            await tab.startGame(game, options);
            const place = `${game} ${Object.values(options)}`;
            const board = await page.locator("#board").boundingBox();
            const status = await page.locator("#status").boundingBox();
            assert.ok(board.x >= 0 && board.y >= 0 && board.y + board.height <= height, `${place} ${board.height}`);
            assert.ok(board.height > 0.5 * height, `${place} ${board.height}`);
            assert.ok(status.x >= board.x + board.width && status.y + status.height < height, place);
            for (const panel of PANELS) await tab.openPanel(panel);
            assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), width, place);
            for (const panel of PANELS) await page.locator(`#${panel}`).evaluate((element) => (element.open = false));
        }
        await tab.close();
    });
}

test("nothing scrolls sideways at 320 pixels", async () => {
    const tab = await GameTab.open(suite, { ...PHONE, viewport: { width: 320, height: 568 } });
    const { page } = tab;
    for (const [game, options] of GAMES) {
        await tab.startGame(game, options);
        for (const panel of PANELS) await tab.openPanel(panel);
        for (const opener of ["#new", "#show-settings"]) {
            await page.click(opener);
            assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 320, `${game} ${opener}`);
            await page.keyboard.press("Escape");
        }
    }
    await tab.close();
});

test("the layout of a phone does not shift when the board or the lines of the analysis appear", async () => {
    const tab = await GameTab.open(suite, { ...PHONE, viewport: { width: 360, height: 740 } });
    const { page } = tab;
    const shifted = () => page.evaluate(() => new Promise((done) => {
        // The browser reports a shift after it has drawn the page.
        requestAnimationFrame(() => setTimeout(() => {
            done(window.watch.layoutShift);
            window.watch.layoutShift = 0;
        }, 50));
    }));
    assert.ok(await shifted() < 0.05, "at the start");
    for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
        await tab.loadGame(game, moves.split(" ").slice(0, 4).join(" "));
        await tab.page.click("#back");
        await tab.openPanel("analysis");
        // The click reserves the space for the lines. The lines come later.
        await page.evaluate(() => {
            window.watch.heldResponses = [];
            document.getElementById("analysis").scrollIntoView();
            document.getElementById("analysing").click();
        });
        await shifted();
        await tab.deliverHeld();
        await tab.waitForAnalysis(2);
        const jump = await shifted();
        assert.ok(jump < 0.05, `${game}: ${jump}`);
        await page.uncheck("#analysing");
    }
    await tab.close();
});
