/**
 * The engine's analysis of the viewed position. Its lines, its moves on the board and the evaluation
 * bar always belong to this position.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { drawing, GameTab, SAMPLE_GAMES, seededRandom, setUpBrowser } from "./page.js";

/** The minimum and the maximum number of steps. On a busy machine, few positions get lines in time. */
const STEPS = 200;
const MOST_STEPS = 2000;
/** The maximum number of moves that a line shows. */
const MOST_MOVES = 10;

const suite = setUpBrowser();

/** Records everything that the analysis shows, together with the position that the page names. */
function recordAnalysis() {
    const samples = window.samples = { shown: new Set(), positions: new Set(), times: [] };
    const all = (selector) => [...document.querySelectorAll(selector)];
    const take = () => {
        samples.times.push(performance.now());
        const lines = all("#lines li:not([hidden])").map((item) => ({
            score: item.querySelector(".score").textContent,
            moves: [...item.querySelectorAll("button:not([hidden])")].map((button) => button.textContent),
        }));
        const { line } = document.getElementById("moves").dataset;
        const labels = all("#board .advice .label text").map((text) => text.textContent);
        const bar = document.querySelector("#bar .words")?.textContent;
        if (lines.length + labels.length === 0) return;
        samples.positions.add(line);
        samples.shown.add(JSON.stringify({ line, lines, labels, bar }));
    };
    for (const id of ["lines", "evaluation", "bar", "board"]) {
        const watched = id === "board" ? document.querySelector("#board .advice") : document.getElementById(id);
        new MutationObserver(take).observe(watched, { childList: true, characterData: true, subtree: true });
    }
}

for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
    test(`the analysis never shows lines of another position: ${game}`, async (context) => {
        const tab = await GameTab.open(suite);
        const { page } = tab;
        const engine = new EngineSession(game);
        context.after(() => engine.close());
        await tab.loadGame(game, moves);
        await page.keyboard.press("a");
        await page.keyboard.press("5");
        await page.evaluate(recordAnalysis);
        const number = seededRandom(5);
        await page.click("#first");
        const least = Math.min(9, moves.split(" ").length);
        let seen = 0;
        for (let step = 0; step < STEPS || (seen < least && step < MOST_STEPS); step += 1) {
            const id = number(9) < (step % 40 < 20 ? 6 : 3) ? "forward" : "back";
            seen = await page.evaluate((id) => {
                document.getElementById(id).click();
                return window.samples.positions.size;
            }, id);
            if (number(3) === 0) await page.waitForTimeout(number(120));
        }
        const samples = await page.evaluate(() => [...window.samples.shown].map((text) => JSON.parse(text)));
        const reports = await page.evaluate(() => window.watch.reports);
        const [{ sides }] = await engine.query("board");
        const positions = new Set();
        for (const { line, lines, labels, bar } of samples) {
            const position = `startpos moves ${line}`.trim();
            positions.add(position);
            const [scene] = await engine.query(`scene ${position}`);
            const known = reports[position] ?? [];
            for (const { score, moves: shown } of lines) {
                // The engine accepts only legal moves.
                await engine.query(`scene ${position} ${shown.join(" ")}`);
                const found = known.some(({ score: reported, moves: text }) =>
                    shown.join(" ") === text.split(" ").slice(0, MOST_MOVES).join(" ")
                        && score === expectedScore(reported, scene.turn === sides[0], score));
                assert.ok(found, `${position}: ${score} ${shown} is none of ${JSON.stringify(known.slice(-9))}`);
            }
            if (lines.length > 0) assert.equal(bar, lines[0].score, position);
            // The scores are only in the list.
            assert.ok(labels.length <= lines.length && labels.every((label) => /^[1-5]$/.test(label)), `${labels}`);
        }
        assert.ok(positions.size >= least, `${positions.size} positions were seen`);
        context.diagnostic(`${samples.length} states of ${positions.size} positions were seen`);
        await tab.close();
    });
}

/** Returns the notation of an estimate. Other scores are words. */
function expectedScore(score, first, shown) {
    const [kind, value] = score.split(" ");
    const cp = first ? Number(value) : -Number(value);
    if (kind === "mate") return / in \d+$/.test(shown) ? shown : "";
    if (Math.abs(cp) >= 7000 || cp === 0) return shown;
    return `${cp < 0 ? "−" : "+"}${(Math.abs(cp) / 100).toFixed(2)}`;
}

test("the analysis updates at most ten times per second", async (context) => {
    const tab = await GameTab.open(suite);
    await tab.startGame("alquerque");
    await tab.page.keyboard.press("a");
    await tab.waitForAnalysis();
    await tab.page.evaluate(recordAnalysis);
    await tab.page.waitForTimeout(4000);
    const times = await tab.page.evaluate(() => window.samples.times);
    // Changes at the same time count as one update.
    const updates = times.filter((time, index) => index === 0 || time - times[index - 1] > 20);
    const within = (start) => updates.filter((time) => time >= start && time < start + 1000).length;
    const most = Math.max(...updates.map(within));
    assert.ok(most <= 10 && updates.length > 2, `${most} of ${updates.length}`);
    context.diagnostic(`${updates.length} updates in 4 s, at most ${most} in one`);
    await tab.close();
});

