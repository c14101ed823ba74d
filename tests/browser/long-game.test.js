/**
 * Measures the memory and the time of the moves of a long game. The test is skipped unless the environment variable
 * `PENTARCH_LONG_GAME` is set, because it takes some 20 seconds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const skip = process.env.PENTARCH_LONG_GAME === undefined && "PENTARCH_LONG_GAME is not set";
/** The squares to which the pawns step. They leave their first squares, and return to them. */
const STEPS = ["e2", "e8", "e1", "e9"];
/** The plies at which the page is measured. */
const PLIES = [20, 100, 200];
/** The number of moves before such a ply over which the time is averaged. */
const AVERAGED = 20;

const suite = setUpBrowser();

test("the time per move and the memory per move stay the same for 200 moves", { skip }, async (context) => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const session = await page.context().newCDPSession(page);
    // This clock stops while the thread waits, so that other programs do not change the times.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const measure = async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    await tab.startGame("quoridor");
    const found = [];
    let before = 0;
    for (let ply = 1; ply <= PLIES.at(-1); ply += 1) {
        if (PLIES.includes(ply + AVERAGED - 1)) before = (await measure()).TaskDuration;
        await tab.clickSite(STEPS[(ply - 1) % STEPS.length]);
        if (!PLIES.includes(ply)) continue;
        const time = 1000 * ((await measure()).TaskDuration - before) / AVERAGED;
        // The tests record all requests and reports.
        await page.evaluate(() => Object.assign(window.watch, { requests: [], reports: {} }));
        await session.send("HeapProfiler.collectGarbage");
        const { JSHeapUsedSize: heap, Nodes: nodes } = await measure();
        found.push({ ply, time, heap, nodes });
        context.diagnostic(`ply ${ply}: ${time.toFixed(1)} ms per move on the main thread, `
            + `${(heap / 2 ** 20).toFixed(2)} MiB of heap, ${nodes} nodes`);
    }
    assert.equal((await tab.snapshot()).moves.length, PLIES.at(-1));
    const [early, middle, late] = found;
    assert.ok(late.time < 1.5 * early.time, `${early.time} and ${late.time} ms per move`);
    for (const part of ["heap", "nodes"]) {
        const firstGrowth = (middle[part] - early[part]) / (middle.ply - early.ply);
        const lastGrowth = (late[part] - middle[part]) / (late.ply - middle.ply);
        assert.ok(lastGrowth < 1.5 * firstGrowth, `${part} per move: ${firstGrowth} and ${lastGrowth}`);
    }
    await tab.close();
});
