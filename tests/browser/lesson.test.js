/** The lesson of each game. It is played to its end by clicks, by keys, and with mistakes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clicksOfMove } from "./engine.js";
import { GameTab, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the tasks of a game. */
const tasksOf = async (tab, game) => (await tab.ask({ game, ask: "lesson" })).lesson.tasks;

for (const game of Object.keys(SAMPLE_GAMES)) {
    test(`the lesson of ${game} by clicks, and a first game after it`, async () => {
        const tab = await GameTab.open(suite);
        const { page } = tab;
        await tab.startGame(game);
        await page.click("#learn-first");
        await tab.waitUntilIdle();
        const tasks = await tasksOf(tab, game);
        for (const [index, task] of tasks.entries()) {
            assert.equal(await tab.textOf("lesson-progress"), `${index + 1} of ${tasks.length}`);
            assert.equal(await tab.textOf("lesson-task"), task.text);
            assert.equal(await tab.isVisible("lesson-next"), false);
            await tab.makeMove(await clicksOfMove(game, task.fen, [], task.moves[0]));
            assert.equal(await tab.textOf("lesson-said"), task.done);
            // No move is possible before the next task.
            assert.deepEqual((await tab.snapshot()).selectable, []);
            await page.click("#lesson-next");
            await tab.waitUntilIdle();
        }
        assert.equal(await tab.isVisible("lesson"), false);
        const { moves } = await tab.snapshot();
        assert.deepEqual(moves, []);
        await page.click("#new");
        assert.equal(await page.inputValue("#setup-level"), "beginner");
        await page.keyboard.press("Escape");
        await tab.close();
    });
}

test("a wrong move is taken back, a hint is shown, and the suspended game is restored", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", "e2 e8 e3 e7");
    const before = await tab.snapshot();
    await page.click("#learn");
    await tab.waitUntilIdle();
    const [first] = await tasksOf(tab, "quoridor");
    await page.click("#lesson-hint");
    assert.equal(await tab.textOf("lesson-said"), first.hint);
    const { pieces } = await tab.snapshot();
    await tab.makeMove(["d1"]);
    assert.match(await tab.textOf("lesson-said"), /does not solve the task/);
    assert.equal(await tab.isVisible("lesson-next"), false);
    await page.waitForFunction(() => document.querySelector("#lesson-said").className === "task");
    assert.deepEqual((await tab.snapshot()).pieces, pieces);
    await tab.makeMove(["e2"]);
    assert.equal(await tab.textOf("lesson-said"), first.done);
    await page.click("#lesson-leave");
    await tab.waitUntilIdle();
    const after = await tab.snapshot();
    for (const part of ["moves", "line", "pieces", "selectable", "status"]) {
        assert.deepEqual(after[part], before[part], part);
    }
    // The game continues unchanged.
    await tab.makeMove(["e4"]);
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3", "e7", "e4"]);
    await tab.close();
});

test("a page that is reloaded in a lesson shows the suspended game", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", "e2 e8 e3 e7");
    await page.click("#learn");
    await tab.waitUntilIdle();
    await tab.makeMove(["e2"]);
    await tab.reload();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3", "e7"]);
    await tab.close();
});

test("a lesson by keys only", async () => {
    const tab = await GameTab.open(suite);
    const { page, page: { keyboard } } = tab;
    await tab.startGame("quoridor");
    while (await page.evaluate(() => document.activeElement.id) !== "learn-first") await keyboard.press("Tab");
    await keyboard.press("Enter");
    await tab.waitUntilIdle();
    await keyboard.press("h");
    const tasks = await tasksOf(tab, "quoridor");
    assert.equal(await tab.textOf("lesson-said"), tasks[0].hint);
    for (const { moves, done } of tasks) {
        await keyboard.press("b");
        const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-site"));
        while (await focused() !== moves[0]) await keyboard.press("PageDown");
        await keyboard.press("Enter");
        await tab.waitUntilIdle();
        assert.equal(await tab.textOf("lesson-said"), done);
        // The button for the next task has the focus.
        await keyboard.press("Enter");
        await tab.waitUntilIdle();
    }
    assert.equal(await tab.isVisible("lesson"), false);
    await tab.close();
});

for (const [width, height] of [[1280, 800], [360, 740]]) {
    test(`a lesson is accessible at ${width}x${height}, and its task and board fit`, async () => {
        const tab = await GameTab.open(suite, { viewport: { width, height } });
        const { page } = tab;
        await page.click("#learn-first");
        await tab.waitUntilIdle();
        await tab.assertAccessible();
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(sideways, false);
        await tab.close();
    });
}
