/** The lesson of each game, to its end by clicks and by keys, and with mistakes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clicksOf } from "./engine.js";
import { PLAYED, setUp, Table } from "./page.js";

const own = setUp();

/** Returns the tasks of a game. */
const tasksOf = async (table, game) => (await table.ask({ game, ask: "lesson" })).lesson.tasks;

for (const game of Object.keys(PLAYED)) {
    test(`the lesson of ${game} by clicks, and a first game after it`, async () => {
        const table = await Table.open(own);
        const { page } = table;
        await table.begin(game);
        await page.click("#learn-first");
        await table.settled();
        const tasks = await tasksOf(table, game);
        for (const [index, task] of tasks.entries()) {
            assert.equal(await table.text("lesson-progress"), `${index + 1} of ${tasks.length}`);
            assert.equal(await table.text("lesson-task"), task.text);
            assert.equal(await table.isShown("lesson-next"), false);
            await table.make(await clicksOf(game, task.fen, [], task.moves[0]));
            assert.equal(await table.text("lesson-said"), task.done);
            // No move is possible before the next task.
            assert.deepEqual((await table.shown()).open, []);
            await page.click("#lesson-next");
            await table.settled();
        }
        assert.equal(await table.isShown("lesson"), false);
        const { moves } = await table.shown();
        assert.deepEqual(moves, []);
        await page.click("#new");
        assert.equal(await page.inputValue("#setup-level"), "beginner");
        await page.keyboard.press("Escape");
        await table.close();
    });
}

test("a wrong move is taken back, a hint is shown, and the suspended game is restored", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.load("quoridor", "e2 e8 e3 e7");
    const before = await table.shown();
    await page.click("#learn");
    await table.settled();
    const [first] = await tasksOf(table, "quoridor");
    await page.click("#lesson-hint");
    assert.equal(await table.text("lesson-said"), first.hint);
    const { pieces } = await table.shown();
    await table.make(["d1"]);
    assert.match(await table.text("lesson-said"), /does not solve the task/);
    assert.equal(await table.isShown("lesson-next"), false);
    await page.waitForFunction(() => document.querySelector("#lesson-said").className === "task");
    assert.deepEqual((await table.shown()).pieces, pieces);
    await table.make(["e2"]);
    assert.equal(await table.text("lesson-said"), first.done);
    await page.click("#lesson-leave");
    await table.settled();
    const after = await table.shown();
    for (const part of ["moves", "line", "pieces", "open", "status"]) assert.deepEqual(after[part], before[part], part);
    // The game continues unchanged.
    await table.make(["e4"]);
    assert.deepEqual((await table.shown()).moves, ["e2", "e8", "e3", "e7", "e4"]);
    await table.close();
});

test("a page that is reloaded in a lesson shows the suspended game", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.load("quoridor", "e2 e8 e3 e7");
    await page.click("#learn");
    await table.settled();
    await table.make(["e2"]);
    await table.reload();
    assert.deepEqual((await table.shown()).moves, ["e2", "e8", "e3", "e7"]);
    await table.close();
});

test("a lesson by keys only", async () => {
    const table = await Table.open(own);
    const { page, page: { keyboard } } = table;
    await table.begin("quoridor");
    while (await page.evaluate(() => document.activeElement.id) !== "learn-first") await keyboard.press("Tab");
    await keyboard.press("Enter");
    await table.settled();
    await keyboard.press("h");
    const tasks = await tasksOf(table, "quoridor");
    assert.equal(await table.text("lesson-said"), tasks[0].hint);
    for (const { moves, done } of tasks) {
        await keyboard.press("b");
        const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-site"));
        while (await focused() !== moves[0]) await keyboard.press("PageDown");
        await keyboard.press("Enter");
        await table.settled();
        assert.equal(await table.text("lesson-said"), done);
        // The button for the next task has the focus.
        await keyboard.press("Enter");
        await table.settled();
    }
    assert.equal(await table.isShown("lesson"), false);
    await table.close();
});

for (const [width, height] of [[1280, 800], [360, 740]]) {
    test(`a lesson is accessible at ${width}x${height}, and its task and board fit`, async () => {
        const table = await Table.open(own, { viewport: { width, height } });
        const { page } = table;
        await page.click("#learn-first");
        await table.settled();
        await table.hasNoComplaint();
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(sideways, false);
        await table.close();
    });
}
