/**
 * Quoridor for four players. The tests check the choices of players, the seats around the board, the
 * turns and the end of the game. They also check the parts of the page that need two sides.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const FOUR = { Quoridor_Players: "4" };
const TEAMS = { ...FOUR, Quoridor_Teams: "true" };
/** A small board without walls, on which games are short. */
const SMALL = { ...FOUR, Quoridor_BoardSize: "5", Quoridor_FourWalls: "0" };

const suite = setUpBrowser();

/** Returns the name at each seat, by seat. */
function namesAtSeats({ page }) {
    return page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".side:not([hidden])")]
        .map((seat) => [seat.id, seat.querySelector("strong").textContent])));
}

/** Chooses rules in the dialog. Returns the choices of players. */
async function chooseRules({ page }, options) {
    await page.check('#setup-games [value="quoridor"]');
    await page.locator("#setup-rules-panel").evaluate((panel) => (panel.open = true));
    await page.click("#setup-usual");
    for (const [name, value] of Object.entries(options)) {
        await page.selectOption(`#setup-rules [name="${name}"]`, value);
    }
    return page.locator("#setup-players option").allTextContents();
}

/** Waits until the dialog has `count` choices of players. Returns these choices. */
async function waitForChoices({ page }, count) {
    await page.waitForFunction((count) => document.getElementById("setup-players").length === count, count);
    return page.locator("#setup-players option").allTextContents();
}

test("the dialog offers the seats, teams and all people of the chosen rules", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await page.click("#new");
    assert.equal((await chooseRules(tab, {})).length, 5);
    await chooseRules(tab, FOUR);
    assert.deepEqual(await waitForChoices(tab, 7), [
        "You play player 1, first", "You play player 2, second", "You play player 3, third",
        "You play player 4, fourth",
        "Four people at this board", "The engine plays itself", "You play a random side",
    ]);
    await page.selectOption("#setup-players", { label: "You play player 4, fourth" });
    await page.selectOption('#setup-rules [name="Quoridor_Teams"]', "true");
    assert.deepEqual((await waitForChoices(tab, 9)).slice(4, 6), [
        "Two people against the engine, as player 1 and player 3",
        "Two people against the engine, as player 2 and player 4",
    ]);
    // The choice is unchanged.
    assert.equal(await page.locator("#setup-players option:checked").textContent(), "You play player 4, fourth");
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "2");
    await waitForChoices(tab, 5);
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "4");
    await waitForChoices(tab, 9);
    await page.selectOption("#setup-players", { label: "Two people against the engine, as player 2 and player 4" });
    await page.selectOption("#setup-clock", { index: 1 });
    await page.click("#setup button[value=begin]");
    await tab.waitUntilIdle();
    const chosen = await page.evaluate(() => [...document.querySelectorAll(".side select")].map(({ value }) => value));
    assert.deepEqual(chosen.sort(), ["engine", "engine", "person", "person"]);
    assert.equal(await page.locator(".side:not([hidden]) .clock").filter({ hasText: /:/ }).count(), 4);
    await tab.close();
});

test("four seats are clockwise around the board, and turn with it", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor", FOUR);
    const names = await namesAtSeats(tab);
    assert.deepEqual(names, { near: "Player 1", left: "Player 2", far: "Player 3", right: "Player 4" });
    await tab.page.click("#flip");
    const flipped = await namesAtSeats(tab);
    assert.deepEqual(flipped, { near: "Player 3", left: "Player 4", far: "Player 1", right: "Player 2" });
    await tab.startGame("quoridor");
    assert.deepEqual(Object.keys(await namesAtSeats(tab)).sort(), ["far", "near"]);
    await tab.close();
});

test("one person and three engines move in turn, and a takeback returns to the person's turn", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", SMALL, 0);
    await tab.clickSite("c2");
    await page.waitForFunction(() => /Player 1 is to move|has won/.test(document.getElementById("status").textContent));
    const { moves } = await tab.snapshot();
    assert.equal(moves.length, 4);
    await page.click("#undo");
    assert.deepEqual((await tab.snapshot()).moves, []);
    await tab.close();
});

test("the list numbers rounds of four moves, and each position names the player to move", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", FOUR);
    const moves = ["e2", "b5", "e8", "h5", "e3", "c5"];
    for (const move of moves) await tab.clickSite(move);
    assert.match((await tab.snapshot()).status, /^Player 2: c5\. Player 3 is to move\.$/);
    const rows = await page.evaluate(() => [...document.querySelectorAll("#moves > li")].map((row) =>
        [...row.querySelectorAll("button")].map(({ dataset }) => dataset.move).join(" ")));
    assert.deepEqual(rows, ["e2 b5 e8 h5", "e3 c5"]);
    for (const [ply, turn] of [[5, 2], [4, 1], [3, 4], [2, 3], [1, 2], [0, 1]]) {
        await page.click("#back");
        const { status, line } = await tab.snapshot();
        assert.equal(line.length, ply);
        assert.match(status, new RegExp(`Player ${turn} is to move`), status);
    }
    await page.click("#forward");
    await tab.snapshot();
    await tab.clickSite("b5");
    assert.deepEqual((await tab.snapshot()).line, ["e2", "b5"]);
    await page.click("#back");
    await tab.snapshot();
    await tab.clickSite("a4");
    assert.match((await tab.snapshot()).status, /variation, after 1… a4\. Player 3 is to move\.$/);
    await tab.close();
});

test("the first pawn at its goal wins, and the record of the game can be loaded", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", SMALL);
    for (const move of "c2 b3 c4 d3 c3 b2 c2 d2 b3 a2 c1".split(" ")) await tab.clickSite(move);
    const won = await tab.snapshot();
    assert.match(won.status, /^Player 3: c1\. Player 3 has won/i);
    assert.deepEqual(won.selectable, []);
    await tab.openPanel("position");
    const record = await page.inputValue("#record");
    assert.match(record, /\[Option "Quoridor_Players=4"\]/);
    await tab.startGame("alcaxar");
    await page.fill("#record", record);
    await page.click("#record-load");
    const loaded = await tab.snapshot();
    assert.deepEqual([loaded.moves, loaded.status, loaded.pieces], [won.moves, won.status, won.pieces]);
    await tab.close();
});

test("a player resigns for the team, and without teams nobody can resign", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", FOUR);
    await tab.clickSite("e2");
    assert.deepEqual([await page.isVisible("#resign"), await page.isVisible("#draw")], [false, false]);
    await tab.startGame("quoridor", TEAMS);
    await tab.clickSite("e2");
    assert.equal(await page.isVisible("#resign"), true);
    page.once("dialog", (dialog) => dialog.accept());
    await page.click("#resign");
    const { status, selectable } = await tab.snapshot();
    assert.match(status, /Team 1 has won: team 2 has resigned/);
    assert.deepEqual(selectable, []);
    await tab.close();
});

test("the analysis scores are the mover's; there is no bar and no review", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    // Player 2 is one step from home.
    await tab.startGame("quoridor", SMALL);
    await tab.setUpPosition("b2d3d4b4 - 2 0/0/0/0 4");
    await tab.openPanel("analysis");
    await page.check("#analysing");
    await page.waitForFunction(() => document.getElementById("evaluation").textContent.includes("Player 2 wins in 1"));
    assert.equal(await page.isVisible("#bar"), false);
    assert.equal(await page.isVisible("#review"), false);
    await tab.clickSite("e3");
    assert.match((await tab.snapshot()).status, /Player 2 has won/);
    assert.equal(await page.isVisible("#bar"), false);
    await tab.close();
});
