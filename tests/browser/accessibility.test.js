/** The accessibility checker axe finds no violation, in all games, colours and dialogs. */
import { test } from "node:test";
import { Engine } from "./engine.js";
import { GAMES, PANELS, PLAYED, setUp, Table } from "./page.js";

/** @type {Record<string, { colorScheme: "light" | "dark", forcedColors: "none" | "active" }>} */
const COLOURS = {
    light: { colorScheme: "light", forcedColors: "none" },
    dark: { colorScheme: "dark", forcedColors: "none" },
    forced: { colorScheme: "dark", forcedColors: "active" },
};

const own = setUp();

for (const [name, media] of Object.entries(COLOURS)) {
    test(`axe finds no violation in ${name} colours`, async (context) => {
        const table = await Table.open(own, { hasTouch: true });
        const { page } = table;
        await page.emulateMedia({ ...media, reducedMotion: "reduce" });
        await table.hasNoComplaint("begin");
        for (const panel of PANELS) await table.unfold(panel);
        for (const [game, options] of GAMES) {
            await table.begin(game, options);
            // A shown move waits for confirmation.
            const engine = new Engine(game, options);
            context.after(() => engine.close());
            const [{ clicks }] = await engine.moves();
            for (const site of clicks) {
                await table.tap(...await table.place(site));
                await table.settled();
            }
            await table.hasNoComplaint(game);
            for (const opener of ["#new", "#show-games", "#show-keys", "#show-settings"]) {
                await page.click(opener);
                if (opener !== "#show-keys" || game === "alcaxar") await table.hasNoComplaint(`${game} ${opener}`);
                await page.keyboard.press("Escape");
            }
        }
        for (const [game, moves] of Object.entries(PLAYED)) {
            // A reviewed game, and an analysed variation of it.
            await table.load(game, moves);
            await page.click("#review");
            await page.waitForFunction(() => !document.getElementById("review-result").hidden);
            await page.click("#first");
            await page.click("#analysing");
            await table.analysed();
            await page.click("#lines li:first-child button:nth-of-type(2)");
            await table.analysed();
            await table.hasNoComplaint(`${game}, analysed`);
            await page.hover("#lines li:first-child button");
            await table.hasNoComplaint(`${game}, previewed`);
        }
        await table.close();
    });
}
