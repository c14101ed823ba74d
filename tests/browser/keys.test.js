/** A complete game of each kind by keys only, from the dialog to the end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.js";
import { PLAYED, setUp, Table } from "./page.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const own = setUp();

for (const [game, text] of Object.entries(PLAYED)) {
    test(`a complete game of ${game} by keys only`, async (context) => {
        const table = await Table.open(own);
        const engine = new Engine(game);
        context.after(() => engine.close());
        const { keyboard } = table.page;
        await keyboard.press("n");
        const value = (id) => table.page.locator(id).inputValue();
        while (await value("#setup-games :checked") !== game) await keyboard.press("ArrowDown");
        await keyboard.press("Tab");
        while (await value("#setup-players") !== "2") await keyboard.press("ArrowDown");
        while (await table.page.evaluate(() => document.activeElement.value) !== "begin") await keyboard.press("Tab");
        await keyboard.press("Enter");
        await table.settled();
        await keyboard.press("b");
        const moves = text.split(" ");
        for (const [index, move] of moves.entries()) {
            const [{ clicks }] = await engine.json(`details ${move}`);
            for (const site of clicks) {
                await go(table, site);
                await keyboard.press("Enter");
                await table.settled();
            }
            const { moves: made, ready } = await table.shown();
            if (made.length === index && ready !== null) await keyboard.press("Enter");
            assert.deepEqual((await table.shown()).moves, moves.slice(0, index + 1));
            await engine.tell(`play ${move}`);
        }
        const [{ sentence, turn }] = await engine.json("scene");
        const { status } = await table.shown();
        assert.ok(turn === null && status.endsWith(`${sentence}.`), `${status} ${sentence}`);
        await table.close();
    });
}

/** Moves the focus to a site by arrow keys while they lead nearer, else through the list of sites. */
async function go(table, site) {
    const { page } = table;
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-site"));
    const goal = await table.place(site);
    const seen = new Set();
    for (;;) {
        const here = await focused();
        if (here === site) return;
        assert.ok(here, "the focus has left the board");
        const [left, top] = await table.place(here);
        const away = ([right, down]) => (goal[0] - left) * right + (goal[1] - top) * down;
        const [arrow] = Object.keys(ARROWS).sort((one, other) => away(ARROWS[other]) - away(ARROWS[one]));
        await page.keyboard.press(seen.has(here) ? "PageDown" : arrow);
        seen.add(here);
    }
}

test("a focused button that is hidden or disabled passes the focus to the board", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    const isOnBoard = () => page.waitForFunction(() => document.activeElement?.closest("#board") !== null);
    await table.click("e2");
    await page.focus("#undo");
    await page.keyboard.press("Enter");
    await isOnBoard();
    await table.click("e2");
    page.once("dialog", (dialog) => dialog.accept());
    await page.focus("#resign");
    await page.keyboard.press("Enter");
    await isOnBoard();
    // A click next to all elements gives up the focus, and the board does not get it.
    await page.focus("#first");
    await page.mouse.click(5, 5);
    await page.evaluate(() => document.getElementById("first")?.toggleAttribute("disabled", true));
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY");
    await table.close();
});
