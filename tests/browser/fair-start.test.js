/** Fair starts, handicaps, the level that adapts to the results, and the tally of rematches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();
/** A game of Quoridor in which White reaches the opposite edge with its next move. */
const WON = "e2 e8 e3 e7 e4 e6 d4 d6 d5 c6 d6 c5 d7 c4 d8 c3";

/**
 * Starts a game in the dialog.
 *
 * @param {GameTab} tab
 * @param {string} game
 * @param {Record<string, any>} choices The values of the fields, by the ends of their ids.
 */
async function begin(tab, game, choices) {
    const { page } = tab;
    await page.click("#new");
    await page.check(`#setup-games [value="${game}"]`);
    await tab.waitUntilIdle();
    for (const [name, value] of Object.entries(choices)) await page.selectOption(`#setup-${name}`, value);
    await page.click("#setup button[value=begin]");
    await tab.waitUntilIdle();
}

/** Returns the players of the sides. @param {GameTab} tab */
const players = ({ page }) => page.locator(".side select").evaluateAll((selects) =>
    selects.map((select) => [select.dataset.side, select.value]).sort().map(([, player]) => player));

/** Ends the game by a resignation. @param {GameTab} tab */
async function resign(tab) {
    tab.page.once("dialog", (dialog) => dialog.accept());
    await tab.page.click("#resign");
    await tab.page.locator("#end-card").waitFor();
}

test("a handicap stays with the engine in a rematch, and does not change the rules of the dialog", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const walls = async () => [await page.locator("#near .count").textContent(),
        await page.locator("#far .count").textContent()];
    await begin(tab, "quoridor", { players: "0", start: { label: "You have 10 walls, the engine 6" } });
    assert.deepEqual(await walls(), ["10", "6"]);
    await tab.clickSite("e2");
    await tab.waitUntilIdle();
    await resign(tab);
    assert.equal(await tab.isVisible("end-series"), false);
    await page.click("#end-rematch");
    await tab.waitUntilIdle();
    assert.deepEqual(await players(tab), ["engine", "person"]);
    assert.equal((await walls())[0], "10");
    // Only games with moves count.
    await tab.waitForMoves(1);
    await resign(tab);
    assert.equal(await tab.textOf("end-series"), "You 0, engine 2.");
    await page.click("#end-new");
    await tab.waitUntilIdle();
    assert.equal(await page.inputValue("#setup-start"), "handicap 2");
    assert.equal(await tab.textOf("setup-changed"), "(default)");
    await page.selectOption("#setup-start", "");
    await page.selectOption("#setup-players", "0");
    await page.click("#setup button[value=begin]");
    await tab.waitUntilIdle();
    assert.deepEqual(await walls(), ["10", "10"]);
    // Another game ends the tally. Two people have no handicap.
    await resign(tab);
    assert.equal(await tab.isVisible("end-series"), false);
    await page.click("#end-new");
    await page.selectOption("#setup-players", "2");
    await tab.waitUntilIdle();
    assert.deepEqual(await page.locator("#setup-start option").evaluateAll((all) => all.map(({ value }) => value)),
        ["", "balanced", "swap"]);
    await page.keyboard.press("Escape");
    await tab.close();
});

test("a balanced opening is the first position", async () => {
    const tab = await GameTab.open(suite);
    await begin(tab, "roses", { players: "2", start: "balanced" });
    const { start, moves } = await tab.snapshot();
    assert.deepEqual([moves, start.split(" ").slice(3)], [[], ["0/0", "5"]], start);
    // Without openings for these rules there is no such choice.
    await tab.page.click("#new");
    await tab.page.check('#setup-games [value="quoridor"]');
    await tab.page.locator("#setup-rules-panel").evaluate((panel) => (panel.open = true));
    await tab.page.fill('#setup-rules [name="Quoridor_BoardSize"]', "5");
    await tab.waitUntilIdle();
    assert.equal(await tab.page.locator('#setup-start [value="balanced"]').count(), 0);
    await tab.page.keyboard.press("Escape");
    await tab.close();
});

