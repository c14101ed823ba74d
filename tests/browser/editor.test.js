/** The position editor checks typed text at once. Neither moves nor another game overwrite it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEEDS_SERVER, setUp, Table } from "./page.js";

const own = setUp();

/** Waits until the verdict on the typed text matches a pattern. */
function judged({ page }, expected) {
    return page.waitForFunction((expected) =>
        new RegExp(expected).test(document.getElementById("fen-verdict").textContent), expected);
}

test("an invalid position is explained and cannot be played", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    await table.unfold("position");
    for (const [text, verdict, place] of [
        ["e1", "Position text: expected the walls, found the end", "…"],
        ["e2e9 - x 10/10 1", "Position text: .*found 'x'", "x 10/10 1"], ["", "Type or paste"],
    ]) {
        await page.fill("#fen", text);
        await judged(table, verdict);
        assert.deepEqual(await page.locator("#fen-verdict mark").allTextContents(), place ? [place] : []);
        assert.equal(await page.isDisabled("#fen-play"), true, text);
    }
    await page.fill("#fen", "e4e8 - b 10/10 3");
    await judged(table, "can be played");
    await page.click("#fen-play");
    assert.match((await table.shown()).status, /Black is to move/);
    // A decided position can be viewed.
    await page.fill("#fen", "e9e8 - b 10/10 3");
    await judged(table, "is decided");
    await page.click("#fen-play");
    assert.match((await table.shown()).status, /White has won/);
    await table.close();
});

test("the field follows the game unless a position is typed, which another game checks again", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    await table.unfold("position");
    await table.click("e2");
    assert.equal(await page.inputValue("#fen"), "e2e9 - b 10/10 1");
    await page.fill("#fen", "e4e8 - b 10/10 3");
    await judged(table, "can be played");
    await table.click("e8");
    assert.equal(await page.inputValue("#fen"), "e4e8 - b 10/10 3");
    assert.equal(await page.isDisabled("#fen-play"), false);
    await table.begin("alcaxar");
    assert.equal(await page.inputValue("#fen"), "e4e8 - b 10/10 3");
    await judged(table, "Position text: ");
    assert.equal(await page.isDisabled("#fen-play"), true);
    await table.close();
});

test("a long file and one without a record are rejected, and the game continues", { skip: NEEDS_SERVER }, async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    await table.click("e2");
    await table.unfold("position");
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
    await table.unfold("console");
    await page.fill("#console-line", "x".repeat(3 << 20));
    await page.press("#console-line", "Enter");
    await page.locator("#console-log").getByText("It is longer than 1 MiB").waitFor();
    await table.click("e8");
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    assert.equal(await page.evaluate(() => window.watch.sockets.length), 1);
    await table.close();
});

test("a record that cannot be loaded is explained, and the game continues", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    await table.click("e2");
    await table.unfold("position");
    const selected = () => page.locator("#record").evaluate((field) =>
        (document.activeElement === field ? field.value.slice(field.selectionStart, field.selectionEnd) : null));
    for (const [text, why, place] of [
        ['[Game "quoridor"]\n1. e2 {e5} e5 *', /^The record cannot be loaded: move 2, e5, is/, "e5"],
        ['[Game "quoridor"]\n1. e2 {', /: line 2: expected a comment that ends in \}, found '\{'\.$/, "{"],
        ["hello", /: the record has no tag Game\.$/, ""],
    ]) {
        await page.fill("#record", text);
        await page.click("#record-load");
        await table.settled();
        assert.match(await page.textContent("#record-verdict"), why);
        assert.equal(await selected(), place);
    }
    await page.locator("#record").press("End");
    await page.keyboard.type("!");
    assert.equal(await page.textContent("#record-verdict"), "");
    assert.deepEqual((await table.shown()).moves, ["e2"]);
    await table.click("e8");
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    await table.close();
});

test("a pasted record is not overwritten until the panel is closed", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    await page.evaluate(() => (window.watch.held = []));
    await page.locator("#position").evaluate((panel) => (panel.open = true));
    await page.waitForFunction(() => window.watch.asked.some(({ ask }) => ask === "record"));
    const pasted = '[Game "roses"]\nd3 *';
    await page.fill("#record", pasted);
    await table.deliver();
    await table.settled();
    assert.equal(await page.inputValue("#record"), pasted);
    await table.click("e2");
    await table.settled();
    assert.equal(await page.inputValue("#record"), pasted);
    await page.locator("#position").evaluate((panel) => (panel.open = false));
    await table.unfold("position");
    await page.waitForFunction(() => document.getElementById("record").value.includes("e2 *"));
    await page.fill("#record", pasted);
    await page.click("#record-load");
    await page.waitForFunction(() => document.getElementById("record").value.includes("1. d3 *"));
    await table.click("c5");
    await page.waitForFunction(() => document.getElementById("record").value.includes("1. d3 c5 *"));
    await table.close();
});

test("a paste replaces selected text that changes meanwhile", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("quoridor");
    await table.unfold("position");
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
    await table.close();
});
