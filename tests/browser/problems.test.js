/** Problems and turning points: solutions, refutations, hints, stored results and links. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clicksOf } from "./engine.js";
import { NEEDS_FILES, NEEDS_SERVER, PHONE, PLAYED, setUp, Table } from "./page.js";

const own = setUp();

/** Returns the list of a game's problems, and a problem with its solution. */
const problemsOf = async (table, game) => (await table.ask({ game, ask: "problems" })).problems;
const problemOf = async (table, game, problem) => (await table.ask({ game, problem, ask: "problem" })).problem;

/** Waits until the session has a stage. @param {"solve" | "done" | "wrong" | "shown"} stage */
const stands = ({ page }, stage) =>
    page.waitForFunction((stage) => document.getElementById("problem-said").className === stage, stage);

/** Starts a game and opens its problems. */
async function open(table, game) {
    await table.begin(game);
    await table.page.click("#problems");
    await table.settled();
}

/** Opens the problem with this number in the list. */
async function choose(table, number) {
    await table.unfold("all-problems");
    await table.page.locator("#problem-list button").nth(number - 1).click();
    await table.settled();
}

/** Returns the number of the first problem that meets a condition. */
const numberOf = (problems, isMeant) => problems.findIndex(isMeant) + 1;
const labelOf = ({ page }, number) => page.locator("#problem-list button").nth(number - 1).getAttribute("aria-label");
/** Returns the pieces on the board. */
const drawn = ({ page }) => page.locator("#board .pieces > .piece").evaluateAll((pieces) =>
    pieces.map((piece) => `${piece.getAttribute("class")} ${piece.getAttribute("transform")}`).sort());

for (const game of Object.keys(PLAYED)) {
    test(`a problem of ${game} is solved by moves, and that is stored`, async () => {
        const table = await Table.open(own);
        const { page } = table;
        await open(table, game);
        const problems = await problemsOf(table, game);
        assert.match(await table.text("problem-progress"), new RegExp(`^Problem 1 of ${problems.length}, grade 1`));
        const number = numberOf(problems, ({ length }) => length === 2);
        const { solution, fen, side } = await problemOf(table, game, number);
        await choose(table, number);
        assert.equal((await table.text("problem-task")).toLowerCase(), `${side} is to move and wins in 2 moves.`);
        await table.make(await clicksOf(game, fen, [], solution[0]));
        // The page plays the reply.
        await page.waitForFunction((reply) => document.getElementById("problem-said").textContent.includes(reply),
            `The reply is ${solution[1]}`);
        await table.make(await clicksOf(game, fen, solution.slice(0, 2), solution[2]));
        await stands(table, "done");
        assert.equal(await table.text("problem-said"), "Solved.");
        assert.match(await labelOf(table, number), /, solved$/);
        // No further move is possible.
        assert.deepEqual((await table.shown()).open, []);
        await table.reload();
        // The address is that of the problem.
        assert.match(await table.text("problem-progress"), new RegExp(`^Problem ${number} of .*, solved · 1 solved$`));
        await table.close();
    });
}

test("a wrong move is refuted on the board and taken back, and solves nothing", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await open(table, "quoridor");
    const problems = await problemsOf(table, "quoridor");
    const wholes = await Promise.all(problems.slice(0, 60).map((_, index) =>
        problemOf(table, "quoridor", index + 1)));
    const { number, fen, solution, temptation } = wholes.find(({ temptation }) => temptation !== null);
    await choose(table, number);
    const before = await table.shown();
    // The tempting move has a stored refutation; another move is refuted by a search.
    const { moves } = await table.ask({ game: "quoridor", problem: number, ask: "moves" });
    const other = moves.find((move) => !solution.includes(move) && move !== temptation.move);
    for (const [move, reply] of [[temptation.move, `because of ${temptation.reply}.`], [other, "because of "]]) {
        await table.make(await clicksOf("quoridor", fen, [], move));
        // The page takes the move back after some seconds, so that all of this is read at the same moment.
        const refuted = await page.waitForFunction((words) => {
            const said = document.getElementById("problem-said").textContent;
            const line = document.getElementById("moves").dataset.line.split(" ").filter(Boolean);
            const open = document.querySelectorAll('#board [data-site][aria-disabled="false"]').length;
            return said.includes(words) && line.length > 0 && { said, line, open };
        }, `${move} does not win, ${reply}`);
        const { said, line, open } = await refuted.jsonValue();
        assert.match(said, /The move is taken back/);
        assert.deepEqual([line.length, line[0], open], [2, move, 0]);
        await stands(table, "solve");
        const after = await table.shown();
        for (const part of ["line", "pieces", "open", "status"]) assert.deepEqual(after[part], before[part], part);
    }
    assert.match(await table.text("problem-progress"), / · 0 solved$/);
    await table.close();
});