test("the second player may swap sides after the first move", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await begin(tab, "quoridor", { players: "2", start: "swap" });
    assert.equal(await tab.isVisible("swap"), false);
    await tab.clickSite("e2");
    assert.equal(await tab.textOf("swap"), "Swap sides: take over white");
    await tab.assertAccessible();
    await page.click("#swap");
    assert.deepEqual([await tab.textOf("note"), await tab.isVisible("swap")],
        ["The players have swapped sides.", false]);
    await page.click("#undo");
    const { moves, note } = await tab.snapshot();
    assert.deepEqual([await tab.isVisible("swap"), moves, note], [true, ["e2"], ""]);
    await page.click("#swap");
    await tab.clickSite("e8");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    // After a swap, the players keep their sides in the rematch: the other player moves first.
    await resign(tab);
    await page.click("#end-rematch");
    await tab.waitUntilIdle();
    await tab.clickSite("e2");
    await tab.reload();
    assert.equal(await tab.isVisible("swap"), true, "a reload keeps the offer");
    await resign(tab);
    // The player of White in the second game was White in the first, and then Black.
    assert.equal(await tab.textOf("end-series"), "White 1, Black 1.");
    await tab.close();
});

test("the engine swaps sides if it prefers the other one", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await begin(tab, "quoridor", { players: "0", level: "strong", start: "swap" });
    // The engine prefers White after a wall behind Black.
    await tab.clickSite("e7h");
    await page.waitForFunction(() => document.getElementById("note").textContent !== ""
        || document.querySelectorAll("#moves [data-move]").length > 1);
    const isSwapped = (await tab.textOf("note")) !== "";
    assert.deepEqual(await players(tab), isSwapped ? ["engine", "person"] : ["person", "engine"]);
    assert.equal((await tab.snapshot()).moves.length, isSwapped ? 1 : 2);
    await page.click("#undo");
    await tab.waitUntilIdle();
    assert.deepEqual([await players(tab), (await tab.snapshot()).moves], [["person", "engine"], []]);
    await tab.close();
});

test("the level adapts to the results, and the browser remembers it", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const win = async () => {
        await tab.loadGame("quoridor", WON, 0);
        await tab.clickSite("d9");
        await page.locator("#end-card").waitFor();
        return tab.textOf("end-series");
    };
    await begin(tab, "quoridor", { players: "0", level: "auto" });
    assert.match(await tab.textOf("aim"), /You are White\. Level: auto, now beginner\.$/);
    assert.equal(await win(),
        "You won: the next game is a little harder. Level: auto, now between beginner and novice.");
    // The second end of the same game does not count.
    await page.click("#undo");
    await tab.waitUntilIdle();
    await tab.clickSite("d9");
    assert.equal(await tab.isVisible("end-series"), false);
    await tab.reload();
    assert.match(await win(), /Level: auto, now novice\.$/);
    await page.click("#end-rematch");
    await tab.waitForMoves(1);
    await resign(tab);
    assert.equal(await tab.textOf("end-series"), "You lost: the next game is a little easier. "
        + "Level: auto, now between beginner and novice. You 1, engine 1.");
    await page.click("#new");
    assert.equal(await page.locator("#setup-level option").first().textContent(),
        "auto (now between beginner and novice)");
    await page.check('#setup-games [value="roses"]');
    assert.match(await page.locator("#setup-level option").first().textContent(), /now beginner\)$/);
    await page.keyboard.press("Escape");
    await tab.close();
});

test("the engine takes a moment for its move, unless it is turned off", async () => {
    const tab = await GameTab.open(suite, {}, () => localStorage.setItem("settings", "{}"));
    const { page } = tab;
    await page.evaluate(() => {
        const { setTimeout: original } = window;
        window.pauses = [];
        window.setTimeout = (run, time, ...rest) => {
            window.pauses.push(time);
            return original(run, time, ...rest);
        };
    });
    await begin(tab, "quoridor", { players: "0", level: "beginner" });
    await tab.clickSite("e2");
    await tab.waitForMoves(2);
    const longest = await page.evaluate(() => Math.max(...window.pauses.filter((time) => time < 10_000)));
    assert.ok(longest > 1000 && longest <= 2000, `${longest}`);
    await tab.close();
});
