/** The clocks: the time of each player, the end of it, and saved clocks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, Table } from "./page.js";

const own = setUp();

/** Opens the page, and starts a game of two people with clocks. @param {string} clock The label in the dialog. */
async function timed(clock) {
    const table = await Table.open(own);
    const { page } = table;
    await page.clock.install();
    await page.click("#new");
    await page.check('#setup-games [value="quoridor"]');
    await page.selectOption("#setup-players", { label: "Two people at this board" });
    await page.selectOption("#setup-clock", { label: clock });
    await page.click("#setup button[value=begin]");
    await table.settled();
    return table;
}

/** Returns the times on the clocks, in seconds. */
async function times({ page }) {
    const seconds = async (seat) => {
        const [, minutes, rest] = /^(?:(\d+):)?([\d.]+)$/.exec(await page.locator(`#${seat} .clock`).textContent());
        return 60 * Number(minutes ?? 0) + Number(rest);
    };
    return { white: await seconds("near"), black: await seconds("far") };
}

test("the first move takes no time, and each move gains the increment", async () => {
    const table = await timed("3 minutes and 2 s per move");
    await table.page.clock.fastForward(10_000);
    assert.deepEqual(await times(table), { white: 180, black: 180 });
    await table.click("e2");
    await table.page.clock.fastForward(10_000);
    const { white, black } = await times(table);
    assert.equal(white, 182);
    assert.ok(black <= 170 && black > 100, `${black} s`);
    await table.close();
});

test("a player loses on time; taking that back resets the clocks", async () => {
    const table = await timed("1 minute");
    const { page } = table;
    await table.click("e2");
    await page.clock.fastForward(61_000);
    const { status, open } = await table.shown();
    assert.match(status, /White has won: .*time/);
    assert.deepEqual(open, []);
    await page.click("#undo");
    const { status: after, moves } = await table.shown();
    assert.match(after, /Black is to move/);
    assert.deepEqual(moves, ["e2"]);
    const left = await times(table);
    assert.ok(left.white === 60 && left.black > 0, JSON.stringify(left));
    await table.close();
});

test("a reloaded page has the same clocks, and a new game has new ones", async () => {
    const table = await timed("1 minute");
    const { page } = table;
    await table.click("e2");
    await page.clock.fastForward(40_000);
    await table.reload();
    assert.deepEqual((await table.shown()).moves, ["e2"]);
    const { white, black } = await times(table);
    assert.equal(white, 60);
    assert.ok(black <= 20, `${black} s`);
    await table.begin("quoridor");
    assert.deepEqual(await times(table), { white: 60, black: 60 });
    await table.close();
});
