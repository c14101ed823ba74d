/**
 * The dialog for a new game. Common choices come first. Only rules that apply are shown. The last choices are the
 * defaults.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the accessible names of the visible fields. */
async function fieldNames({ page }) {
    const tree = await page.locator("#setup").ariaSnapshot();
    return [...tree.matchAll(/- (?:radio|combobox|spinbutton) "([^"]+)"/g)].map(([, name]) => name);
}

/** Opens the dialog with all rules. */
async function openDialog({ page }, game) {
    await page.click("#new");
    await page.check(`#setup-games [value="${game}"]`);
    await page.locator("#setup-rules-panel").evaluate((panel) => (panel.open = true));
}

/** Starts the chosen game. */
async function startChosenGame(tab) {
    await tab.page.click("#setup button[value=begin]");
    await tab.waitUntilIdle();
}

test("no two fields of the dialog have the same name, whatever is chosen", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    for (const game of ["alcaxar", "alquerque", "roses", "quoridor", "bushka"]) {
        await openDialog(tab, game);
        await page.selectOption("#setup-clock", { label: "Own values …" });
        for (const players of game === "quoridor" ? ["4", "2"] : [null]) {
            if (players) await page.selectOption('#setup-rules [name="Quoridor_Players"]', players);
            const names = await fieldNames(tab);
            assert.deepEqual(names, [...new Set(names)], game);
            assert.ok(names.length > 10, `${game}: ${names}`);
        }
        await tab.assertAccessible(game);
        await page.keyboard.press("Escape");
    }
    await tab.close();
});

test("fields without an effect are hidden", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const shows = async (...names) => {
        const shown = await fieldNames(tab);
        return names.map((name) => shown.includes(name));
    };
    await openDialog(tab, "quoridor");
    assert.deepEqual(await shows("Walls of the second player", "Two teams"), [true, false]);
    await page.focus('#setup-rules [name="Quoridor_Players"]');
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "4");
    assert.deepEqual(await shows("Walls of the second player", "Two teams"), [false, true]);
    // The focus stays on the changed rule.
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("name")), "Quoridor_Players");
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "2");

    assert.deepEqual(await shows("Level", "Thinking time", "Minutes for each side"), [true, true, false]);
    await page.selectOption("#setup-clock", { label: "Own values …" });
    assert.deepEqual(await shows("Level", "Thinking time", "Minutes for each side"), [true, false, true]);
    await page.selectOption("#setup-players", { label: "Two people at this board" });
    assert.deepEqual(await shows("Level", "Thinking time", "Minutes for each side"), [false, false, true]);
    await tab.page.keyboard.press("Escape");
    await tab.close();
});

test("the rules are collapsed, and their changes are named", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const summary = () => page.locator("#setup-rules-panel summary").innerText();
    await page.click("#new");
    assert.equal(await summary(), "Rules (default)");
    assert.equal(await page.locator("#setup-rules").isVisible(), false);
    await page.check('#setup-games [value="quoridor"]');
    await page.click("#setup-rules-panel summary");
    // The focus stays in the next field.
    await page.click('#setup-rules [name="Quoridor_BoardSize"]', { clickCount: 3 });
    await page.keyboard.type("9");
    await page.click('#setup-rules [name="Quoridor_Walls"]', { clickCount: 3 });
    await page.keyboard.type("3");
    await page.selectOption('#setup-rules [name="RepetitionDraw"]', "true");
    assert.equal(await summary(), "Rules (Walls of each player: 3; Draw at the third repetition: yes)");
    // An invalid value is reported, and no game starts.
    await page.fill('#setup-rules [name="Quoridor_Walls"]', "99");
    await page.click("#setup-rules-panel summary");
    await page.click("#setup button[value=begin]");
    await page.locator('#setup-rules [name="Quoridor_Walls"]').waitFor();
    await page.fill('#setup-rules [name="Quoridor_Walls"]', "3");
    await startChosenGame(tab);
    assert.match(await page.locator("#near").innerText(), /3 walls/);
    await openDialog(tab, "quoridor");
    await page.click("#setup-usual");
    assert.equal(await summary(), "Rules (default)");
    await startChosenGame(tab);
    assert.match(await page.locator("#near").innerText(), /10 walls/);
    await tab.close();
});

test("the last choices are remembered for each game and for the next visit", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openDialog(tab, "quoridor");
    await page.fill('#setup-rules [name="Quoridor_Walls"]', "3");
    await page.selectOption("#setup-players", { label: "You play black, second" });
    await page.selectOption("#setup-level", "strong");
    await page.selectOption("#setup-clock", { label: "Own values …" });
    await page.fill("#setup-minutes", "7");
    await page.fill("#setup-increment", "4");
    await startChosenGame(tab);
    assert.match(await page.locator("#near .clock").innerText(), /^7:00$/);
    await openDialog(tab, "roses");
    assert.equal(await page.inputValue("#setup-clock"), "");
    await page.check('#setup-games [value="quoridor"]');
    const chosen = async () => [
        await page.inputValue('#setup-rules [name="Quoridor_Walls"]'), await page.inputValue("#setup-level"),
        await page.inputValue("#setup-minutes"), await page.inputValue("#setup-increment"),
        await page.locator("#setup-players option:checked").textContent(),
    ];
    assert.deepEqual(await chosen(), ["3", "strong", "7", "4", "You play black, second"]);
    await page.keyboard.press("Escape");
    await page.evaluate(() => sessionStorage.clear());

    const next = await GameTab.open({ ...suite, profile: page.context() });
    assert.equal(await next.page.textContent("#title"), "Quoridor");
    await next.page.click("#new");
    assert.equal(await next.page.inputValue("#setup-minutes"), "7");
    await next.page.close();
    // Invalid choices are ignored.
    await page.evaluate(() => localStorage.setItem("setups", JSON.stringify({
        last: "quoridor", quoridor: { game: "quoridor", options: { No_Such: "<b>" }, players: ["person", "engine"],
            level: "none", seconds: 2, clock: null },
    })));
    const last = await GameTab.open({ ...suite, profile: page.context() });
    assert.equal(await last.page.textContent("#title"), "Quoridor");
    await last.page.close();
    await tab.close();
});

test("a random side is drawn when the game starts", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openDialog(tab, "quoridor");
    await page.selectOption("#setup-players", { label: "You play a random side" });
    // The choice stays when the rules change.
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "4");
    await page.waitForFunction(() => document.getElementById("setup-players").length === 7);
    await page.evaluate(() => (Math.random = () => 0.6));
    await startChosenGame(tab);
    const players = await page.evaluate(() =>
        JSON.parse(localStorage.getItem("setups")).quoridor.players.join());
    assert.equal(players, "engine,engine,person,engine");
    await tab.close();
});