test("hints, the solution, the next problem, and the suspended game", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.load("roses", "d3 c5");
    const game = await table.shown();
    await page.click("#problems");
    await table.settled();
    const problems = await problemsOf(table, "roses");
    const number = numberOf(problems, ({ length, themes }) => length === 2 && themes.includes("capture"));
    const { solution } = await problemOf(table, "roses", number);
    await choose(table, number);
    await page.click("#problem-hint");
    assert.match(await table.text("problem-said"), /he first move captures/);
    await page.click("#problem-hint");
    await table.settled();
    const named = /^It is one of these: (.*)\.$/.exec(await table.text("problem-said"))[1].split(", ");
    assert.ok(named.length === 3 && named.includes(solution[0]), named.join());
    assert.ok(await page.isDisabled("#problem-hint"));
    await page.click("#problem-solution");
    assert.equal(await table.text("problem-said"), `The solution: ${solution.join(" ")}.`);
    await page.waitForFunction((count) => document.querySelectorAll("#moves button").length === count, solution.length);
    assert.doesNotMatch(await labelOf(table, number), /solved/);
    await page.click("#problem-again");
    await table.settled();
    assert.deepEqual((await table.shown()).line, []);
    await page.click("#problem-next");
    await table.settled();
    assert.match(await table.text("problem-progress"), new RegExp(`^Problem ${number + 1} of`));
    await page.click("#problem-leave");
    await table.settled();
    const after = await table.shown();
    for (const part of ["moves", "line", "pieces", "open", "status"]) assert.deepEqual(after[part], game[part], part);
    assert.equal(await table.isShown("problem"), false);
    assert.match(await page.evaluate(() => location.hash), /moves=d3\+c5/);
    await table.close();
});

test("the problem of the day is the same everywhere, and changes the next day", async () => {
    const dailies = [];
    for (const [timezoneId, time] of [
        ["Pacific/Kiritimati", "2026-11-25T00:30:00+14:00"], ["Pacific/Pago_Pago", "2026-11-25T23:30:00-11:00"],
        ["Europe/Rome", "2026-11-26T12:00:00+01:00"],
    ]) {
        const table = await Table.open(own, { timezoneId, locale: "en-GB" });
        await table.page.clock.setFixedTime(time);
        await open(table, "roses");
        await table.page.click("#problem-day");
        await table.settled();
        dailies.push(/^Problem of the day, (2\d Nov 2026) · (Problem \d+)/.exec(await table.text("problem-progress")));
        await table.close();
    }
    const [here, there, nextDay] = dailies.map(([, date, problem]) => [date, problem]);
    assert.deepEqual(here, there);
    assert.equal(here[0], "25 Nov 2026");
    assert.equal(nextDay[0], "26 Nov 2026");
    assert.notEqual(here[1], nextDay[1]);
});

test("an address opens a problem, or the position if it is not a problem", async () => {
    const at = (hash) => Table.open({ ...own, server: { ...own.server, address: `${own.server.address}#${hash}` } });
    let table = await at("game=roses");
    await open(table, "roses");
    await choose(table, 7);
    const hash = await table.page.evaluate(() => location.hash.slice(1));
    const pieces = await drawn(table);
    // The browser's back button leads to the game before.
    await table.page.evaluate(() => (location.hash = "#game=quoridor"));
    await table.page.waitForFunction(() => document.getElementById("title").textContent === "Quoridor");
    assert.equal(await table.isShown("problem"), false);
    await table.close();
    table = await at(hash);
    assert.match(await table.text("problem-progress"), /^Problem 7 of/);
    assert.deepEqual(await drawn(table), pieces);
    assert.equal(await table.page.evaluate(() => location.hash.slice(1)), hash);
    await table.page.click("#problem-leave");
    await table.settled();
    assert.equal(await table.text("title"), "Guerre des Deux Roses");
    await table.close();
    const fen = "c/4/5/5/1S2/C b 3/4 1";
    table = await at(new URLSearchParams({ game: "roses", fen, problem: "1" }).toString());
    const shown = await table.shown();
    assert.match(shown.note, /link names a problem that this page does not have/);
    assert.equal(shown.start, `fen ${fen}`);
    await table.close();
});

