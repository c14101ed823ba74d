/** The result and the buttons at the end of a game. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp, Table } from "./page.js";

const own = setUp();
/** A game of Quoridor in which White reaches the opposite edge. */
const WON = "e2 e8 e3 e7 e4 e6 d4 d6 d5 c6 d6 c5 d7 c4 d8 c3";

test("the person's result is shown, and a rematch swaps the sides", async () => {
    const table = await Table.open(own);
    const { page } = table;
    // A person plays White.
    await table.load("quoridor", WON, 0);
    assert.equal(await table.isShown("rematch"), false);
    await table.click("d9");
    assert.match(await table.text("status"), /You won as White: its pawn has reached rank 9\.$/);
    assert.equal(await table.isShown("review-end"), true);
    await page.click("#rematch");
    await table.settled();
    const players = await page.locator(".side select").evaluateAll((selects) =>
        Object.fromEntries(selects.map((select) => [select.dataset.side, select.value])));
    assert.deepEqual(players, { 0: "engine", 1: "person" });
    assert.equal(await table.text("aim"), "Aim: reach the opposite edge with your pawn. You are Black.");
    assert.equal(await table.isShown("rematch"), false);
    await table.close();
});

test("between two people the winner is named, and the game is reviewed from its end", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.load("quoridor", `${WON} d9`);
    assert.match(await table.text("status"), /White has won: its pawn has reached rank 9\.$/);
    assert.equal(await table.text("aim"), "Aim: reach the opposite edge with your pawn.");
    await page.click("#review-end");
    await page.waitForSelector("#review-result:not([hidden])");
    assert.equal(await page.locator("#tallies li").count(), 2);
    await table.close();
});

test("players and teams of four are named for people", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor", { Quoridor_Players: "4", Quoridor_Teams: "true" }, 0);
    assert.match(await table.text("aim"),
        /You are Player 1\. Player 1 and Player 3 play against Player 2 and Player 4\.$/);
    assert.match(await table.text("near"), /^Player 1team 1/);
    assert.match(await table.text("left"), /^Player 2team 2/);
    assert.equal(await table.text("status"), "Player 1 is to move.");
    await table.close();
});

test("the reason against a move has no ids, and the note disappears when it no longer applies", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("alquerque");
    const type = async (text) => {
        await page.fill("#move", text);
        await page.keyboard.press("Enter");
        await table.settled();
        return table.text("note");
    };
    assert.equal(await type("a1b2"), "That is not possible: a checker stands on b2.");
    await page.fill("#move", "c");
    assert.equal(await table.text("note"), "");
    assert.match(await type("nonsense!"), /^“nonsense!” is not a move in the notation of this game/);
    assert.equal(await type(""), "Type a move first.");
    await table.click("a1");
    await table.click("e5");
    const note = await table.text("note");
    assert.ok(note !== "" && !/REQ|column/.test(note), note);
    await table.click("b2");
    assert.equal(await table.text("note"), "");
    assert.deepEqual(await type("b2 c3"), "");
    assert.deepEqual((await table.shown()).moves, ["b2c3"]);
    await table.close();
});
