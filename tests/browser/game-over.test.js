/** The result and the buttons at the end of a game. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, PHONE, setUpBrowser } from "./page.js";

const suite = setUpBrowser();
/** A game of Quoridor in which White reaches the opposite edge. */
const WON = "e2 e8 e3 e7 e4 e6 d4 d6 d5 c6 d6 c5 d7 c4 d8 c3";

/** Returns whether two elements have a common point. @param {GameTab} tab @param {string} one @param {string} other */
async function overlap({ page }, one, other) {
    const [a, b] = await Promise.all([one, other].map((id) => page.locator(`#${id}`).boundingBox()));
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

test("a card shows the person's result, and a rematch swaps the sides", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    // A person plays White.
    await tab.loadGame("quoridor", WON, 0);
    assert.equal(await tab.isVisible("rematch"), false);
    await tab.clickSite("d9");
    assert.match(await tab.textOf("status"), /You won as White: its pawn has reached rank 9\.$/);
    assert.equal(await overlap(tab, "end-card", "board"), false);
    assert.deepEqual([await tab.textOf("end-result"), await tab.textOf("end-reason")],
        ["You won as White", "Its pawn has reached rank 9."]);
    assert.doesNotMatch(await page.locator("#end-card").ariaSnapshot(), /paragraph\s*$/m, "an empty paragraph");
    await tab.assertAccessible();
    await page.click("#end-rematch");
    await tab.waitUntilIdle();
    const players = await page.locator(".side select").evaluateAll((selects) =>
        Object.fromEntries(selects.map((select) => [select.dataset.side, select.value])));
    assert.deepEqual(players, { 0: "engine", 1: "person" });
    assert.equal(await tab.textOf("aim"), "Aim: reach the opposite edge with your pawn. You are Black.");
    assert.deepEqual([await tab.isVisible("rematch"), await tab.isVisible("end-card")], [false, false]);
    await tab.close();
});

test("between two people the winner is named, and the game is reviewed from its end", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", WON);
    await tab.clickSite("d9");
    assert.match(await tab.textOf("status"), /White has won: its pawn has reached rank 9\.$/);
    assert.equal(await tab.textOf("aim"), "Aim: reach the opposite edge with your pawn.");
    await page.click("#end-review");
    // The results are below the card.
    assert.equal(await tab.isVisible("end-card"), false);
    await page.waitForSelector("#review-result:not([hidden])");
    assert.equal(await page.locator("#tallies li").count(), 2);
    // A card that is gone does not come back, and a game that is opened after its end has none.
    await page.click("#back");
    await page.click("#last");
    await tab.waitUntilIdle();
    assert.equal(await tab.isVisible("end-card"), false);
    await page.click("#undo");
    await tab.waitUntilIdle();
    await tab.clickSite("d9");
    await page.keyboard.press("Escape");
    assert.equal(await tab.isVisible("end-card"), false);
    await tab.loadGame("quoridor", `${WON} d9`);
    assert.equal(await tab.isVisible("end-card"), false);
    await tab.close();
});

test("on a phone the final position stays visible, and the pieces in hand are drawn", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    await tab.loadGame("quoridor", WON);
    await page.evaluate(() => scrollTo(0, 0));
    const before = await page.locator("#board").boundingBox();
    assert.equal(await page.locator("#near .icon:visible").count(), 10);
    await tab.clickSite("d9");
    await page.locator("#end-card").waitFor();
    assert.equal(await overlap(tab, "end-card", "board"), false);
    assert.deepEqual(await page.locator("#board").boundingBox(), before);
    await page.click("#end-close");
    assert.equal(await tab.isVisible("end-card"), false);
    await tab.close();
});

test("players and teams of four are named for people", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor", { Quoridor_Players: "4", Quoridor_Teams: "true" }, 0);
    assert.match(await tab.textOf("aim"),
        /You are Player 1\. Player 1 and Player 3 play against Player 2 and Player 4\.$/);
    assert.match(await tab.textOf("near"), /^Player 1team 1/);
    assert.match(await tab.textOf("left"), /^Player 2team 2/);
    assert.equal(await tab.textOf("status"), "Player 1 is to move.");
    await tab.close();
});

test("the reason against a move has no ids, and the note disappears when it no longer applies", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("alquerque");
    const type = async (text) => {
        await page.fill("#move", text);
        await page.keyboard.press("Enter");
        await tab.waitUntilIdle();
        return tab.textOf("note");
    };
    assert.equal(await type("a1b2"), "That is not possible: a checker stands on b2.");
    await page.click("#show-rule");
    const rule = page.locator("#rules-page :focus");
    await rule.waitFor();
    assert.match(await tab.textOf("show-rule"), /^Read rule REQ\.\d+$/);
    assert.ok((await rule.textContent()).endsWith(`[${(await tab.textOf("show-rule")).slice(10)}]`));
    await page.fill("#move", "c");
    assert.deepEqual([await tab.textOf("note"), await tab.isVisible("show-rule")], ["", false]);
    assert.match(await type("nonsense!"), /^“nonsense!” is not a move in the notation of this game/);
    assert.equal(await type(""), "Type a move first.");
    await tab.clickSite("a1");
    await tab.clickSite("e5");
    const note = await tab.textOf("note");
    assert.ok(note !== "" && !/REQ|column/.test(note), note);
    await tab.clickSite("b2");
    assert.equal(await tab.textOf("note"), "");
    assert.deepEqual(await type("b2 c3"), "");
    assert.deepEqual((await tab.snapshot()).moves, ["b2c3"]);
    await tab.close();
});