test("invalid stored results are ignored", async () => {
    const table = await Table.open(own, {}, () => localStorage.setItem("solved", '{"<b>": [1, null'));
    await open(table, "roses");
    assert.match(await table.text("problem-progress"), /^Problem 1 of \d+, grade 1 · 0 solved$/);
    await table.close();
});

test("a problem by keys only", async () => {
    const table = await Table.open(own);
    const { page, page: { keyboard } } = table;
    await table.begin("quoridor");
    await page.evaluate(() => document.activeElement.blur());
    await keyboard.press("q");
    await table.settled();
    assert.equal(await page.evaluate(() => document.activeElement.id), "problem-title");
    const problems = await problemsOf(table, "quoridor");
    assert.equal(problems[0].length, 1);
    const { solution: [move] } = await problemOf(table, "quoridor", 1);
    await keyboard.press("h");
    await table.settled();
    assert.notEqual(await table.text("problem-said"), "");
    await keyboard.press("b");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-site"));
    while (await focused() !== move) await keyboard.press("PageDown");
    await keyboard.press("Enter");
    await stands(table, "done");
    // The button for the next problem has the focus.
    await keyboard.press("Enter");
    await table.settled();
    assert.match(await table.text("problem-progress"), /^Problem 2 of .* · 1 solved$/);
    await table.close();
});

test("a drill is played to the end, and is done if no move loses its value", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await open(table, "bushka");
    assert.equal(await table.isShown("problem-kind"), false);
    await page.click("#problem-leave");
    await open(table, "roses");
    await page.click("#problem-kind");
    await table.settled();
    assert.equal(await table.text("problem-title"), "Drills of Guerre des Deux Roses");
    assert.equal(await table.isShown("problem-solution"), false);
    const { drills } = await table.ask({ game: "roses", ask: "drills" });
    const number = numberOf(drills, ({ value }) => value === "win");
    await choose(table, number);
    const { fen, grade } = drills[number - 1];
    const progress = `Drill ${number} of ${drills.length}, grade ${grade}`;
    assert.equal(await table.text("problem-progress"), `${progress} · 0 done`);
    // The tables take some seconds.
    await page.click("#problem-hint");
    await page.getByText(/^\d+ of \d+ moves keeps? the win\.$/).waitFor({ timeout: 60_000 });
    const lines = async (moves) => (await table.ask({
        game: "roses", fen, moves, ask: "analysis", depth: 1, multipv: 256,
    })).analysis.lines;
    const wrong = (await lines([])).find(({ chance }) => chance !== 1).move;
    await table.make(await clicksOf("roses", fen, [], wrong));
    await page.getByText(`${wrong} gives the win away`).waitFor();
    await stands(table, "solve");
    const play = async () => {
        for (let line = []; ;) {
            const [{ move }] = await lines(line);
            await table.make(await clicksOf("roses", fen, line, move));
            await page.waitForFunction((count) => {
                const stage = document.getElementById("problem-said").className;
                return stage === "done" || (stage === "solve"
                    && document.querySelectorAll("#moves button").length === count);
            }, line.length + 2);
            ({ line } = await table.shown());
            if (await page.evaluate(() => document.getElementById("problem-said").className === "done")) break;
        }
    };
    await play();
    assert.match(await table.text("problem-said"), /^1 move was taken back on the way/);
    assert.equal(await table.text("problem-progress"), `${progress} · 0 done`);
    await page.click("#problem-again");
    await table.settled();
    await play();
    assert.equal(await table.text("problem-said"), "Done: you held the win to the end.");
    assert.equal(await labelOf(table, number), `Drill ${number}, done`);
    // The problems are there again, and the finished drill is stored.
    await page.click("#problem-kind");
    await table.settled();
    assert.match(await table.text("problem-progress"), /^Problem 1 of .* · 0 solved$/);
    await page.click("#problem-kind");
    await table.settled();
    assert.match(await table.text("problem-progress"), / · 1 done$/);
    await table.close();
});

/** Reviews a game of Quoridor in which one move lost the game, and practises its turning points. */
async function practised(table) {
    const { page } = table;
    await table.load("quoridor", PLAYED.quoridor);
    await table.unfold("analysis");
    await page.click("#review");
    await page.waitForFunction(() => !document.getElementById("review-result").hidden);
    const moments = await page.locator("#moments .moment").allTextContents();
    await page.click("#practise");
    await table.settled();
    return moments.map((text) => /^(\d+)(\.|…) ([^?]+)(\?+) .*; best was (\S+)$/.exec(text).slice(1));
}

