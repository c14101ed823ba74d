/** Arrows and marks that the user draws on the board. They are never sent to the engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the number of marks and arrows. @param {GameTab} tab */
const countShapes = ({ page }) => page.evaluate(() => ["path.area", "g.arrow"].map((kind) =>
    document.querySelectorAll(`#board .drawings > ${kind}`).length));

/** Draws with the second mouse button. @param {GameTab} tab @param {string} from @param {string} to */
async function drawWithSecondButton({ page, sitePoint: place }, from, to) {
    const at = place.bind({ page });
    await page.mouse.move(...await at(from));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...await at(to), { steps: 3 });
    await page.mouse.up({ button: "right" });
}

test("the second mouse button draws arrows and marks, and removes equal ones", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("bushka");
    await tab.page.evaluate(() => (window.watch.requests = []));
    await drawWithSecondButton(tab, "c3", "d4");
    await drawWithSecondButton(tab, "a1", "a1");
    await drawWithSecondButton(tab, "e3", "e3");
    assert.deepEqual(await countShapes(tab), [2, 1]);
    await drawWithSecondButton(tab, "c3", "d4");
    await drawWithSecondButton(tab, "a1", "a1");
    assert.deepEqual(await countShapes(tab), [1, 0]);
    // The pointer has crossed selectable sites. There are no other requests.
    const asked = await tab.page.evaluate(() => window.watch.requests.map(({ ask }) => String(ask)));
    assert.deepEqual(asked.filter((ask) => ask !== "clicks,successor"), []);
    await tab.close();
});

test("a click and Escape remove them, and they turn with the board", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("bushka");
    await drawWithSecondButton(tab, "c3", "d4");
    const before = await tab.page.locator("#board .drawings > g.arrow").getAttribute("transform");
    await tab.page.click("#flip");
    assert.notEqual(await tab.page.locator("#board .drawings > g.arrow").getAttribute("transform"), before);
    await tab.clickSite("c3");
    assert.deepEqual([await countShapes(tab), (await tab.snapshot()).selectable.includes("c3")], [[0, 0], true]);
    await drawWithSecondButton(tab, "a1", "a1");
    assert.deepEqual(await countShapes(tab), [1, 0]);
    await tab.page.keyboard.press("Escape");
    assert.deepEqual(await countShapes(tab), [0, 0]);
    await drawWithSecondButton(tab, "a1", "a1");
    await tab.startGame("bushka");
    assert.deepEqual(await countShapes(tab), [0, 0]);
    await tab.close();
});

test("keys draw them", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("bushka");
    const { keyboard } = tab.page;
    await keyboard.press("b");
    await keyboard.press("x");
    assert.deepEqual(await countShapes(tab), [1, 0]);
    await keyboard.press("PageDown");
    await keyboard.press("Shift+X");
    assert.deepEqual(await countShapes(tab), [1, 1]);
    await keyboard.press("Escape");
    assert.deepEqual(await countShapes(tab), [0, 0]);
    await tab.close();
});
