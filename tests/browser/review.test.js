/**
 * The review of a game. The tests compare its results with `pentarch analyse FILE`, and check its graph and the
 * turning points.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { PROGRAM } from "./engine.js";
import { GameTab, NEEDS_SERVER, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the results of `pentarch analyse FILE` for the moves and for the whole game. */
async function programReview(game, moves) {
    const folder = await mkdtemp(join(tmpdir(), "review-"));
    const file = join(folder, "game.txt");
    await writeFile(file, `[Game "${game}"]\n${moves} *\n`);
    const { stdout } = await promisify(execFile)(PROGRAM, ["analyse", file, "--json"]);
    await rm(folder, { recursive: true });
    const lines = stdout.trim().split("\n").map((line) => JSON.parse(line));
    return { moves: lines.slice(0, -1), whole: lines.at(-1) };
}

/** Waits until a game is reviewed. */
async function reviewGame(tab) {
    await tab.openPanel("analysis");
    await tab.page.evaluate(() => document.activeElement.blur());
    await tab.page.keyboard.press("r");
    await tab.page.waitForFunction(() => !document.getElementById("review-result").hidden);
}

/** Returns the names of the buttons of mistakes, without a turning point's words. The visible text is only the move. */
const momentNames = (page, selector) => page.locator(selector).evaluateAll((buttons) =>
    buttons.map((button) => button.getAttribute("aria-label").replace("Turning point: ", "")));

for (const [game, moves] of Object.entries(SAMPLE_GAMES)) {
    // A search in slices visits other nodes than an uninterrupted search.
    test(`the review of a game of ${game} equals 'pentarch analyse'`, { skip: NEEDS_SERVER }, async (context) => {
        const tab = await GameTab.open(suite);
        const { page } = tab;
        await tab.loadGame(game, moves);
        await reviewGame(tab);
        const { moves: verdicts, whole } = await programReview(game, moves);
        const marks = await page.evaluate(() => [...document.querySelectorAll("#moves button")]
            .map((button) => button.querySelector(".mark-of-move")?.textContent ?? ""));
        assert.deepEqual(marks, verdicts.map(({ mark }) => mark));
        const tallies = await page.locator("#tallies li").allTextContents();
        const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
        const summed = ({ side, mistakes, blunders }) =>
            `${side}: ${counted(mistakes, "mistake")}, ${counted(blunders, "blunder")}`;
        const texts = tallies.map((text) => text.toLowerCase().replace(/accuracy \S+ %, /, ""));
        assert.deepEqual(texts, whole.sides.map(summed));
        tallies.forEach((text, side) => {
            const [, accuracy] = /accuracy (\S+) %/.exec(text);
            assert.ok(Math.abs(Number(accuracy) - 100 * whole.sides[side].accuracy) < 0.51, text);
        });
        const moments = await momentNames(page, "#moments button");
        const expected = verdicts.filter(({ mark }) => mark !== "").map((verdict) => {
            const { number, side, move, mark, lost, best, race, reason } = verdict;
            const dots = side === whole.sides[0].side ? "." : "…";
            const steps = race === null ? "" : `; ${race.text}`;
            const cause = reason === null ? "" : `: it ${reason}`;
            const end = `${cause}; best was ${best}${steps}`;
            return [`${number}${dots} ${move}${mark} cost `, Math.round(100 * lost), end];
        });
        assert.equal(moments.length, expected.length);
        expected.forEach(([start, lost, end], index) => {
            const [, percent] = /(\d+) %/.exec(moments[index]);
            const [moment] = moments.slice(index);
            assert.ok(moment.startsWith(start) && moment.endsWith(end), `${moment}: ${start} ${end}`);
            // The output of the program is rounded to thousandths.
            assert.ok(Math.abs(Number(percent) - lost) <= 1, moments[index]);
        });
        const turning = await momentNames(page, "#moments .turning-point button");
        const point = whole.turning_point === null ? [] : [verdicts[whole.turning_point - 1].move];
        assert.deepEqual(turning.map((text) => /^\S+ ([^?]+)/.exec(text)[1]), point);
        context.diagnostic(`${tallies.join("; ")}; ${moments.length} moments`);
        await tab.close();
    });
}

test("a click on the graph and keys go to a position", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await reviewGame(tab);
    const moves = SAMPLE_GAMES.quoridor.split(" ");
    const graph = page.locator("#graph");
    await graph.scrollIntoViewIfNeeded();
    for (const ply of [0, 7, 12, 19, 3]) {
        const { x, y, width, height } = await graph.boundingBox();
        await page.mouse.click(x + Math.min(width - 1, (width * ply) / moves.length), y + height / 3);
        assert.deepEqual((await tab.snapshot()).line, moves.slice(0, ply));
        assert.equal(await graph.getAttribute("aria-valuenow"), String(ply));
    }
    await page.keyboard.press("b");
    await page.keyboard.press("g");
    for (const [key, ply] of [["ArrowRight", 4], ["ArrowLeft", 3], ["End", 19], ["PageDown", 9], ["Home", 0]]) {
        await page.keyboard.press(key);
        assert.deepEqual((await tab.snapshot()).line, moves.slice(0, ply), key);
    }
    assert.match(await graph.getAttribute("aria-valuetext"), /^Start: [+−]/);
    await tab.close();
});

test("a turning point leads to the position before the mistake, from which the game can continue", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 860 });
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor, 0);
    await reviewGame(tab);
    const moves = SAMPLE_GAMES.quoridor.split(" ");
    const turning = page.locator("#moments .turning-point");
    assert.ok(await tab.isVisible("turning-point"), "the frame is explained");
    const [, move] = /^\S+ ([^?]+)/.exec(await turning.textContent());
    const before = moves.slice(0, moves.lastIndexOf(move));
    // The result is above the moves and on the screen, and the graph is below the board.
    const { y: top, height } = await page.locator("#review-result").boundingBox();
    const { y: movesTop } = await page.locator("#moves").boundingBox();
    const graph = await page.locator("#graph").boundingBox();
    const board = await page.locator("#board").boundingBox();
    assert.ok(top + height < movesTop && top + height < 860 && graph.y + graph.height <= 860, "on the screen");
    assert.ok(graph.y >= board.y + board.height && graph.x + graph.width <= board.x + board.width + 1, "the graph");
    await turning.locator("button").click();
    const { line, note } = await tab.snapshot();
    assert.deepEqual(line, before);
    assert.match(note, /cost \w+ \d+ % of the chances(: .+)?; best was /);
    // People play both sides. So the engine does not move at once.
    for (const side of await page.locator(".side select").all()) await side.selectOption("person");
    await page.click("#play-on");
    const now = await tab.snapshot();
    assert.deepEqual([now.moves, now.line], [before, before]);
    // The moves and their review are still there.
    assert.ok(await page.locator("#review-result").isVisible());
    await tab.close();
});

test("a review is stopped, and dropped with its moves", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("bushka", SAMPLE_GAMES.bushka);
    await page.keyboard.press("r");
    await page.waitForFunction(() => /^[1-9]\d* of/.test(document.getElementById("review-progress").textContent));
    await page.keyboard.press("r");
    await page.waitForFunction(() => document.getElementById("review").textContent === "Review");
    assert.ok(await page.locator("#review-result").isHidden());
    await page.keyboard.press("r");
    await page.waitForFunction(() => /^[1-9]\d* of/.test(document.getElementById("review-progress").textContent));
    await tab.startGame("roses");
    assert.equal(await tab.textOf("review-progress"), "");
    assert.equal(await page.locator("#graph").getAttribute("hidden"), "");
    await tab.close();
});