test("the turning points of a reviewed game are practised until the best moves are found", async () => {
    const table = await Table.open(own);
    const { page } = table;
    const moments = await practised(table);
    const moves = PLAYED.quoridor.split(" ");
    for (const [index, [round, dots, move, mark, best]] of moments.entries()) {
        const ply = 2 * (Number(round) - 1) + (dots === "." ? 0 : 1);
        assert.equal(moves[ply], move);
        assert.match(await table.text("problem-progress"), new RegExp(`^${index + 1} of ${moments.length} ·`));
        const side = dots === "." ? "White" : "Black";
        const named = `${round}${dots} ${move}${mark}`;
        assert.equal(await table.text("problem-task"), `${side} played ${named} here. Find the best move.`);
        assert.deepEqual((await table.shown()).line, moves.slice(0, ply));
        if (index === 0) {
            // The mistake is refuted and taken back.
            await table.make(await clicksOf("quoridor", null, moves.slice(0, ply), move));
            await page.getByText(`${move} is not the best move, because of`).waitFor();
            await stands(table, "solve");
            assert.deepEqual((await table.shown()).line, moves.slice(0, ply));
        }
        await table.make(await clicksOf("quoridor", null, moves.slice(0, ply), best));
        await stands(table, "done");
        assert.equal(await table.text("problem-said"), `Right: ${best} is the best move.`);
        if (index + 1 < moments.length) await page.click("#problem-next");
        await table.settled();
    }
    assert.equal(await table.isShown("problem-next"), false);
    await page.click("#problem-leave");
    await table.settled();
    assert.deepEqual((await table.shown()).moves, moves);
    assert.ok(await table.isShown("review-result"));
    await table.close();
});

test("the turning points are practised from the end of a game, which is reviewed first", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.load("quoridor", PLAYED.quoridor);
    await page.click("#practise-end");
    await page.locator("#problem").waitFor();
    assert.match(await table.text("problem-progress"), /^1 of \d+ · 0 found$/);
    // The solution can be shown.
    await page.click("#problem-solution");
    await stands(table, "shown");
    assert.match(await table.text("problem-said"), /^The solution: \S+\.$/);
    await table.close();
});

test("the viewed position is made a problem, or the reason against it is shown", { skip: NEEDS_SERVER }, async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("roses");
    const problems = await problemsOf(table, "roses");
    const number = numberOf(problems, ({ length }) => length === 2);
    const { fen, side, solution } = await problemOf(table, "roses", number);
    await table.unfold("analysis");
    await page.click("#make-problem");
    await table.settled();
    const { note } = await table.shown();
    assert.match(note, /^This is not a problem: neither a win of white within \d moves was found /);
    await table.setUp(fen);
    await page.click("#make-problem");
    await table.settled();
    assert.equal((await table.text("problem-task")).toLowerCase(), `${side} is to move and wins in 2 moves.`);
    // It is in no list, so that the link names its position.
    const link = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
    assert.deepEqual([link.get("game"), link.get("fen"), link.get("problem")], ["roses", fen, null]);
    for (const id of ["problem-next", "problem-day", "all-problems"]) assert.equal(await table.isShown(id), false, id);
    await page.click("#problem-solution");
    assert.equal(await table.text("problem-said"), `The solution: ${solution.join(" ")}.`);
    await page.click("#problem-leave");
    await table.settled();
    assert.equal((await table.shown()).fen, fen);
    await table.close();
});

test("without a prover no position can be made a problem", { skip: NEEDS_FILES }, async () => {
    const table = await Table.open(own);
    await table.unfold("analysis");
    assert.equal(await table.isShown("make-problem"), false);
    await table.close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`problems are accessible in ${colorScheme} colours, and fit on a phone`, async () => {
        const table = await Table.open(own, { ...PHONE, colorScheme });
        const { page } = table;
        const check = async () => {
            await table.hasNoComplaint();
            assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360);
        };
        await open(table, "roses");
        await table.unfold("all-problems");
        await check();
        const { fen, solution: [move] } = await problemOf(table, "roses", 1);
        const { moves } = await table.ask({ game: "roses", problem: 1, ask: "moves" });
        const wrong = moves.find((other) => other !== move);
        for (const [made, said, stage] of [[wrong, `${wrong} does not win`, "solve"], [move, "Solved.", "done"]]) {
            await page.locator("#board").scrollIntoViewIfNeeded();
            await table.make(await clicksOf("roses", fen, [], made));
            await page.getByText(said).waitFor();
            await stands(table, stage);
            await check();
        }
        await table.close();
    });
}