test("analysis is off at first, and one key shows and hides it", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor");
    const seen = () => page.evaluate(() => ({
        on: document.getElementById("analysing").checked,
        bar: !document.getElementById("bar").hidden,
        lines: document.querySelectorAll("#lines li:not([hidden])").length,
        labels: document.querySelectorAll("#board .advice > *").length,
        evaluation: document.getElementById("evaluation").textContent !== "",
        searching: window.watch.reports["startpos moves"] !== undefined,
    }));
    const nothing = { on: false, bar: false, lines: 0, labels: 0, evaluation: false };
    assert.deepEqual(await seen(), { ...nothing, searching: false });
    const board = await page.locator("#board").boundingBox();
    await page.keyboard.press("a");
    await tab.waitForAnalysis(4, 3);
    assert.deepEqual(await page.locator("#board").boundingBox(), board, "the board keeps its size");
    // A line whose moves do not all fit ends in an ellipsis, and no move is cut.
    const lines = await page.locator("#lines li:not([hidden])").evaluateAll((items) => items.map((item) => {
        const { right, bottom } = item.querySelector(".moves").getBoundingClientRect();
        const buttons = [...item.querySelectorAll("button:not([hidden])")];
        const boxes = buttons.map((button) => button.getBoundingClientRect());
        const isShown = (box) => box.top < bottom;
        return { isCut: boxes.filter(isShown).some((box) => box.right > right + 1 || box.bottom > bottom + 1),
            isLong: !boxes.every(isShown), end: getComputedStyle(item, "::after").content };
    }));
    assert.ok(lines.every(({ isCut, isLong, end }) => !isCut && (!isLong || end === '"…"')), JSON.stringify(lines));
    // The board shows a move as soon as its details are known. So it may show fewer moves for a moment.
    await page.waitForFunction(() => document.querySelectorAll("#board .advice > *").length === 6);
    const now = { ...await seen(), labels: 6 };
    assert.deepEqual(now, { on: true, bar: true, lines: 3, labels: 6, evaluation: true, searching: true });
    await page.keyboard.press("2");
    await page.waitForFunction(() => document.querySelectorAll("#lines li:not([hidden])").length === 2);
    assert.equal(await page.inputValue("#line-count"), "2");
    await page.keyboard.press("a");
    assert.deepEqual(await seen(), { ...nothing, searching: true });
    // A new game is played without the engine's advice.
    await page.keyboard.press("a");
    await tab.startGame("roses");
    assert.equal((await seen()).on, false);
    await tab.close();
});

test("there is no analysis while the engine is to move", async () => {
    // The engine takes its time, so that the page can be seen meanwhile.
    const tab = await GameTab.open(suite, {}, () => localStorage.setItem("settings", '{"pace":true}'));
    const { page } = tab;
    await tab.startGame("quoridor", {}, 0);
    await page.keyboard.press("a");
    await tab.waitForAnalysis();
    await tab.clickSite("e2");
    assert.match(await tab.textOf("evaluation"), /The engine is to move/);
    assert.equal(await page.locator("#lines li:visible").count(), 0);
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await tab.waitForAnalysis();
    await tab.close();
});

test("a line is previewed under the pointer and the focus, and becomes a variation", async (context) => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const engine = new EngineSession("quoridor");
    context.after(() => engine.close());
    const [board] = await engine.query("board");
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await page.click("#first");
    await page.keyboard.press("a");
    await tab.waitForAnalysis(5, 3);
    const previewed = () => page.evaluate(() => {
        const preview = document.getElementById("preview");
        if (preview.hasAttribute("hidden")) return null;
        return [...preview.querySelectorAll(".pieces > .piece")]
            .map((piece) => `${piece.getAttribute("class")} ${piece.getAttribute("transform")}`).sort();
    });
    const shows = async (moves) => {
        await tab.waitUntilIdle();
        const [scene] = await engine.query(`scene startpos moves ${moves.join(" ")}`);
        assert.deepEqual(await previewed(), drawing(board, scene).pieces, moves);
    };
    const line = (row) => page.locator(`#lines li:nth-child(${row}) button:visible`).allTextContents();
    const before = (await tab.snapshot()).pieces;
    assert.equal(await previewed(), null);
    await page.locator("#lines li:nth-child(2) button").nth(2).hover();
    const second = await line(2);
    await shows(second.slice(0, 3));
    await page.waitForTimeout(400);
    assert.deepEqual(await line(2), second);
    // The rest of the row shows the whole line.
    const row = await page.locator("#lines li:nth-child(2)").boundingBox();
    await page.mouse.move(row.x + row.width - 2, row.y + row.height / 2);
    await shows(second);
    // The board below does not change. The preview covers neither the sides nor the moves.
    assert.deepEqual((await tab.snapshot()).pieces, before);
    const [near, caption] = await Promise.all(["near", "preview-caption"].map((id) => page.locator(`#${id}`)
        .boundingBox()));
    assert.ok(caption.height > 0 && caption.y >= near.y + near.height, JSON.stringify([near, caption]));
    await page.mouse.move(5, 5);
    assert.equal(await previewed(), null);

    await page.keyboard.press("l");
    await shows((await line(1)).slice(0, 1));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await shows((await line(2)).slice(0, 2));
    const chosen = (await line(2)).slice(0, 2);
    await page.keyboard.press("Enter");
    const now = await tab.snapshot();
    assert.deepEqual([now.line, now.moves, await previewed()], [chosen, SAMPLE_GAMES.quoridor.split(" "), null]);
    // The focus stays in the list, so that the lines of the next position can be chosen.
    await tab.waitForAnalysis();
    await page.waitForFunction(() => document.activeElement.closest("#lines li"));
    await page.keyboard.press("a");
    assert.equal(await previewed(), null);
    await tab.close();
});

