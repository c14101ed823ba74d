/** The numbers that players count are those of the viewed position, and of a move that the board previews. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { GameTab, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the rows of the table, and the paths on the board. @param {GameTab} tab */
const shownCounts = ({ page }) => page.evaluate(() => ({
    rows: [...document.querySelectorAll("#counts-table tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent)),
    paths: [...document.querySelectorAll("#board .counts .core")].map((path) =>
        path.getAttribute("d").split("L").length),
}));

/** Returns the rows and paths that belong to a response of the engine. */
function expectedCounts(counts, move) {
    const change = ({ added }) => (added ? ` (${added > 0 ? "+" : "−"}${Math.abs(added)})` : "");
    const cell = ({ value, after }) => (after ? `${after.value ?? "none"}${change(after)}` : String(value ?? "none"));
    const labels = [...new Set(counts.map(({ label }) => label))];
    const rows = labels.map((label) => [label, ...counts.filter((count) => count.label === label).map(cell)]);
    const sites = counts.filter(({ path }) => path).map((count) => (count.after ?? count).sites.length);
    return { heading: move ? `After ${move}` : "", rows, paths: sites.filter((length) => length > 1) };
}

for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
    test(`the panel shows the counts of the viewed position: ${game}`, async (context) => {
        const tab = await GameTab.open(suite);
        const engine = new EngineSession(game);
        context.after(() => engine.close());
        await tab.loadGame(game, moves);
        await tab.page.keyboard.press("c");
        const list = moves.split(" ");
        for (const count of [list.length, list.length - 1, list.length - 2]) {
            await tab.waitUntilIdle();
            await engine.send(`position startpos moves ${list.slice(0, count).join(" ")}`);
            const [counts] = await engine.query("counts");
            const { rows, paths } = await shownCounts(tab);
            const expected = expectedCounts(counts);
            assert.deepEqual([rows.slice(1), paths], [expected.rows, expected.paths], `after ${count} moves`);
            await tab.page.keyboard.press(",");
        }
        await tab.page.keyboard.press("c");
        await tab.waitUntilIdle();
        assert.deepEqual(await shownCounts(tab), { rows: [], paths: [] });
    });
}

test("a move under the pointer shows what it changes", async (context) => {
    const tab = await GameTab.open(suite);
    const engine = new EngineSession("quoridor");
    context.after(() => engine.close());
    await tab.loadGame("quoridor", "e2 e8");
    await tab.page.keyboard.press("c");
    await engine.send("position startpos moves e2 e8");
    const [counts] = await engine.query("counts e2h");
    const { heading, rows, paths } = expectedCounts(counts, "e2h");
    assert.equal(rows[0][1], "8 (+1)");
    await tab.page.mouse.move(...await tab.sitePoint("e2h"));
    await tab.page.waitForFunction((heading) =>
        document.querySelector("#counts-table td").textContent === heading, heading);
    assert.deepEqual(await shownCounts(tab), { rows: [[heading, "White", "Black"], ...rows], paths });
});
