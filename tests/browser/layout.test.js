/** The layout of the page on a narrow screen, and shifts of the layout. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, GameTab, PANELS, PHONE, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Runs in the page. Returns the buttons and fields that are smaller than 44 pixels, except those on the board. */
function smallTargets() {
    const targets = document.querySelectorAll("button, select, summary, input:not([type=checkbox], [type=radio])");
    return [...targets].filter((target) => target.checkVisibility()).flatMap((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width < 43.9 || height < 43.9 ? [`${target.id} ${target.textContent} ${width}x${height}`] : [];
    });
}

/** Runs in the page. Returns the choices in the dialog that do not fit into their fields. */
function cutChoices() {
    const dialog = document.querySelector("dialog[open]");
    const selects = [...dialog.querySelectorAll("select")].filter((select) => select.checkVisibility());
    return selects.flatMap((select) => {
        const [chosen] = select.selectedOptions;
        const copy = select.cloneNode();
        copy.append(chosen.cloneNode(true));
        Object.assign(copy.style, { position: "absolute", width: "max-content", maxWidth: "none" });
        dialog.append(copy);
        const needed = copy.offsetWidth;
        copy.remove();
        return needed > select.offsetWidth ? [`${chosen.textContent}: ${needed}, ${select.offsetWidth}`] : [];
    });
}

/** Runs in the page. Returns whether all letters of the title are visible. */
function isTitleWhole() {
    const title = document.getElementById("title");
    return title.scrollWidth <= title.clientWidth && title.scrollHeight <= title.clientHeight + 1
        && title.getBoundingClientRect().right <= innerWidth;
}

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
        assert.deepEqual(await page.evaluate(smallTargets), [], place);
        assert.ok(await page.evaluate(isTitleWhole), `the title of ${place}`);
        for (const panel of PANELS) await tab.openPanel(panel);
        assert.equal(await width(), 360, `${place}, panels`);
        for (const opener of ["new", "show-games", "show-settings"]) {
            await tab.clickInHeader(opener);
            assert.equal(await width(), 360, `${place} ${opener}`);
            assert.equal(await page.evaluate(() => document.querySelector("dialog[open]").scrollTop), 0, opener);
            const inside = await page.evaluate(() => document.querySelector("dialog[open]").scrollWidth);
            assert.ok(inside <= 360, `${place} ${opener}`);
            assert.deepEqual(await page.evaluate(smallTargets), [], `${place} ${opener}`);
            assert.deepEqual(await page.evaluate(cutChoices), [], `${place} ${opener}`);
            await page.keyboard.press("Escape");
        }
    }
    await tab.close();
});

test("nothing scrolls sideways at 360 pixels during an analysis", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
        await tab.startGame(game);
        const { y: top } = await page.locator("#board").boundingBox();
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
        assert.equal(y, top, `${game}: lost pieces do not move the board`);
        assert.deepEqual(await page.evaluate(smallTargets), [], game);
    }
    await tab.close();
});

/** Returns whether an element is on the screen, between the status and the buttons that complete a move. */
const isInView = (page, id) => page.evaluate((id) => {
    const { top, bottom } = document.getElementById(id).getBoundingClientRect();
    const news = document.getElementById("news").getBoundingClientRect();
    const act = document.getElementById("act").getBoundingClientRect();
    const isBelowNews = top >= news.bottom || bottom <= news.top;
    const lowest = act.height > 0 && act.top > news.bottom ? act.top : innerHeight;
    return isBelowNews && top >= 0 && bottom <= lowest;
}, id);

for (const [width, height] of [[360, 740], [820, 1180]]) {
    test(`the result of a review comes into view at ${width}x${height}, and the board with a mistake`, async () => {
        const tab = await GameTab.open(suite, { viewport: { width, height }, hasTouch: true, isMobile: true });
        const { page } = tab;
        await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
        await page.click("#review");
        await page.locator("#review-result").waitFor();
        assert.ok(await isInView(page, "review-result"));
        await page.locator("#moments button").last().click();
        await tab.waitUntilIdle();
        assert.ok(await isInView(page, "board"));
        await tab.close();
    });
}

test("the key of the analysis brings its lines into view, but never moves the board out of it", async () => {
    const tab = await GameTab.open(suite, { viewport: { width: 1366, height: 768 } });
    const { page } = tab;
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await page.keyboard.press("ArrowLeft");
    for (const [width, height] of [[1366, 768], [700, 900]]) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => scrollTo(0, 0));
        await page.locator("#panel").evaluate((panel) => (panel.scrollTop = 0));
        await page.keyboard.press("a");
        await tab.waitForAnalysis(1, 3);
        assert.equal(await isInView(page, "lines"), width > 1000);
        const board = await page.locator("#board").boundingBox();
        assert.ok(board.y >= 0 && board.y + board.height <= height);
        await page.keyboard.press("a");
    }
    await tab.close();
});

