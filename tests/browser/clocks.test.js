/** The clocks. The tests check the time of each player, the end of the time, and saved clocks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Opens the page. Starts a game of two people with clocks. @param {string} clock The label in the dialog. */
async function startTimedGame(clock) {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await page.clock.install();
    await page.click("#new");
    await page.check('#setup-games [value="quoridor"]');
    await page.selectOption("#setup-players", { label: "Two people at this board" });
    await page.selectOption("#setup-clock", { label: clock });
    await page.click("#setup button[value=begin]");
    await tab.waitUntilIdle();
    return tab;
}

/** Returns the times on the clocks, in seconds. */
async function clockTimes({ page }) {
    const seconds = async (seat) => {
        const [, minutes, rest] = /^(?:(\d+):)?([\d.]+)$/.exec(await page.locator(`#${seat} .clock`).textContent());
        return 60 * Number(minutes ?? 0) + Number(rest);
    };
    return { white: await seconds("near"), black: await seconds("far") };
}

test("the first move takes no time, and each move gains the increment", async () => {
    const tab = await startTimedGame("3 minutes and 2 s per move");
    await tab.page.clock.fastForward(10_000);
    assert.deepEqual(await clockTimes(tab), { white: 180, black: 180 });
    await tab.clickSite("e2");
    await tab.page.clock.fastForward(10_000);
    const { white, black } = await clockTimes(tab);
    assert.equal(white, 182);
    assert.ok(black <= 170 && black > 100, `${black} s`);
    await tab.close();
});

test("a player loses on time; taking that back resets the clocks", async () => {
    const tab = await startTimedGame("1 minute");
    const { page } = tab;
    await tab.clickSite("e2");
    await page.clock.fastForward(61_000);
    const { status, selectable } = await tab.snapshot();
    assert.match(status, /White has won: .*time/);
    assert.deepEqual(selectable, []);
    await page.click("#undo");
    const { status: after, moves } = await tab.snapshot();
    assert.match(after, /Black is to move/);
    assert.deepEqual(moves, ["e2"]);
    const left = await clockTimes(tab);
    assert.ok(left.white === 60 && left.black > 0, JSON.stringify(left));
    await tab.close();
});

test("a reloaded page has the same clocks, and a new game has new ones", async () => {
    const tab = await startTimedGame("1 minute");
    const { page } = tab;
    await tab.clickSite("e2");
    await page.clock.fastForward(40_000);
    await tab.reload();
    assert.deepEqual((await tab.snapshot()).moves, ["e2"]);
    const { white, black } = await clockTimes(tab);
    assert.equal(white, 60);
    assert.ok(black <= 20, `${black} s`);
    await tab.startGame("quoridor");
    assert.deepEqual(await clockTimes(tab), { white: 60, black: 60 });
    await tab.close();
});
