/** The settings for all games, and their effects. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, PHONE, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Changes a setting in the dialog. @param {GameTab} tab @param {(page: GameTab["page"]) => Promise<unknown>} action */
async function changeSetting(tab, action) {
    const { page } = tab;
    await tab.clickInHeader("show-settings");
    await action(page);
    await page.keyboard.press("Escape");
}

test("settings apply at once, and are stored", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const look = () => page.evaluate(() => [getComputedStyle(document.getElementById("board")).backgroundColor,
        document.querySelector("#board .piece:not(.wall) .body").getBoundingClientRect().width]);
    const [ground, width] = await look();
    await changeSetting(tab, async () => {
        await page.check("#set-theme [value=sea]");
        await page.check("#set-large");
    });
    const changed = await look();
    assert.ok(changed[0] !== ground && changed[1] > 1.1 * width, `${changed}`);
    await tab.reload();
    assert.deepEqual(await look(), changed);
    // Invalid settings and settings of another version are ignored.
    for (const text of ["{", "null", '{"theme": "none", "large": 3, "other": true}']) {
        await page.evaluate((text) => localStorage.setItem("settings", text), text);
        await tab.reload();
        assert.deepEqual(await look(), [ground, width], text);
    }
    await tab.close();
});

test("the second tap can be turned off", async () => {
    const tab = await GameTab.open(suite, PHONE);
    await tab.startGame("quoridor");
    await tab.tap(...await tab.sitePoint("e2"));
    assert.deepEqual([(await tab.snapshot()).moves, (await tab.snapshot()).ready], [[], "Play e2"]);
    await tab.page.click("#cancel");
    await changeSetting(tab, (page) => page.uncheck("#set-confirm"));
    await tab.tap(...await tab.sitePoint("e2"));
    assert.deepEqual((await tab.snapshot()).moves, ["e2"]);
    await tab.close();
});

/** Runs in the page. Counts the tones. */
function countTones() {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function count(...when) {
        window.tones += 1;
        start.apply(this, when);
    };
}

test("sounds are off until the user turns them on, which the page asks once", async () => {
    const tab = await GameTab.open(suite, { reducedMotion: "no-preference" });
    const { page } = tab;
    await page.evaluate(countTones);
    const asks = () => page.locator("#ask-sounds").isVisible();
    const tones = () => page.evaluate(() => window.tones);
    await tab.startGame("quoridor");
    assert.equal(await asks(), false);
    const undo = await page.locator("#undo").boundingBox();
    await tab.clickSite("e2");
    assert.deepEqual([await asks(), await tones()], [true, 0]);
    assert.deepEqual(await page.locator("#undo").boundingBox(), undo, "the question moves nothing");
    await tab.assertAccessible();
    await page.click("#sounds-on");
    const first = await tones();
    assert.deepEqual([await asks(), first > 0], [false, true]);
    await tab.clickSite("e8");
    const second = await tones();
    assert.ok(second > first);
    await page.keyboard.press("s");
    await tab.clickSite("e3");
    assert.deepEqual([await tones(), await asks()], [second, false]);
    await tab.close();
});

test("the question about sounds covers and moves no control of a phone", async () => {
    for (const viewport of [{ width: 360, height: 740 }, { width: 740, height: 360 }]) {
        const tab = await GameTab.open(suite, { ...PHONE, viewport, reducedMotion: "no-preference" });
        const { page } = tab;
        await tab.startGame("quoridor");
        const undo = await page.locator("#undo").boundingBox();
        await tab.tap(...await tab.sitePoint("e2"));
        await tab.waitUntilIdle();
        await page.tap("#confirm");
        await page.waitForFunction(() => !document.getElementById("ask-sounds").hidden);
        assert.deepEqual(await page.locator("#undo").boundingBox(), undo, "nothing moves");
        const covered = await page.evaluate(() => {
            const question = document.getElementById("ask-sounds");
            const { left, right, top, bottom } = question.getBoundingClientRect();
            return [...document.querySelectorAll("button, select, input, summary, #board")]
                .filter((control) => control.checkVisibility() && !question.contains(control))
                .filter((control) => {
                    const box = control.getBoundingClientRect();
                    return box.left < right && left < box.right && box.top < bottom && top < box.bottom;
                }).map(({ id, textContent }) => id || textContent);
        });
        assert.deepEqual(covered, [], `${viewport.width}`);
        await page.tap("#new");
        assert.ok(await tab.isVisible("setup"));
        await tab.close();
    }
});

test("the question about sounds leaves after the second move, and is not repeated", async () => {
    const tab = await GameTab.open(suite, { reducedMotion: "no-preference" });
    await tab.startGame("quoridor");
    const shown = [];
    for (const site of ["e2", "e8", "e3"]) {
        await tab.clickSite(site);
        shown.push(await tab.isVisible("ask-sounds"));
    }
    assert.deepEqual(shown, [true, false, false]);
    await tab.close();
});

test("the page does not ask for sounds if the system asks for reduced motion", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    assert.equal(await tab.page.locator("#ask-sounds").isVisible(), false);
    await tab.close();
});

/** Runs in the page. Returns the contrasts of pairs of colours of the board. */
function contrasts(pairs) {
    const style = getComputedStyle(document.documentElement);
    const light = (name) => {
        const hex = style.getPropertyValue(name).trim().slice(1);
        const parts = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
            .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    return pairs.map(([one, other]) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    });
}

/** Pairs of colours with their minimum contrast. Letters need a higher contrast than lines. */
const PAIRS = [
    ["--label", "--ground", 4.5], ["--label-on-groove", "--groove", 4.5], ["--mark-ink", "--square", 4.5],
    ["--mark-ink", "--ground", 4.5], ["--choice", "--square", 3], ["--wall", "--slot", 2.4],
    ["--wall-on-groove", "--groove", 3], ["--first-line", "--square", 4.5], ["--first-fill", "--square-dark", 2.5],
    ["--second-fill", "--square", 4.5], ["--second-line", "--square-dark", 2.4], ["--square", "--groove", 3],
    ["--square-light", "--square-dark", 2],
];

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`the colours of all boards have enough contrast, ${colorScheme}`, async () => {
        const tab = await GameTab.open(suite, { colorScheme });
        const { page } = tab;
        const themes = await page.locator("#set-theme input").evaluateAll((all) => all.map(({ value }) => value));
        assert.ok(themes.length > 1);
        for (const theme of themes) {
            await changeSetting(tab, () => page.check(`#set-theme [value=${theme}]`));
            const found = await page.evaluate(contrasts, PAIRS);
            PAIRS.forEach(([one, other, least], index) =>
                assert.ok(found[index] >= least, `${theme}: ${one} on ${other} ${found[index].toFixed(2)}`));
        }
        await tab.close();
    });
}