test("the status hides neither a part of a line nor a focused element", async () => {
    const tab = await GameTab.open(suite, { viewport: { width: 1280, height: 860 } });
    const { page } = tab;
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    for (const panel of PANELS) await tab.openPanel(panel);
    const scrollTo = (top) => page.locator("#panel").evaluate((panel, top) => (panel.scrollTop = top), top);
    /** Waits until the text below the status fades out over a whole line, or does not. */
    const waitForFading = (expected) => page.waitForFunction((expected) => {
        const { height } = getComputedStyle(document.getElementById("news"), "::after");
        const { lineHeight } = getComputedStyle(document.body);
        return expected === parseFloat(height) >= parseFloat(lineHeight);
    }, expected);
    await scrollTo(0);
    await waitForFading(false);
    await scrollTo(2000);
    await waitForFading(true);
    await page.locator("#move").focus();
    assert.ok(await isInView(page, "move"));
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
            assert.deepEqual(await page.evaluate(smallTargets), [], place);
            const cut = await page.evaluate(() => [...document.querySelectorAll("#table, .side")].filter((element) =>
                element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight)
                .map(({ id }) => id));
            assert.deepEqual(cut, [], place);
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
        for (const opener of ["new", "show-settings"]) {
            await tab.clickInHeader(opener);
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

test("an upright screen has one column, with the board at full width and the buttons in view", async () => {
    const tab = await GameTab.open(suite, { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true });
    const { page } = tab;
    for (const [game, options] of GAMES) {
        await tab.startGame(game, options);
        const place = `${game} ${Object.values(options)}`;
        const boxOf = (id) => page.locator(`#${id}`).boundingBox();
        const boxes = await Promise.all(["far", "board", "near", "status", "undo", "resign"].map(boxOf));
        const order = boxes.filter(Boolean).map(({ y }) => y);
        assert.deepEqual(order, order.toSorted((one, other) => one - other), `${place}: ${order}`);
        assert.ok(boxes[4].y + boxes[4].height <= 1180, `${place}: ${boxes[4].y}`);
        assert.ok(boxes[1].width >= 800 && boxes[1].height >= 660, `${place}: ${boxes[1].height}`);
    }
    await tab.close();
});

/** Screens of computers on which a game with its marks and aim fits without scrolling. */
const WIDE_SCREENS = [[1280, 860], [1366, 768], [1920, 1080]];

test("a game fits on wide screens without scrolling, with its marks, its aim and its focused headings", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
        await tab.loadGame(game, moves.split(" ").slice(0, 7).join(" "));
        for (const [width, height] of WIDE_SCREENS) {
            await page.setViewportSize({ width, height });
            const place = `${game} ${width}x${height}`;
            const found = await page.evaluate(() => {
                const bottomOf = (id) => document.getElementById(id).getBoundingClientRect().bottom;
                return {
                    height: document.scrollingElement.scrollHeight,
                    bottoms: ["navigation", "aim", "legend"].map(bottomOf),
                    fade: getComputedStyle(document.getElementById("news"), "::after").backgroundImage,
                };
            });
            assert.equal(found.height, height, place);
            assert.ok(found.bottoms.every((bottom) => bottom <= height), `${place}: ${found.bottoms}`);
            assert.match(found.fade, /^linear-gradient/, "text does not end in the middle of a line");
        }
    }
    await page.keyboard.press("e");
    const ring = await page.evaluate(() => {
        const { outlineOffset, outlineWidth } = getComputedStyle(document.activeElement);
        return [document.activeElement.id, parseFloat(outlineOffset) + parseFloat(outlineWidth)];
    });
    assert.deepEqual(ring, ["settings-title", 0], "the ring is inside the heading");
    await tab.close();
});

test("a click on a button before the scripts are loaded submits no form", async () => {
    const page = await suite.browser.newPage();
    const said = [];
    page.on("console", (message) => said.push(message.text()));
    await page.route("**/*.js", (route) => route.abort());
    await page.goto(suite.server.address);
    for (const form of ["#move-form", "#console-form"]) {
        await page.locator(`${form} button`).evaluate((button) => button.click());
    }
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    assert.equal(page.url(), suite.server.address);
    assert.deepEqual(said.filter((text) => !text.includes("ERR_FAILED")), []);
    await page.close();
});