test("the lines do not change while a mouse button is pressed", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await page.click("#first");
    await page.keyboard.press("a");
    await tab.waitForAnalysis(5, 3);
    await page.locator("#review").hover();
    await page.mouse.down();
    const state = () => page.evaluate(() => ({
        lines: document.getElementById("lines").textContent, reports: window.watch.reports["startpos moves"].length,
    }));
    const { lines, reports } = await state();
    await page.waitForFunction((reports) => window.watch.reports["startpos moves"].length > reports, reports);
    assert.equal((await state()).lines, lines);
    await page.mouse.up();
    await page.waitForFunction((lines) => document.getElementById("lines").textContent !== lines, lines);
    // After the click, the review is running or has already ended.
    await page.waitForFunction(() => document.getElementById("review-progress").textContent !== ""
        || !document.getElementById("review-result").hidden);
    await tab.close();
});

test("a deeper search has no limit, and ends with the position", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("bushka");
    const deeper = page.locator("#deeper");
    assert.ok(await deeper.isDisabled());
    await page.keyboard.press("a");
    await page.keyboard.press("1");
    // A search of some seconds ends by itself.
    await page.waitForFunction(() => /depth \d+$/.test(document.getElementById("evaluation").textContent));
    const depth = async () => Number(/depth (\d+)/.exec(await tab.textOf("evaluation"))[1]);
    const before = await depth();
    await deeper.click();
    assert.ok(await deeper.isDisabled());
    // It restarts from depth 1. The earlier lines stay until it has reached their depth.
    await page.waitForTimeout(300);
    assert.ok(await depth() >= before);
    assert.match(await tab.textOf("evaluation"), /…$/);
    await page.keyboard.press("f");
    assert.ok(await deeper.isDisabled());
    await tab.close();
});

test("the bar has the first side's perspective, turns with the board, and shows proven results", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const bar = () => page.evaluate(() => {
        const bar = document.getElementById("bar");
        const firstPart = bar.querySelector(".part.side-0").getBoundingClientRect();
        const { left, right, width } = bar.getBoundingClientRect();
        return {
            text: bar.getAttribute("aria-valuetext"), now: Number(bar.getAttribute("aria-valuenow")),
            share: firstPart.width / width, isLeft: firstPart.left < left + 3, isRight: firstPart.right > right - 3,
            words: bar.querySelector(".words").textContent,
        };
    });
    await tab.startGame("quoridor", { Quoridor_Walls: "0" });
    await tab.setUpPosition("e8d5 - w 0/0 20");
    await page.keyboard.press("a");
    await tab.waitForAnalysis();
    let { text, now, share, isLeft, words } = await bar();
    assert.match(text, /^White wins in 1 move, proven$/);
    assert.deepEqual([now, share > 0.97, isLeft, words], [100, true, true, "White in 1"]);
    await tab.setUpPosition("d5e2 - b 0/0 20");
    await tab.waitForAnalysis();
    ({ text, now, share } = await bar());
    assert.deepEqual([text, now, share < 0.03], ["Black wins in 1 move, proven", 0, true]);
    await page.click("#flip");
    await tab.setUpPosition("e8d5 - w 0/0 20");
    await tab.waitForAnalysis();
    const { isRight } = await bar();
    assert.ok(isRight, "the first side's share is on the right of a flipped board");

    await tab.loadGame("roses", "d3 c5");
    await page.keyboard.press("a");
    await tab.waitForAnalysis();
    await page.waitForFunction(() => document.getElementById("bar").getAttribute("aria-valuetext") === "drawn, proven");
    assert.equal((await bar()).now, 50);
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await page.keyboard.press("a");
    assert.deepEqual([(await bar()).text, (await bar()).now], ["White has won", 100]);
    assert.equal(await page.locator("#lines li:visible").count(), 0);
    await tab.close();
});
