/** A move that is chosen while the engine thinks. It is played if it is legal then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, setUp, Table } from "./page.js";

const own = setUp();

/** Waits until at least `moves` moves were made. @param {Table} table @param {number} moves */
const made = ({ page }, moves) =>
    page.waitForFunction((moves) => document.querySelectorAll("#moves button").length >= moves, moves);

/** Makes the first move, to which the engine has only one reply. @param {Table} table */
async function open(table) {
    await table.page.fill("#move", "d3c3");
    await table.page.press("#move", "Enter");
    await made(table, 1);
    await table.page.evaluate(() => scrollTo(0, 0));
}

/**
 * Starts a game of Alquerque in which the person has moved, and holds the engine's reply back.
 *
 * @param {import("playwright-core").BrowserContextOptions} options
 */
async function waiting(options = {}) {
    const table = await Table.open(own, options);
    await table.begin("alquerque", {}, 0);
    // On a busy machine the engine may be faster than the next step of the test.
    const holding = table.page.waitForFunction(() => document.querySelectorAll("#moves button").length > 0
        && window.watch.unanswered === 0 && (window.watch.held = []));
    await open(table);
    await holding;
    return table;
}

/** Delivers the engine's reply, and waits for its move. @param {Table} table */
async function answered(table, moves = 2) {
    await table.deliver();
    await made(table, moves);
    await table.settled();
}

/** Clicks without waiting for responses, which are held back. @param {Table} table @param {string[]} sites */
async function choose(table, ...sites) {
    for (const site of sites) await table.page.mouse.click(...await table.place(site));
}

/** Returns the sites that are shown as selected. @param {Table} table */
const ahead = ({ page }) => page.locator('#board [data-site][aria-pressed="true"]')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.site).sort());

test("a premove is played if it is legal after the engine's move", async () => {
    const table = await waiting();
    await choose(table, "e3", "c3");
    assert.deepEqual(await ahead(table), ["c3", "e3"]);
    assert.match(await table.text("note"), /^Premove: e3 c3/);
    await answered(table, 3);
    assert.deepEqual((await table.shown()).moves.slice(0, 3), ["d3c3", "b3d3", "e3c3"]);
    assert.deepEqual(await ahead(table), []);
    await table.close();
});

test("a dragged premove is played, and replaces another one", async () => {
    const table = await waiting();
    const { mouse } = table.page;
    await choose(table, "d2");
    await mouse.move(...await table.place("e3"));
    await mouse.down();
    await mouse.move(...await table.place("d3"), { steps: 4 });
    await mouse.move(...await table.place("c3"), { steps: 4 });
    await mouse.up();
    assert.deepEqual(await ahead(table), ["c3", "e3"]);
    await answered(table, 3);
    assert.deepEqual((await table.shown()).moves.slice(0, 3), ["d3c3", "b3d3", "e3c3"]);
    await table.close();
});

test("a premove is dropped with the reason if it is illegal after the engine's move", async () => {
    const table = await waiting();
    // Another piece has to capture.
    await choose(table, "c2", "b3");
    assert.deepEqual(await ahead(table), ["b3", "c2"]);
    await answered(table);
    const { moves, note, open: sites } = await table.shown();
    assert.deepEqual(moves, ["d3c3", "b3d3"]);
    assert.match(note, /^The premove c2 b3 was not played/);
    assert.deepEqual(await ahead(table), []);
    assert.ok(sites.length > 0);
    await table.close();
});

test("the first site of a premove stays selected when the engine moves before the second one", async () => {
    const table = await waiting();
    await choose(table, "e3");
    await answered(table);
    assert.deepEqual(await ahead(table), ["e3"]);
    await table.click("c3");
    assert.deepEqual((await table.shown()).moves.slice(0, 3), ["d3c3", "b3d3", "e3c3"]);
    await table.close();
});

/** @type {Record<string, (table: Table) => Promise<unknown>>} */
const GIVEN_UP = {
    "by Escape": ({ page }) => page.keyboard.press("Escape"),
    "by the button": ({ page }) => page.click("#cancel"),
    "by the second mouse button": async (table) =>
        table.page.mouse.click(...await table.place("a1"), { button: "right" }),
    "by the same site again": (table) => choose(table, "c3"),
    "when the setting is turned off": async ({ page }) => {
        await page.keyboard.press("e");
        await page.uncheck("#set-premove");
        await page.keyboard.press("Escape");
    },
    "when another position is viewed": ({ page }) => page.click("#first"),
};

for (const [how, action] of Object.entries(GIVEN_UP)) {
    test(`a premove is cancelled ${how}`, async () => {
        const table = await waiting();
        await choose(table, "e3", "c3");
        await action(table);
        assert.deepEqual(await ahead(table), []);
        await answered(table);
        assert.deepEqual((await table.shown()).moves, ["d3c3", "b3d3"]);
        await table.close();
    });
}

test("a premove is played neither after a takeback nor after the end of the game", async () => {
    const table = await waiting();
    table.page.on("dialog", (dialog) => dialog.accept());
    await choose(table, "e3", "c3");
    await table.page.click("#undo");
    await table.deliver();
    await table.settled();
    assert.deepEqual([(await table.shown()).moves, await ahead(table)], [[], []]);
    await open(table);
    await choose(table, "e3", "c3");
    await table.page.click("#resign");
    await table.settled();
    assert.deepEqual([(await table.shown()).moves, await ahead(table)], [["d3c3"], []]);
    await table.close();
});

test("a piece of the engine begins no premove", async () => {
    const table = await waiting();
    await choose(table, "b3");
    assert.deepEqual(await ahead(table), []);
    assert.match(await table.text("note"), /is dark's/);
    await table.close();
});

test("a finger's premove waits for confirmation", async () => {
    const table = await waiting(PHONE);
    for (const site of ["e3", "c3"]) await table.tap(...await table.place(site));
    assert.deepEqual(await ahead(table), ["c3", "e3"]);
    await answered(table);
    const { moves, ready } = await table.shown();
    assert.deepEqual([moves, ready], [["d3c3", "b3d3"], "Play e3c3"]);
    await table.page.click("#confirm");
    await made(table, 3);
    assert.equal((await table.shown()).moves[2], "e3c3");
    await table.close();
});
