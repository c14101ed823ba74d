/**
 * Quoridor for four players: the choices of players, the seats around the board, the turns, the end
 * of the game, and the parts of the page that need two sides.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, Table } from "./page.js";

const FOUR = { Quoridor_Players: "4" };
const TEAMS = { ...FOUR, Quoridor_Teams: "true" };
/** A small board without walls, on which games are short. */
const SMALL = { ...FOUR, Quoridor_BoardSize: "5", Quoridor_FourWalls: "0" };

const own = setUp();

/** Returns the names at the seats, by seat. */
function seats({ page }) {
    return page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".side:not([hidden])")]
        .map((seat) => [seat.id, seat.querySelector("strong").textContent])));
}

/** Chooses rules in the dialog, and returns the choices of players. */
async function offered({ page }, options) {
    await page.check('#setup-games [value="quoridor"]');
    await page.locator("#setup-rules-panel").evaluate((panel) => (panel.open = true));
    await page.click("#setup-usual");
    for (const [name, value] of Object.entries(options)) {
        await page.selectOption(`#setup-rules [name="${name}"]`, value);
    }
    return page.locator("#setup-players option").allTextContents();
}

/** Waits until the dialog has `count` choices of players, and returns them. */
async function offers({ page }, count) {
    await page.waitForFunction((count) => document.getElementById("setup-players").length === count, count);
    return page.locator("#setup-players option").allTextContents();
}

test("the dialog offers the seats, teams and all people of the chosen rules", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await page.click("#new");
    assert.equal((await offered(table, {})).length, 4);
    await offered(table, FOUR);
    assert.deepEqual(await offers(table, 6), [
        "You play player 1, first", "You play player 2, second", "You play player 3, third",
        "You play player 4, fourth",
        "Four people at this board", "The engine plays itself",
    ]);
    await page.selectOption("#setup-players", { label: "You play player 4, fourth" });
    await page.selectOption('#setup-rules [name="Quoridor_Teams"]', "true");
    assert.deepEqual((await offers(table, 8)).slice(4, 6), [
        "Two people against the engine, as player 1 and player 3",
        "Two people against the engine, as player 2 and player 4",
    ]);
    // The choice is unchanged.
    assert.equal(await page.locator("#setup-players option:checked").textContent(), "You play player 4, fourth");
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "2");
    await offers(table, 4);
    await page.selectOption('#setup-rules [name="Quoridor_Players"]', "4");
    await offers(table, 8);
    await page.selectOption("#setup-players", { label: "Two people against the engine, as player 2 and player 4" });
    await page.selectOption("#setup-clock", { index: 1 });
    await page.click("#setup button[value=begin]");
    await table.settled();
    const chosen = await page.evaluate(() => [...document.querySelectorAll(".side select")].map(({ value }) => value));
    assert.deepEqual(chosen.sort(), ["engine", "engine", "person", "person"]);
    assert.equal(await page.locator(".side:not([hidden]) .clock").filter({ hasText: /:/ }).count(), 4);
    await table.close();
});

test("four seats are clockwise around the board, and turn with it", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor", FOUR);
    assert.deepEqual(await seats(table), { near: "Player 1", left: "Player 2", far: "Player 3", right: "Player 4" });
    await table.page.click("#flip");
    assert.deepEqual(await seats(table), { near: "Player 3", left: "Player 4", far: "Player 1", right: "Player 2" });
    await table.begin("quoridor");
    assert.deepEqual(Object.keys(await seats(table)).sort(), ["far", "near"]);
    await table.close();
});

test("one person and three engines move in turn, and a takeback returns to the person's turn", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor", SMALL, 0);
    await table.click("c2");
    await page.waitForFunction(() => /Player 1 is to move|has won/.test(document.getElementById("status").textContent));
    const { moves } = await table.shown();
    assert.equal(moves.length, 4);
    await page.click("#undo");
    assert.deepEqual((await table.shown()).moves, []);
    await table.close();
});

test("the list numbers rounds of four moves, and each position names the player to move", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor", FOUR);
    const moves = ["e2", "b5", "e8", "h5", "e3", "c5"];
    for (const move of moves) await table.click(move);
    assert.match((await table.shown()).status, /^Player 2: c5\. Player 3 is to move\.$/);
    const rows = await page.evaluate(() => [...document.querySelectorAll("#moves > li")].map((row) =>
        [...row.querySelectorAll("button")].map(({ dataset }) => dataset.move).join(" ")));
    assert.deepEqual(rows, ["e2 b5 e8 h5", "e3 c5"]);
    for (const [ply, turn] of [[5, 2], [4, 1], [3, 4], [2, 3], [1, 2], [0, 1]]) {
        await page.click("#back");
        const { status, line } = await table.shown();
        assert.equal(line.length, ply);
        assert.match(status, new RegExp(`Player ${turn} is to move`), status);
    }
    await page.click("#forward");
    await table.shown();
    await table.click("b5");
    assert.deepEqual((await table.shown()).line, ["e2", "b5"]);
    await page.click("#back");
    await table.shown();
    await table.click("a4");
    assert.match((await table.shown()).status, /variation, after 1… a4\. Player 3 is to move\.$/);
    await table.close();
});

test("the first pawn at its goal wins, and the record of the game can be loaded", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor", SMALL);
    for (const move of "c2 b3 c4 d3 c3 b2 c2 d2 b3 a2 c1".split(" ")) await table.click(move);
    const won = await table.shown();
    assert.match(won.status, /^Player 3: c1\. Player 3 has won/i);
    assert.deepEqual(won.open, []);
    await table.unfold("position");
    const record = await page.inputValue("#record");
    assert.match(record, /\[Option "Quoridor_Players=4"\]/);
    await table.begin("alcaxar");
    await page.fill("#record", record);
    await page.click("#record-load");
    const loaded = await table.shown();
    assert.deepEqual([loaded.moves, loaded.status, loaded.pieces], [won.moves, won.status, won.pieces]);
    await table.close();
});

test("a player resigns for the team, and without teams nobody can resign", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor", FOUR);
    await table.click("e2");
    assert.deepEqual([await page.isVisible("#resign"), await page.isVisible("#draw")], [false, false]);
    await table.begin("quoridor", TEAMS);
    await table.click("e2");
    assert.equal(await page.isVisible("#resign"), true);
    page.once("dialog", (dialog) => dialog.accept());
    await page.click("#resign");
    const { status, open } = await table.shown();
    assert.match(status, /Team 1 has won: team 2 has resigned/);
    assert.deepEqual(open, []);
    await table.close();
});

test("the analysis scores are the mover's; there is no bar and no review", async () => {
    const table = await Table.open(own);
    const { page } = table;
    // Player 2 is a step from home.
    await table.begin("quoridor", SMALL);
    await table.setUp("b2d3d4b4 - 2 0/0/0/0 4");
    await table.unfold("analysis");
    await page.check("#analysing");
    await page.waitForFunction(() => document.getElementById("evaluation").textContent.includes("Player 2 wins in 1"));
    assert.equal(await page.isVisible("#bar"), false);
    assert.equal(await page.isDisabled("#review"), true);
    await table.click("e3");
    assert.match((await table.shown()).status, /Player 2 has won/);
    assert.equal(await page.isVisible("#bar"), false);
    await table.close();
});
