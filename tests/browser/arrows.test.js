/** Arrows and marks that the user draws on the board. The engine never gets them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, Table } from "./page.js";

const own = setUp();

/** Returns the number of marks and arrows. @param {Table} table */
const shown = ({ page }) => page.evaluate(() => ["path.area", "g.arrow"].map((kind) =>
    document.querySelectorAll(`#board .own > ${kind}`).length));

/** Draws with the second mouse button. @param {Table} table @param {string} from @param {string} to */
async function draw({ page, place }, from, to) {
    const at = place.bind({ page });
    await page.mouse.move(...await at(from));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...await at(to), { steps: 3 });
    await page.mouse.up({ button: "right" });
}

test("the second mouse button draws arrows and marks, and removes equal ones", async () => {
    const table = await Table.open(own);
    await table.begin("bushka");
    await table.page.evaluate(() => (window.watch.asked = []));
    await draw(table, "c3", "d4");
    await draw(table, "a1", "a1");
    await draw(table, "e3", "e3");
    assert.deepEqual(await shown(table), [2, 1]);
    await draw(table, "c3", "d4");
    await draw(table, "a1", "a1");
    assert.deepEqual(await shown(table), [1, 0]);
    // The pointer has crossed selectable sites; there are no other requests.
    const asked = await table.page.evaluate(() => window.watch.asked.map(({ ask }) => String(ask)));
    assert.deepEqual(asked.filter((ask) => ask !== "clicks,successor"), []);
    await table.close();
});

test("a click and Escape remove them, and they turn with the board", async () => {
    const table = await Table.open(own);
    await table.begin("bushka");
    await draw(table, "c3", "d4");
    const before = await table.page.locator("#board .own > g.arrow").getAttribute("transform");
    await table.page.click("#flip");
    assert.notEqual(await table.page.locator("#board .own > g.arrow").getAttribute("transform"), before);
    await table.click("c3");
    assert.deepEqual([await shown(table), (await table.shown()).open.includes("c3")], [[0, 0], true]);
    await draw(table, "a1", "a1");
    assert.deepEqual(await shown(table), [1, 0]);
    await table.page.keyboard.press("Escape");
    assert.deepEqual(await shown(table), [0, 0]);
    await draw(table, "a1", "a1");
    await table.begin("bushka");
    assert.deepEqual(await shown(table), [0, 0]);
    await table.close();
});

test("keys draw them", async () => {
    const table = await Table.open(own);
    await table.begin("bushka");
    const { keyboard } = table.page;
    await keyboard.press("b");
    await keyboard.press("x");
    assert.deepEqual(await shown(table), [1, 0]);
    await keyboard.press("PageDown");
    await keyboard.press("Shift+X");
    assert.deepEqual(await shown(table), [1, 1]);
    await keyboard.press("Escape");
    assert.deepEqual(await shown(table), [0, 0]);
    await table.close();
});
