/** The accessibility checker axe finds no violation in any game, colour scheme or dialog. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { GAMES, GameTab, PANELS, SAMPLE_GAMES, setUpBrowser } from "./page.js";

/** @type {Record<string, { colorScheme: "light" | "dark", forcedColors: "none" | "active" }>} */
const COLOURS = {
    light: { colorScheme: "light", forcedColors: "none" },
    dark: { colorScheme: "dark", forcedColors: "none" },
    forced: { colorScheme: "dark", forcedColors: "active" },
};

const suite = setUpBrowser();

for (const [name, media] of Object.entries(COLOURS)) {
    test(`axe finds no violation in ${name} colours`, async (context) => {
        const tab = await GameTab.open(suite, { hasTouch: true });
        const { page } = tab;
        await page.emulateMedia({ ...media, reducedMotion: "reduce" });
        await tab.assertAccessible("begin");
        await page.click("#go-home");
        await page.locator("#home-now .card").last().waitFor();
        await tab.assertAccessible("home");
        await tab.leaveHome();
        for (const panel of PANELS) await tab.openPanel(panel);
        for (const [game, options] of GAMES) {
            await tab.startGame(game, options);
            // A shown move waits for confirmation.
            const engine = new EngineSession(game, options);
            context.after(() => engine.close());
            const [{ clicks }] = await engine.moveDetails();
            for (const site of clicks) {
                await tab.tap(...await tab.sitePoint(site));
                await tab.waitUntilIdle();
            }
            await tab.assertAccessible(game);
            for (const opener of ["#new", "#show-games", "#show-keys", "#show-settings"]) {
                await page.click(opener);
                if (opener !== "#show-keys" || game === "alcaxar") await tab.assertAccessible(`${game} ${opener}`);
                await page.keyboard.press("Escape");
            }
        }
        for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
            // The page shows a reviewed game, and an analysed variation of it.
            await tab.loadGame(game, moves);
            await page.click("#review");
            await page.waitForFunction(() => !document.getElementById("review-result").hidden);
            await page.click("#first");
            await page.click("#analysing");
            await tab.waitForAnalysis();
            await page.click("#lines li:first-child button:nth-of-type(2)");
            await tab.waitForAnalysis();
            await tab.assertAccessible(`${game}, analysed`);
            await page.hover("#lines li:first-child button");
            await tab.assertAccessible(`${game}, previewed`);
        }
        await tab.close();
    });
}

test("forced colours show whose pieces are whose, and the current move", async () => {
    const tab = await GameTab.open(suite, { forcedColors: "active" });
    await tab.startGame("quoridor");
    for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
        await tab.page.emulateMedia({ colorScheme, forcedColors: "active" });
        const fills = await tab.page.evaluate(() => ["side-0", "side-1"].map((side) =>
            getComputedStyle(document.querySelector(`#board .${side} .body`)).fill));
        assert.deepEqual(fills, ["rgb(255, 255, 255)", "rgb(0, 0, 0)"], colorScheme);
    }
    const widthsOf = (selector) => tab.page.locator(selector).evaluateAll((buttons) =>
        buttons.map((button) => getComputedStyle(button).borderTopWidth));
    await tab.loadGame("quoridor", "e2 e8 e3");
    assert.deepEqual(await widthsOf("#moves button"), ["1px", "1px", "3px"], "the current move");
    await tab.close();
});
