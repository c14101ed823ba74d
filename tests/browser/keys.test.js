/** A whole game of each kind by keys alone, from its choice in the dialog to its end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.js";
import { setUp, Table } from "./page.js";

/** Whole games from the start position. */
const PLAYED = Object.entries({
    alcaxar: "e8d9 c6b7 b5a6 d7c8",
    alquerque: "d3c3 b3d3 e3c3 d4d3 c3e3 e5d4 e3e5c3 d5d4 c3e5 c4d4 e5c3 a3b3 c3a3 c5c4 a3c5c3 a5b4 c3a5a3 b5b4 a3c5",
    roses: "d3 c5 c3 d6 b3 e6 b4 d5 b3b5",
    quoridor: "e2 e8 d7h d8 e3 c8 e4 c7 e5 c6 e6 c5 e7 c4 f7 c3 f8 c2 f9",
    bushka: "e1b4 j8i7 c1f4 b10e7 a1d4 f10j6 d2g5 c9f6 b2e5 e7d6 a3c5 f8e7 b4d6 a9c7 g1b6 d10f8 c3b4 b8a7 e3f4 j10g7 "
        + "f2g3 h10j8 d4e5 i9f6 j2h4 j6i5 g3h4g5h6 j8i7 i3h4 e9h6 f4g5 i7h6 h4i5 g9e7 b4d6 d8e7 i5j6 h8i7",
});
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const own = setUp();

for (const [game, text] of PLAYED) {
    test(`a whole game of ${game} by keys alone`, async (context) => {
        const table = await Table.open(own);
        const engine = new Engine(game);
        context.after(() => engine.close());
        const { keyboard } = table.page;
        await keyboard.press("n");
        const value = (id) => table.page.locator(id).inputValue();
        while (await value("#setup-game") !== game) await keyboard.press("ArrowDown");
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

/** Goes to a site by the arrow keys, as long as they lead nearer; else through the list of sites. */
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
