/** Fingers miss their target. So no tap plays a move that was not shown before. A finger can also drag a piece. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, GameTab, PHONE, seededRandom, setUpBrowser } from "./page.js";

const TAPS = 1000;

const suite = setUpBrowser();

test(`${TAPS} taps anywhere on a phone never play an unconfirmed move`, async (context) => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    const number = seededRandom(1);
    let made = 0;
    for (const [game, options] of GAMES) {
        await tab.startGame(game, options);
        const { x, y, width, height } = await page.locator("#board").boundingBox();
        let before = await tab.snapshot();
        let point = [x + width / 2, y + height / 2];
        for (let count = 0; count < TAPS / GAMES.length; count += 1) {
            // Sometimes this is the same point again. A second tap there may confirm the shown move.
            if (number(3) > 0) point = [x + (number(1000) / 1000) * width, y + (number(1000) / 1000) * height];
            await tab.tap(...point);
            const now = await tab.snapshot();
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
    await tab.close();
});

/**
 * Moves a finger from one point to another, in steps.
 *
 * @param {GameTab} tab
 * @param {number[]} from
 * @param {number[]} to
 * @param {() => Promise<unknown>} held Called before the finger leaves.
 */
async function swipe({ page }, from, to, held = async () => {}) {
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const at = (part) => ({ x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part });
    await touch("touchStart", at(0));
    for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch("touchMove", at(part));
    await held();
    await touch("touchEnd");
    await session.detach();
}

test("a finger drags a piece, which is visible above it, and plays its move", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    for (const [game, from, to, move] of [["bushka", "c3", "d4", "c3d4"], ["alcaxar", "e8", "d9", "e8d9"]]) {
        await tab.startGame(game);
        await page.evaluate(() => scrollTo(0, 0));
        const goal = await tab.sitePoint(to);
        await swipe(tab, await tab.sitePoint(from), goal, async () => {
            const { y, height } = await page.locator("#board .dragged > .piece > .body").boundingBox();
            assert.ok(y + height / 2 < goal[1] - 20, `${game}: ${y} ${height} ${goal}`);
            assert.equal(await page.evaluate(() => scrollY), 0, game);
        });
        assert.deepEqual((await tab.snapshot()).moves, [move], game);
        assert.equal(await page.locator("#board .dragged > *, #board .lifted").count(), 0, game);
    }
    // A drag to an illegal target plays no move.
    await tab.startGame("bushka");
    await swipe(tab, await tab.sitePoint("c3"), await tab.sitePoint("c5"));
    assert.deepEqual((await tab.snapshot()).moves, []);
    await tab.close();
});

test("a finger next to the pieces scrolls the page", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    await tab.startGame("bushka");
    await page.evaluate(() => scrollTo(0, 0));
    const [x, y] = await tab.sitePoint("c5");
    await swipe(tab, [x, y + 100], [x, y - 100]);
    // This is true of the empty sites of the board, and of the page below it.
    await page.waitForFunction(() => scrollY > 50);
    assert.deepEqual((await tab.snapshot()).moves, []);
    await tab.close();
});

test("the mouse drags a piece, which follows it", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("bushka");
    const goal = await tab.sitePoint("d4");
    await page.mouse.move(...await tab.sitePoint("c3"));
    await page.mouse.down();
    await page.mouse.move(...goal, { steps: 5 });
    const { x, y, width, height } = await page.locator("#board .dragged > .piece > .body").boundingBox();
    assert.ok(Math.hypot(x + width / 2 - goal[0], y + height / 2 - goal[1]) < 3);
    await page.mouse.up();
    assert.deepEqual((await tab.snapshot()).moves, ["c3d4"]);
    await tab.close();
});
