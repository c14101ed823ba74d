/** Smoke tests in a second browser: moves in each game, links, saved games, and the page without a network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { EngineSession } from "./engine.js";
import { FileServer, GameTab, launchFirefox, NEEDS_FILES, NEEDS_FIREFOX, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = /** @type {import("./page.js").Suite} */ (NEEDS_FIREFOX ? {} : setUpBrowser(undefined, launchFirefox));
const inFirefox = { skip: NEEDS_FIREFOX };

for (const [game, text] of Object.entries(SAMPLE_GAMES)) {
    test(`three moves of ${game} in Firefox`, inFirefox, async (context) => {
        const tab = await GameTab.open(suite);
        const engine = new EngineSession(game);
        context.after(() => engine.close());
        await tab.startGame(game);
        const moves = text.split(" ").slice(0, 3);
        for (const move of moves) {
            const [{ clicks }] = await engine.query(`details ${move}`);
            await tab.makeMove(clicks);
            await engine.send(`play ${move}`);
        }
        assert.deepEqual((await tab.snapshot()).moves, moves);
        await tab.close();
    });
}

test("a link and a saved game in Firefox", inFirefox, async () => {
    const { server } = suite;
    const hash = "game=quoridor&players=person+person&turned=1&moves=e2+e8+e3&ply=2";
    const tab = await GameTab.open({ ...suite, server: { ...server, address: `${server.address}#${hash}` } });
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3"]);
    assert.equal(await tab.page.evaluate(() => location.hash.slice(1)), hash);
    await tab.page.click("#forward");
    await tab.waitUntilIdle();
    await tab.clickSite("e7");
    const isListed = async () => {
        await tab.page.click("#show-games");
        await tab.page.locator("#game-list > li, #no-games:not([hidden])").first().waitFor();
        const count = await tab.page.locator("#game-list > li").count();
        await tab.page.click("#games-close");
        return count > 0;
    };
    while (!await isListed()) await setTimeout(50);
    await tab.reload();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3", "e7"]);
    await tab.close();
});

test("the page works without a network in Firefox", { skip: NEEDS_FIREFOX || NEEDS_FILES }, async (context) => {
    const server = await FileServer.start(String(process.env.PENTARCH_WEB));
    context.after(() => server.stop());
    const tab = await GameTab.open({ ...suite, server });
    const { page } = tab;
    await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        while (!navigator.serviceWorker.controller) await new Promise((done) => window.setTimeout(done, 10));
    });
    await tab.startGame("roses", {}, 1);
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 1);
    await server.stop();
    await tab.reload();
    await tab.startGame("roses", {}, 1);
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 1);
    await tab.close();
});
