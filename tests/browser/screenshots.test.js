/**
 * Writes screenshots of each game for a person who looks at them. The folder is the value of
 * `PENTARCH_SCREENSHOTS`; without it, the test is skipped.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GameTab, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const FOLDER = process.env.PENTARCH_SCREENSHOTS;
/** @type {[number, number][]} The sizes of the screens. Those below 1000 pixels are touched. */
const SIZES = [[360, 740], [820, 1180], [1280, 860], [1366, 768], [1920, 1080]];
/** @type {Record<string, { colorScheme: "light" | "dark", forcedColors: "none" | "active" }>} */
const COLOURS = {
    light: { colorScheme: "light", forcedColors: "none" },
    dark: { colorScheme: "dark", forcedColors: "none" },
    forced: { colorScheme: "dark", forcedColors: "active" },
};
/** The number of moves before the end at which the middle of a game is shown. */
const REST = 3;

const suite = setUpBrowser();

for (const [width, height] of SIZES) {
    const skip = FOLDER === undefined && "PENTARCH_SCREENSHOTS does not name a folder";
    test(`screenshots of ${width}x${height}`, { skip }, async () => {
        mkdirSync(FOLDER, { recursive: true });
        const isTouch = width < 1000;
        const tab = await GameTab.open(suite, { viewport: { width, height }, hasTouch: isTouch, isMobile: isTouch });
        const { page } = tab;
        const takeAll = async (name) => {
            // Neither the pointer nor the focus changes a part of the page.
            await page.mouse.move(0, 0);
            await page.evaluate(() => document.activeElement.blur());
            for (const [colours, media] of Object.entries(COLOURS)) {
                await page.emulateMedia({ ...media, reducedMotion: "reduce" });
                await page.screenshot({ path: join(FOLDER, `${width}x${height}-${colours}-${name}.png`) });
            }
        };
        for (const [game, text] of Object.entries(SAMPLE_GAMES)) {
            const moves = text.split(" ");
            await tab.startGame(game);
            await takeAll(`${game}-start`);
            await tab.loadGame(game, moves.slice(0, -REST).join(" "));
            await page.evaluate(() => {
                scrollTo(0, 0);
                document.getElementById("panel").scrollTop = 0;
            });
            await takeAll(`${game}-middle`);
            await page.evaluate(() => document.getElementById("analysis").toggleAttribute("open", true));
            await page.keyboard.press("a");
            await tab.waitForAnalysis(4, 2);
            await takeAll(`${game}-analysis`);
            await page.keyboard.press("a");
            await page.evaluate(() => document.getElementById("analysis").toggleAttribute("open", false));
            await tab.loadGame(game, moves.slice(0, -1).join(" "));
            await page.fill("#move", moves.at(-1));
            await page.press("#move", "Enter");
            await page.waitForSelector("#end-card:not([hidden])");
            await page.evaluate(() => scrollTo(0, 0));
            await takeAll(`${game}-end`);
            await page.click("#end-review");
            await page.waitForSelector("#review-result:not([hidden])");
            await takeAll(`${game}-reviewed`);
        }
        await tab.close();
    });
}
