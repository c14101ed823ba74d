/** How the page fits: on a narrow screen, and how soon the board is drawn. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, PANELS, PHONE, PLAYED, setUp, Table } from "./page.js";

const own = setUp();

test("nothing has to be scrolled sideways at 360 pixels, and the whole board is seen", async () => {
    const table = await Table.open(own, PHONE);
    const { page } = table;
    const width = () => page.evaluate(() => document.scrollingElement.scrollWidth);
    for (const [game, options] of GAMES) {
        await table.begin(game, options);
        const place = `${game} ${Object.values(options)}`;
        assert.equal(await width(), 360, place);
        const { x, y, width: across, height } = await page.locator("#board").boundingBox();
        assert.ok(x >= 0 && y >= 0 && across > 300 && x + across <= 360 && y + height <= 640, place);
        for (const panel of PANELS) await table.unfold(panel);
        assert.equal(await width(), 360, `${place}, panels`);
        for (const opener of ["#new", "#show-keys"]) {
            await page.click(opener);
            assert.equal(await width(), 360, `${place} ${opener}`);
            assert.equal(await page.evaluate(() => document.querySelector("dialog[open]").scrollTop), 0, opener);
            const inside = await page.evaluate(() => document.querySelector("dialog[open]").scrollWidth);
            assert.ok(inside <= 360, `${place} ${opener}`);
            await page.keyboard.press("Escape");
        }
    }
    await table.close();
});

test("nothing has to be scrolled sideways at 360 pixels while a game is analysed", async () => {
    const table = await Table.open(own, PHONE);
    const { page } = table;
    for (const [game, moves] of Object.entries(PLAYED)) {
        await table.load(game, moves);
        await table.unfold("analysis");
        await page.click("#review");
        await page.waitForFunction(() => !document.getElementById("review-result").hidden);
        await page.click("#back");
        await page.check("#analysing");
        await page.selectOption("#line-count", "5");
        await table.analysed();
        assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360, game);
        await page.evaluate(() => scrollTo(0, 0));
        const { x, y, width, height } = await page.locator("#board").boundingBox();
        assert.ok(x >= 0 && y >= 0 && width > 300 && x + width <= 360 && y + height <= 640, game);
    }
    await table.close();
});

test("the time from the request to the drawn board is told", async (context) => {
    const times = [];
    for (let count = 0; count < 5; count += 1) {
        const table = await Table.open(own);
        times.push(Math.round(await table.page.evaluate(() => window.watch.drawn)));
        await table.close();
    }
    context.diagnostic(`drawn after ${times.join(", ")} ms`);
});
