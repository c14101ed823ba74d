/** The effects of a site are shown before it is chosen, and a click takes one request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.js";
import { PHONE, PLAYED, setUp, Table } from "./page.js";

const own = setUp();

/** Counts the kinds of drawings on the board. */
const shown = ({ page }) => page.evaluate(() => {
    const count = (selector) => document.querySelectorAll(`#board ${selector}`).length;
    return { areas: count(".leads > .area"), arcs: count(".leads > .turning"), arrows: count(".leads > .arrow"),
        pieces: count(".ghost > .piece"), turning: count(".ghost > .turning") };
});

const NOTHING = { areas: 0, arcs: 0, arrows: 0, pieces: 0, turning: 0 };

/** Returns the requests of the page during an action. @param {Table} table @param {() => Promise<unknown>} action */
async function asked(table, action) {
    await table.page.evaluate(() => (window.watch.asked = []));
    await action();
    await table.settled();
    return table.page.evaluate(() => window.watch.asked);
}

/** Waits until the pointer has rested, and the responses to all its requests have come. @param {Table} table */
async function rested(table) {
    // The page waits for a moment before it sends requests, one after another.
    for (let count = 0; count < 4; count += 1) {
        await table.page.waitForTimeout(80);
        await table.settled();
    }
}

/** Runs in the page before its own scripts: a pointer never rests, however long the machine takes to click. */
function neverRest() {
    const { setTimeout } = window;
    window.setTimeout = (work, delay) => (window.event?.type === "pointermove" ? 0 : setTimeout(work, delay));
}

test("a click and a move each take one request, early and late in a game", async (context) => {
    // A pointer that rests before a click requests more: the sites that can follow.
    const table = await Table.open(own, {}, neverRest);
    const moves = PLAYED.bushka.split(" ");
    const engine = new Engine("bushka");
    context.after(() => engine.close());
    for (const count of [0, moves.length - 4]) {
        await table.load("bushka", moves.slice(0, count).join(" "));
        await engine.tell(`position startpos moves ${moves.slice(0, count).join(" ")}`);
        for (const move of moves.slice(count, count + 3)) {
            const [{ clicks }] = await engine.json(`details ${move}`);
            for (const site of clicks) {
                const place = await table.place(site);
                // A click does not repeat a request of the pointer on its way.
                assert.ok((await asked(table, () => table.page.mouse.click(...place))).length <= 1, `${move} ${site}`);
            }
            const { ready, moves: made } = await table.shown();
            if (ready?.includes(move) && made.at(-1) !== move) {
                assert.deepEqual(await asked(table, () => table.page.click("#confirm")), []);
            }
            assert.equal((await table.shown()).moves.at(-1), move);
            await engine.tell(`play ${move}`);
        }
    }
    await table.close();
});

test("the engine's reply takes a search and one more request", async () => {
    const table = await Table.open(own);
    await table.begin("alquerque", {}, 0);
    await table.click("d3");
    const all = await asked(table, async () => {
        await table.page.mouse.click(...await table.place("c3"));
        await table.page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    });
    assert.deepEqual(all.map(({ ask }) => ask), [["clicks", "successor"], "play", "successor"]);
    await table.close();
});

test("a wall of Alcaxar shows its turns, and then the chosen one", async () => {
    const table = await Table.open(own);
    await table.load("alcaxar", "e8d9 c6b7");
    await table.page.evaluate(() => scrollTo(0, 0));
    const point = async (site) => {
        await table.page.mouse.move(...await table.place(site));
        await rested(table);
    };
    assert.deepEqual(await shown(table), NOTHING);
    await point("d9");
    assert.deepEqual(await shown(table), { ...NOTHING, areas: 3, arcs: 3 });
    await table.click("d9");
    assert.deepEqual(await shown(table), NOTHING);
    await point("e8");
    assert.deepEqual(await shown(table), { ...NOTHING, pieces: 1, turning: 1 });
    await table.page.mouse.move(2, 2);
    assert.deepEqual(await shown(table), NOTHING);
    await table.close();
});

test("a phalanx of Bushka shows the paths of its pieces, by keys", async () => {
    const table = await Table.open(own);
    await table.load("bushka", "e1b4 j8i7 c1f4 b10e7");
    await table.page.keyboard.press("b");
    for (let count = 0; count < 40; count += 1) {
        const site = await table.page.evaluate(() => document.activeElement.getAttribute("data-site"));
        if (site === "d2") break;
        await table.page.keyboard.press("PageDown");
    }
    await rested(table);
    const found = await shown(table);
    assert.deepEqual(found, { ...NOTHING, arrows: 6 });
    await table.page.keyboard.press("Escape");
    await table.page.locator("#new").focus();
    assert.deepEqual(await shown(table), NOTHING);
    await table.close();
});

test("a pointer that crosses the board sends few requests, one at a time", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor");
    const { x, y, width, height } = await table.page.locator("#board").boundingBox();
    const across = async () => {
        for (let step = 0; step <= 200; step += 1) {
            await table.page.mouse.move(x + (width * step) / 200, y + height * (0.5 + 0.4 * Math.sin(step)));
        }
    };
    const all = await asked(table, async () => {
        await across();
        await rested(table);
    });
    // It never rests on a fast machine; on a slow one each step may be a rest.
    assert.ok(all.every(({ before }) => before === 0), JSON.stringify(all.map(({ before }) => before)));
    const again = await asked(table, across);
    const keys = new Set([...all, ...again].map(({ clicks }) => clicks.join()));
    assert.equal(keys.size, all.length + again.length, "no request is repeated");
    await table.close();
});

test("a finger requests only the site that it chooses", async () => {
    const table = await Table.open(own, PHONE);
    await table.begin("alcaxar");
    const [x, y] = await table.place("e8");
    const all = await asked(table, () => table.tap(x, y));
    assert.deepEqual(all.map(({ clicks }) => clicks), [["e8"]]);
    assert.deepEqual(await shown(table), NOTHING);
    await table.close();
});
