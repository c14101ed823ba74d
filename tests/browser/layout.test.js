/** The layout of the page on a narrow screen, and its shifts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, PANELS, PHONE, PLAYED, setUp, Table } from "./page.js";

const own = setUp();

test("nothing scrolls sideways at 360 pixels, and the whole board is visible", async () => {
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
        for (const opener of ["#new", "#show-keys", "#show-settings"]) {
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

test("nothing scrolls sideways at 360 pixels during an analysis", async () => {
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

/** @type {Record<string, [number, number]>} Wide and low screens; the second one is a laptop. */
const LOW = { "a phone in landscape": [740, 360], "a page at 200 %": [640, 400] };

for (const [name, [width, height]] of Object.entries(LOW)) {
    test(`the whole board is visible on ${name}, next to the status`, async () => {
        const table = await Table.open(own, { ...PHONE, viewport: { width, height } });
        const { page } = table;
        for (const [game, options] of GAMES) {
            await table.begin(game, options);
            const place = `${game} ${Object.values(options)}`;
            const board = await page.locator("#board").boundingBox();
            const status = await page.locator("#status").boundingBox();
            assert.ok(board.x >= 0 && board.y >= 0 && board.y + board.height <= height, `${place} ${board.height}`);
            assert.ok(board.height > 0.5 * height, `${place} ${board.height}`);
            assert.ok(status.x >= board.x + board.width && status.y + status.height < height, place);
            for (const panel of PANELS) await table.unfold(panel);
            assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), width, place);
            for (const panel of PANELS) await page.locator(`#${panel}`).evaluate((element) => (element.open = false));
        }
        await table.close();
    });
}

test("nothing scrolls sideways at 320 pixels", async () => {
    const table = await Table.open(own, { ...PHONE, viewport: { width: 320, height: 568 } });
    const { page } = table;
    for (const [game, options] of GAMES) {
        await table.begin(game, options);
        for (const panel of PANELS) await table.unfold(panel);
        for (const opener of ["#new", "#show-settings"]) {
            await page.click(opener);
            assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 320, `${game} ${opener}`);
            await page.keyboard.press("Escape");
        }
    }
    await table.close();
});

test("the layout of a phone does not shift when the board or the lines of the analysis appear", async () => {
    const table = await Table.open(own, { ...PHONE, viewport: { width: 360, height: 740 } });
    const { page } = table;
    const shifted = () => page.evaluate(() => new Promise((done) => {
        // The browser reports a shift after it has drawn the page.
        requestAnimationFrame(() => setTimeout(() => {
            done(window.watch.shifted);
            window.watch.shifted = 0;
        }, 50));
    }));
    assert.ok(await shifted() < 0.05, "at the start");
    for (const [game, moves] of Object.entries(PLAYED)) {
        await table.load(game, moves.split(" ").slice(0, 4).join(" "));
        await table.page.click("#back");
        await table.unfold("analysis");
        // The click reserves the space for the lines, which come later.
        await page.evaluate(() => {
            window.watch.held = [];
            document.getElementById("analysis").scrollIntoView();
            document.getElementById("analysing").click();
        });
        await shifted();
        await table.deliver();
        await table.analysed(2);
        const jump = await shifted();
        assert.ok(jump < 0.05, `${game}: ${jump}`);
        await page.uncheck("#analysing");
    }
    await table.close();
});
