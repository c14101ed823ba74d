/** The button for a diagram saves the diagram of the program, in the style of the page. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Engine } from "./engine.js";
import { setUp, Table } from "./page.js";

const own = setUp();

/** The properties that make up the style of an element. */
const LOOKS = ["fill", "stroke", "strokeWidth", "fillOpacity"];

/** Some classes of each kind of element, whose style is compared. */
const DRAWN = [".ground", ".site", ".piece .body", ".piece .inner", ".labels text", ".lines line", ".was"];

/** Returns the style of the elements below an element, by their classes and indices. */
function looks(root, [drawn, names]) {
    const found = {};
    for (const selector of drawn) {
        [...root.querySelectorAll(selector)].forEach((element, index) => {
            const style = getComputedStyle(element);
            found[`${selector} ${index}`] = names.map((name) => style[name]).join(" ");
        });
    }
    delete found[".ground 0"];
    return found;
}

for (const [game, moves] of Object.entries({
    alcaxar: ["e8d9", "c6b7"],
    alquerque: ["d3c3"],
    roses: ["d3", "c5"],
    quoridor: ["e2", "e3h"],
    bushka: ["c3d4"],
})) {
    test(`a diagram of ${game} equals that of the program, and is styled as the page`, async (context) => {
        const table = await Table.open(own);
        const { page } = table;
        const engine = new Engine(game);
        context.after(() => engine.close());
        await table.load(game, moves.join(" "));
        await table.unfold("position");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture-save")]);
        assert.equal(download.suggestedFilename(), `${game}.svg`);
        const svg = await readFile(await download.path(), "utf8");
        const [answer] = await engine.ask(`query diagram startpos moves ${moves.join(" ")}`);
        assert.equal(svg, JSON.parse(answer.replace("response ", "")));
        const shown = await page.locator("#board").evaluate(looks, [DRAWN, LOOKS]);
        const picture = await table.page.context().newPage();
        await picture.setContent(svg);
        const drawn = await picture.locator("svg").evaluate(looks, [DRAWN, LOOKS]);
        assert.ok(Object.keys(shown).length > 20, Object.keys(shown).join());
        assert.deepEqual(drawn, shown);
        await picture.close();
        await page.click("#flip");
        const [flipped] = await Promise.all([page.waitForEvent("download"), page.click("#picture-save")]);
        const [other] = await engine.ask(`query diagram flip startpos moves ${moves.join(" ")}`);
        assert.equal(await readFile(await flipped.path(), "utf8"), JSON.parse(other.replace("response ", "")));
        await table.close();
    });
}
