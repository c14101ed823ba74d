/** The position editor. It checks typed text at once. Moves and other games do not overwrite the text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, NEEDS_SERVER, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Waits until the verdict on the typed text matches a pattern. */
function waitForVerdict({ page }, expected) {
    return page.waitForFunction((expected) =>
        new RegExp(expected).test(document.getElementById("fen-verdict").textContent), expected);
}

test("an invalid position is explained and cannot be played", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.openPanel("position");
    for (const [text, verdict, place] of [
        ["e1", "Position string: expected the walls, found the end", "…"],
        ["e2e9 - x 10/10 1", "Position string: .*found 'x'", "x 10/10 1"], ["", "Type or paste"],
    ]) {
        await page.fill("#fen", text);
        await waitForVerdict(tab, verdict);
        assert.deepEqual(await page.locator("#fen-verdict mark").allTextContents(), place ? [place] : []);
        assert.equal(await page.isDisabled("#fen-play"), true, text);
    }
    await page.fill("#fen", "e4e8 - b 10/10 3");
    await waitForVerdict(tab, "can be played");
    await page.click("#fen-play");
    assert.match((await tab.snapshot()).status, /Black is to move/);
    // A decided position can be viewed.
    await page.fill("#fen", "e9e8 - b 10/10 3");
    await waitForVerdict(tab, "is decided");
    await page.click("#fen-play");
    assert.match((await tab.snapshot()).status, /White has won/);
    await tab.close();
});

test("the field follows the game unless a position is typed, which another game checks again", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.openPanel("position");
    await tab.clickSite("e2");
    assert.equal(await page.inputValue("#fen"), "e2e9 - b 10/10 1");
    await page.fill("#fen", "e4e8 - b 10/10 3");
    await waitForVerdict(tab, "can be played");
    await tab.clickSite("e8");
    assert.equal(await page.inputValue("#fen"), "e4e8 - b 10/10 3");
    assert.equal(await page.isDisabled("#fen-play"), false);
    await tab.startGame("alcaxar");
    assert.equal(await page.inputValue("#fen"), "e4e8 - b 10/10 3");
    await waitForVerdict(tab, "Position string: ");
    assert.equal(await page.isDisabled("#fen-play"), true);
    await tab.close();
});

test("a long file and one without a record are rejected, and the game continues", { skip: NEEDS_SERVER }, async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await tab.openPanel("position");
    const verdict = page.locator("#record-verdict");
    const open = async (bytes, why) => {
        await page.locator("#record").dispatchEvent("input");
        assert.equal(await verdict.textContent(), "");
        const file = { name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(bytes, '"a b ') };
        await page.setInputFiles("#record-file", file);
        await verdict.getByText(why).waitFor();
    };
    await open(3_000_000, "it is longer than 1 MiB");
    await open(1_300_000, "it is longer than 1 MiB");
    // In the request, each quotation mark takes two bytes.
    await open(900_000, "it is longer than 1 MiB");
    await open(1000, "The record cannot be loaded");
    await page.fill("#fen", "x".repeat(1 << 20));
    await page.locator("#fen-verdict").getByText("it is longer than 1 MiB").waitFor();
    await tab.openPanel("console");
    await page.fill("#console-line", "x".repeat(3 << 20));
    await page.press("#console-line", "Enter");
    await page.locator("#console-log").getByText("It is longer than 1 MiB").waitFor();
    await tab.clickSite("e8");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    assert.equal(await page.evaluate(() => window.watch.connections.length), 1);
    await tab.close();
});

test("a record that cannot be loaded is explained, and the game continues", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await tab.openPanel("position");
    const selected = () => page.locator("#record").evaluate((field) =>
        (document.activeElement === field ? field.value.slice(field.selectionStart, field.selectionEnd) : null));
    for (const [text, why, place] of [
        ['[Game "quoridor"]\n1. e2 {e5} e5 *', /^The record cannot be loaded: move 2, e5, is/, "e5"],
        ['[Game "quoridor"]\n1. e2 {', /: line 2: expected a comment that ends in \}, found '\{'\.$/, "{"],
        ["hello", /: the text names no game, so it is read as quoridor: move 1, hello: expected /, "hello"],
    ]) {
        await page.fill("#record", text);
        await page.click("#record-load");
        await tab.waitUntilIdle();
        assert.match(await page.textContent("#record-verdict"), why);
        assert.equal(await selected(), place);
    }
    await page.locator("#record").press("End");
    await page.keyboard.type("!");
    assert.equal(await page.textContent("#record-verdict"), "");
    assert.deepEqual((await tab.snapshot()).moves, ["e2"]);
    await tab.clickSite("e8");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await tab.close();
});

test("lists of moves and SGF are loaded by the current rules, with a note about the rest", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.openPanel("position");
    await page.fill("#record", "1. e2 e8 2. e3 e7");
    await page.click("#record-load");
    await tab.waitUntilIdle();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3", "e7"]);
    const buffer = Buffer.from("(;PB[Zo\xeb]N[x];B[io];W[ic])", "latin1");
    await page.setInputFiles("#record-file", { name: "game.sgf", mimeType: "text/plain", buffer });
    await page.getByText("Warning: not read: N (line 1).").waitFor();
    await page.getByText("Warning: the file is not UTF-8, and was read as Latin-1.").waitFor();
    await tab.waitUntilIdle();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await tab.close();
});

test("a pasted record is not overwritten until the panel is closed", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await page.evaluate(() => (window.watch.heldResponses = []));
    await page.locator("#position").evaluate((panel) => (panel.open = true));
    await page.waitForFunction(() => window.watch.requests.some(({ ask }) => ask === "record"));
    const pasted = '[Game "roses"]\nd3 *';
    await page.fill("#record", pasted);
    await tab.deliverHeld();
    await tab.waitUntilIdle();
    assert.equal(await page.inputValue("#record"), pasted);
    await tab.clickSite("e2");
    await tab.waitUntilIdle();
    assert.equal(await page.inputValue("#record"), pasted);
    await page.locator("#position").evaluate((panel) => (panel.open = false));
    await tab.openPanel("position");
    await page.waitForFunction(() => document.getElementById("record").value.includes("e2 *"));
    await page.fill("#record", pasted);
    await page.click("#record-load");
    await page.waitForFunction(() => document.getElementById("record").value.includes("1. d3 *"));
    await tab.clickSite("c5");
    await page.waitForFunction(() => document.getElementById("record").value.includes("1. d3 c5 *"));
    await tab.close();
});

test("a paste replaces selected text that changes meanwhile", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.openPanel("position");
    for (const [id, site] of [["fen", "e2"], ["record", "e8"]]) {
        const before = await page.inputValue(`#${id}`);
        await page.locator(`#${id}`).selectText();
        await page.evaluate((site) => {
            const element = document.querySelector(`#board [data-site="${site}"]`);
            element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        }, site);
        await page.waitForFunction(([id, before]) => document.getElementById(id).value !== before, [id, before]);
        await page.keyboard.insertText("pasted");
        assert.equal(await page.inputValue(`#${id}`), "pasted");
    }
    await tab.close();
});
