/** The button for a diagram. It saves the diagram of the program in the style of the page. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** The properties that make up the style of an element. */
const STYLE_PROPERTIES = ["fill", "stroke", "strokeWidth", "fillOpacity"];

/** Some classes of each kind of element. The styles of these elements are compared. */
const STYLED_ELEMENTS = [".ground", ".site", ".piece .body", ".piece .emblem", ".labels text", ".lines line", ".was"];

/** Returns the style of the elements below an element, by their classes and indices. */
function stylesOf(root, [drawn, names]) {
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
        const tab = await GameTab.open(suite);
        const { page } = tab;
        const engine = new EngineSession(game);
        context.after(() => engine.close());
        await tab.loadGame(game, moves.join(" "));
        await tab.openPanel("position");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture-save")]);
        assert.equal(download.suggestedFilename(), `${game}.svg`);
        const svg = await readFile(await download.path(), "utf8");
        const [answer] = await engine.ask(`query diagram startpos moves ${moves.join(" ")}`);
        assert.equal(svg, JSON.parse(answer.replace("response ", "")));
        const shown = await page.locator("#board").evaluate(stylesOf, [STYLED_ELEMENTS, STYLE_PROPERTIES]);
        const picture = await tab.page.context().newPage();
        await picture.setContent(svg);
        const drawn = await picture.locator("svg").evaluate(stylesOf, [STYLED_ELEMENTS, STYLE_PROPERTIES]);
        assert.ok(Object.keys(shown).length > 20, Object.keys(shown).join());
        assert.deepEqual(drawn, shown);
        await picture.close();
        await page.click("#flip");
        const [flipped] = await Promise.all([page.waitForEvent("download"), page.click("#picture-save")]);
        const [other] = await engine.ask(`query diagram flip startpos moves ${moves.join(" ")}`);
        assert.equal(await readFile(await flipped.path(), "utf8"), JSON.parse(other.replace("response ", "")));
        await tab.close();
    });
}
