/**
 * Variations. A move from an earlier position makes a variation. Variations can be promoted and
 * deleted. They are saved with the game and are part of its record.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { GameTab, SAMPLE_GAMES, seededRandom, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the moves of the list, with variations in parentheses. */
function listedMoves({ page }) {
    return page.evaluate(() => [...document.querySelectorAll("#moves > li")].map((row) => {
        const moves = (element) => [...element.childNodes].flatMap((child) => (child.dataset?.move
            ?? (child.className === "nested" ? `(${moves(child)})` : [])) || []).join(" ");
        return row.className === "variation" ? `(${moves(row)})` : moves(row);
    }).join(" "));
}

test("a move from an earlier position makes a variation, which is promoted and deleted", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", "e2 e8 e3 e7");
    const look = async (line) => {
        const now = await tab.snapshot();
        assert.equal(now.line.join(" "), line);
        return now;
    };
    for (const key of [",", ",", ","]) await page.keyboard.press(key);
    await look("e2");
    // The selectable sites are those of this position.
    await tab.clickSite("d9");
    const now = await look("e2 d9");
    assert.deepEqual(now.moves, ["e2", "e8", "e3", "e7"]);
    assert.match(now.status, /variation, after 1… d9\. White is to move\.$/);
    await tab.clickSite("e3");
    await page.keyboard.press(",");
    await page.keyboard.press("m");
    await page.keyboard.type("f2");
    await page.keyboard.press("Enter");
    await look("e2 d9 f2");
    assert.equal(await listedMoves(tab), "e2 e8 (d9 e3 (f2)) e3 e7");
    // If the same move is made again, there is no further variation.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(",");
    await tab.waitUntilIdle();
    await tab.clickSite("e3");
    await look("e2 d9 e3");
    assert.equal(await listedMoves(tab), "e2 e8 (d9 e3 (f2)) e3 e7");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("]");
    await look("e2 d9 f2");
    // The first promotion moves the line up within its variation. The second one makes it the main line
    // of the game.
    await page.keyboard.press("p");
    await tab.waitUntilIdle();
    assert.equal(await listedMoves(tab), "e2 e8 (d9 f2 (e3)) e3 e7");
    await page.keyboard.press("p");
    await look("e2 d9 f2");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "d9", "f2"]);
    assert.equal(await listedMoves(tab), "e2 d9 (e8 e3 e7) f2 (e3)");
    await page.keyboard.press(",");
    await page.keyboard.press("[");
    await look("e2 e8");
    await page.keyboard.press(".");
    await look("e2 e8 e3");
    await page.keyboard.press("Delete");
    await look("e2 e8");
    assert.equal(await listedMoves(tab), "e2 d9 (e8) f2 (e3)");
    await page.click("#delete");
    await look("e2");
    assert.equal(await listedMoves(tab), "e2 d9 f2 (e3)");
    // Moves of the game itself are deleted only after a confirmation.
    await page.keyboard.press(".");
    await page.keyboard.press("Delete");
    await tab.waitUntilIdle();
    assert.equal(await listedMoves(tab), "e2 d9 f2 (e3)");
    page.once("dialog", (dialog) => dialog.accept());
    await page.keyboard.press("Delete");
    await look("e2");
    assert.equal(await listedMoves(tab), "e2");
    await tab.close();
});

test("the game restarts from an earlier position, and the moves after it become a variation", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("alcaxar", SAMPLE_GAMES.alcaxar, 0);
    await page.click("#first");
    await tab.waitUntilIdle();
    assert.equal(await page.textContent("#play-on"), "Try again from here");
    await page.keyboard.press("a");
    await page.keyboard.press("t");
    await tab.waitUntilIdle();
    // When a game against the engine begins, the analysis ends.
    assert.equal(await page.isChecked("#analysing"), false);
    assert.deepEqual((await tab.snapshot()).moves, []);
    assert.equal(await listedMoves(tab), "(e8d9 c6b7 b5a6 d7c8)");
    await page.fill("#move", "f3g2");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#moves > :not(.variation) button").length === 2);
    assert.match(await listedMoves(tab), /^f3g2 \S+ \(e8d9 c6b7 b5a6 d7c8\)$/);
    await tab.close();
});

test("variations change nothing in a game against the engine", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", {}, 0);
    await tab.clickSite("e2");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    const { moves } = await tab.snapshot();
    await page.click("#first");
    await tab.waitUntilIdle();
    await tab.clickSite("d1");
    await tab.clickSite("e8");
    const now = await tab.snapshot();
    assert.deepEqual([now.moves, now.line], [moves, ["d1", "e8"]]);
    await page.keyboard.press("u");
    const back = await tab.snapshot();
    assert.deepEqual([back.moves, back.line], [moves, ["d1"]]);
    assert.match(await listedMoves(tab), /^e2 \S+ \(d1\)$/);
    await page.evaluate(() => document.activeElement.blur());
    await page.click("#first");
    await page.click("#last");
    await tab.waitUntilIdle();
    await tab.stepWhitePawn();
    await page.waitForFunction(() => document.querySelectorAll("#moves > :not(.variation) button").length === 4);
    await tab.close();
});

test("variations are saved with the tab, and are part of the record", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("roses", "d3 c5 c3");
    const note = page.locator("#record-note");
    await tab.openPanel("position");
    assert.ok(await note.isHidden());
    await page.click("#back");
    await tab.waitUntilIdle();
    await tab.clickSite("e4");
    await page.waitForFunction(() => document.getElementById("record").value.includes("("));
    assert.ok(await note.isHidden());
    assert.match(await page.inputValue("#record"), /^1\. d3 c5 2\. c3 \(2\. e4\) \*$/m);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#record-save")]);
    assert.equal(download.suggestedFilename(), "roses.txt");
    const path = await download.path();
    assert.equal((await readFile(path, "utf8")).trim(), await page.inputValue("#record"));
    await tab.reload();
    assert.equal(await listedMoves(tab), "d3 c5 c3 (e4)");

    await tab.startGame("quoridor");
    await tab.openPanel("position");
    await page.setInputFiles("#record-file", path);
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 4);
    assert.deepEqual((await tab.snapshot()).moves, ["d3", "c5", "c3"]);
    assert.equal(await listedMoves(tab), "d3 c5 c3 (e4)");
    assert.equal(await page.textContent("#title"), "Guerre des Deux Roses");
    await tab.close();
});

for (const [game, text] of Object.entries(SAMPLE_GAMES)) {
    test(`any move in any position of a game of ${game} makes a legal variation`, async (context) => {
        const tab = await GameTab.open(suite);
        const { page } = tab;
        const engine = new EngineSession(game);
        context.after(() => engine.close());
        const moves = text.split(" ");
        await tab.loadGame(game, text);
        const number = seededRandom(9);
        for (let count = 0; count < 12; count += 1) {
            const rows = page.locator("#moves button");
            await rows.nth(number(await rows.count())).click();
            const before = await tab.snapshot();
            await engine.send(`position startpos moves ${before.line.join(" ")}`);
            const [legal] = await engine.ask("legal");
            const choices = legal.split(" ").slice(2);
            if (choices.length === 0) continue;
            const move = choices[number(choices.length)];
            await page.fill("#move", move);
            await page.keyboard.press("Enter");
            const now = await tab.snapshot();
            assert.deepEqual(now.line, [...before.line, move]);
            const [scene] = await engine.query(`scene startpos moves ${now.line.join(" ")}`);
            await tab.openPanel("position");
            assert.equal((await tab.snapshot()).fen, scene.fen);
            assert.deepEqual(now.moves.slice(0, moves.length), moves);
        }
        await tab.close();
    });
}
