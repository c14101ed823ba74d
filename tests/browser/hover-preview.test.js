/** The effects of a site are shown before it is chosen. A click takes a single request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { GameTab, PHONE, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Counts the kinds of drawings on the board. */
const countDrawings = ({ page }) => page.evaluate(() => {
    const count = (selector) => document.querySelectorAll(`#board ${selector}`).length;
    return {
        areas: count(".continuations > .area"), arcs: count(".continuations > .turning"),
        arrows: count(".continuations > .arrow"), glows: count(".glow > .hovered"), pieces: count(".ghost > .piece"),
        turning: count(".ghost > .turning"),
    };
});

const NO_DRAWINGS = { areas: 0, arcs: 0, arrows: 0, glows: 0, pieces: 0, turning: 0 };

/** Returns the requests of the page during an action. @param {GameTab} tab @param {() => Promise<unknown>} action */
async function requestsDuring(tab, action) {
    await tab.page.evaluate(() => (window.watch.requests = []));
    await action();
    await tab.waitUntilIdle();
    return tab.page.evaluate(() => window.watch.requests);
}

/** Waits until the pointer has rested and all its requests have responses. @param {GameTab} tab */
async function waitForRest(tab) {
    // The page waits for a moment before it sends requests. It sends them one after another.
    for (let count = 0; count < 4; count += 1) {
        await tab.page.waitForTimeout(80);
        await tab.waitUntilIdle();
    }
}

/** Runs in the page before its own scripts. Then a pointer never rests, however long the machine takes to click. */
function neverRest() {
    const { setTimeout } = window;
    window.setTimeout = (work, delay) => (window.event?.type === "pointermove" ? 0 : setTimeout(work, delay));
}

test("a click and a move each take one request, early and late in a game", async (context) => {
    // If a pointer rests before a click, it requests more: the sites that can follow.
    const tab = await GameTab.open(suite, {}, neverRest);
    const moves = SAMPLE_GAMES.bushka.split(" ");
    const engine = new EngineSession("bushka");
    context.after(() => engine.close());
    for (const count of [0, moves.length - 4]) {
        await tab.loadGame("bushka", moves.slice(0, count).join(" "));
        await engine.send(`position startpos moves ${moves.slice(0, count).join(" ")}`);
        for (const move of moves.slice(count, count + 3)) {
            const [{ clicks }] = await engine.query(`details ${move}`);
            for (const site of clicks) {
                const place = await tab.sitePoint(site);
                // The pointer sends requests on its way. A click does not repeat them.
                const requests = await requestsDuring(tab, () => tab.page.mouse.click(...place));
                assert.ok(requests.length <= 1, `${move} ${site}`);
            }
            const { ready, moves: made } = await tab.snapshot();
            if (ready?.includes(move) && made.at(-1) !== move) {
                assert.deepEqual(await requestsDuring(tab, () => tab.page.click("#confirm")), []);
            }
            assert.equal((await tab.snapshot()).moves.at(-1), move);
            await engine.send(`play ${move}`);
        }
    }
    await tab.close();
});

test("the engine's reply takes a search and one more request", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("alquerque", {}, 0);
    await tab.clickSite("d3");
    const all = await requestsDuring(tab, async () => {
        await tab.page.mouse.click(...await tab.sitePoint("c3"));
        await tab.page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    });
    assert.deepEqual(all.map(({ ask }) => ask), [["clicks", "successor"], "play", "successor"]);
    await tab.close();
});

test("a wall of Alcaxar shows its turns, and then the chosen one", async () => {
    const tab = await GameTab.open(suite);
    await tab.loadGame("alcaxar", "e8d9 c6b7");
    await tab.page.evaluate(() => scrollTo(0, 0));
    const point = async (site) => {
        await tab.page.mouse.move(...await tab.sitePoint(site));
        await waitForRest(tab);
    };
    assert.deepEqual(await countDrawings(tab), NO_DRAWINGS);
    await point("d9");
    assert.deepEqual(await countDrawings(tab), { ...NO_DRAWINGS, areas: 3, arcs: 3, glows: 1 });
    await tab.clickSite("d9");
    assert.deepEqual(await countDrawings(tab), NO_DRAWINGS);
    await point("e8");
    assert.deepEqual(await countDrawings(tab), { ...NO_DRAWINGS, glows: 1, pieces: 1, turning: 1 });
    await tab.page.mouse.move(2, 2);
    assert.deepEqual(await countDrawings(tab), NO_DRAWINGS);
    await tab.close();
});

test("a phalanx of Bushka shows the paths of its pieces, by keys", async () => {
    const tab = await GameTab.open(suite);
    await tab.loadGame("bushka", "e1b4 j8i7 c1f4 b10e7");
    assert.equal(await tab.page.locator("#board .next > *").count(), 0, "pieces that can move have no mark");
    await tab.page.keyboard.press("b");
    for (let count = 0; count < 40; count += 1) {
        const site = await tab.page.evaluate(() => document.activeElement.getAttribute("data-site"));
        if (site === "d2") break;
        await tab.page.keyboard.press("PageDown");
    }
    await waitForRest(tab);
    const found = await countDrawings(tab);
    assert.deepEqual(found, { ...NO_DRAWINGS, arrows: 6, glows: 1 });
    await tab.page.keyboard.press("Escape");
    await tab.page.locator("#new").focus();
    assert.deepEqual(await countDrawings(tab), NO_DRAWINGS);
    await tab.close();
});

test("a pointer that crosses the board sends few requests, one at a time", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor");
    const { x, y, width, height } = await tab.page.locator("#board").boundingBox();
    const across = async () => {
        for (let step = 0; step <= 200; step += 1) {
            await tab.page.mouse.move(x + (width * step) / 200, y + height * (0.5 + 0.4 * Math.sin(step)));
        }
    };
    const all = await requestsDuring(tab, async () => {
        await across();
        await waitForRest(tab);
    });
    // On a fast machine the pointer never rests. On a slow machine it may rest at each step.
    assert.ok(all.every(({ before }) => before === 0), JSON.stringify(all.map(({ before }) => before)));
    const again = await requestsDuring(tab, across);
    const keys = new Set([...all, ...again].map(({ clicks }) => clicks.join()));
    assert.equal(keys.size, all.length + again.length, "no request is repeated");
    await tab.close();
});

test("a finger requests only the site that it chooses", async () => {
    const tab = await GameTab.open(suite, PHONE);
    await tab.startGame("alcaxar");
    const [x, y] = await tab.sitePoint("e8");
    const all = await requestsDuring(tab, () => tab.tap(x, y));
    assert.deepEqual(all.map(({ clicks }) => clicks), [["e8"]]);
    assert.deepEqual(await countDrawings(tab), NO_DRAWINGS);
    await tab.close();
});
