/** Fingers miss: whatever is tapped, no move is made that was not shown before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, PHONE, random, setUp, Table } from "./page.js";

const TAPS = 1000;

const own = setUp();

test(`${TAPS} taps anywhere on a telephone never make an unconfirmed move`, async (context) => {
    const table = await Table.open(own, PHONE);
    const { page } = table;
    const number = random(1);
    let made = 0;
    for (const [game, options] of GAMES) {
        await table.begin(game, options);
        const { x, y, width, height } = await page.locator("#board").boundingBox();
        let before = await table.shown();
        let point = [0, 0];
        for (let count = 0; count < TAPS / GAMES.length; count += 1) {
            // Now and then the same place again, which may confirm what is shown.
            if (number(3) > 0) point = [x + (number(1000) / 1000) * width, y + (number(1000) / 1000) * height];
            await table.tap(...point);
            const now = await table.shown();
            const place = `${game}, tap ${count} on ${point}: ${before.moves}`;
            if (now.moves.length > before.moves.length) {
                assert.deepEqual(now.moves.slice(0, -1), before.moves, place);
                const move = now.moves.at(-1);
                assert.ok(before.ready?.includes(move), `${place}: ${move}, not ${before.ready}`);
                made += 1;
            } else {
                assert.deepEqual(now.moves, before.moves, place);
            }
            before = now;
        }
    }
    assert.ok(made > 20, `${made} moves were confirmed`);
    context.diagnostic(`${made} moves were shown and then confirmed`);
    await table.close();
});
