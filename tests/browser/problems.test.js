/** Problems and turning points. The tests check solutions, refutations, hints, stored results and links. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clicksOfMove } from "./engine.js";
import { GameTab, NEEDS_FILES, NEEDS_SERVER, PHONE, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Returns the problems of a game, and a problem with its solution. */
const problemsOf = async (tab, game) => (await tab.ask({ game, ask: "problems" })).problems;
const problemOf = async (tab, game, problem) => (await tab.ask({ game, problem, ask: "problem" })).problem;

/** Waits until the session has a stage. @param {"solve" | "done" | "wrong" | "shown"} stage */
const waitForStage = ({ page }, stage) =>
    page.waitForFunction((stage) => document.getElementById("problem-said").className === stage, stage);

/** Starts a game and opens its problems. */
async function openProblems(tab, game) {
    await tab.startGame(game);
    await tab.clickInHeader("problems");
    await tab.waitUntilIdle();
}

/** Opens the problem with this number in the list. */
async function chooseProblem(tab, number) {
    await tab.openPanel("all-problems");
    await tab.page.locator("#problem-list button").nth(number - 1).click();
    await tab.waitUntilIdle();
}

/** Returns the number of the first problem that meets a condition. */
const numberWhere = (problems, isMeant) => problems.findIndex(isMeant) + 1;
const labelOf = ({ page }, number) => page.locator("#problem-list button").nth(number - 1).getAttribute("aria-label");
/** Returns the pieces on the board. */
const drawnPieces = ({ page }) => page.locator("#board .pieces > .piece").evaluateAll((pieces) =>
    pieces.map((piece) => `${piece.getAttribute("class")} ${piece.getAttribute("transform")}`).sort());

for (const game of Object.keys(SAMPLE_GAMES)) {
    test(`a problem of ${game} is solved by moves, and that is stored`, async () => {
        const tab = await GameTab.open(suite);
        const { page } = tab;
        await openProblems(tab, game);
        const problems = await problemsOf(tab, game);
        assert.match(await tab.textOf("problem-progress"), new RegExp(`^Problem 1 of ${problems.length}, grade 1`));
        const number = numberWhere(problems, ({ length }) => length === 2);
        const { solution, fen, side } = await problemOf(tab, game, number);
        await chooseProblem(tab, number);
        assert.equal((await tab.textOf("problem-task")).toLowerCase(), `${side} is to move and wins in 2 moves.`);
        await tab.makeMove(await clicksOfMove(game, fen, [], solution[0]));
        // The page plays the reply.
        await page.waitForFunction((reply) => document.getElementById("problem-said").textContent.includes(reply),
            `The reply is ${solution[1]}`);
        await tab.makeMove(await clicksOfMove(game, fen, solution.slice(0, 2), solution[2]));
        await waitForStage(tab, "done");
        assert.equal(await tab.textOf("problem-said"), "Solved.");
        assert.match(await labelOf(tab, number), /, solved$/);
        // No further move is possible.
        assert.deepEqual((await tab.snapshot()).selectable, []);
        await tab.reload();
        // The address is that of the problem.
        assert.match(await tab.textOf("problem-progress"), new RegExp(`^Problem ${number} of .*, solved · 1 solved$`));
        await tab.close();
    });
}

/** Runs in the page. Timers of more than two seconds never end. */
function stopLongTimers() {
    const start = window.setTimeout;
    window.setTimeout = /** @type {any} */ ((action, time) => (time > 2000 ? 0 : start(action, time)));
}

test("a wrong move is refuted on the board and taken back, and solves nothing", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openProblems(tab, "quoridor");
    const problems = await problemsOf(tab, "quoridor");
    const wholes = await Promise.all(problems.slice(0, 60).map((_, index) =>
        problemOf(tab, "quoridor", index + 1)));
    const { number, fen, solution, temptation } = wholes.find(({ temptation }) => temptation !== null);
    await chooseProblem(tab, number);
    const before = await tab.snapshot();
    // The tempting move has a stored refutation. Another move is refuted by a search.
    const { moves } = await tab.ask({ game: "quoridor", problem: number, ask: "moves" });
    const other = moves.find((move) => !solution.includes(move) && move !== temptation.move);
    const cases = /** @type {const} */ ([[temptation.move, `because of ${temptation.reply}.`, false],
        [other, "because of ", true]]);
    for (const [move, reply, isWithoutTimer] of cases) {
        if (isWithoutTimer) await page.evaluate(stopLongTimers);
        await tab.makeMove(await clicksOfMove("quoridor", fen, [], move));
        // The page takes the move back after some seconds. So everything is read at the same moment.
        const refuted = await page.waitForFunction((words) => {
            const said = document.getElementById("problem-said").textContent;
            const line = document.getElementById("moves").dataset.line.split(" ").filter(Boolean);
            const open = document.querySelectorAll('#board [data-site][aria-disabled="false"]').length;
            return said.includes(words) && line.length > 0 && { said, line, open };
        }, `${move} does not win, ${reply}`);
        const { said, line, open } = await refuted.jsonValue();
        assert.match(said, /The move is taken back/);
        assert.deepEqual([line.length, line[0], open], [2, move, 0]);
        assert.match(await tab.textOf("problem-progress"), / · 0 solved$/);
        if (isWithoutTimer) break;
        await waitForStage(tab, "solve");
        const after = await tab.snapshot();
        for (const part of ["line", "pieces", "selectable", "status"]) {
            assert.deepEqual(after[part], before[part], part);
        }
    }
    // A click on the board takes the moves back before the time is up, and counts for the next move.
    await tab.makeMove(await clicksOfMove("quoridor", fen, [], solution[0]));
    await page.getByText(/^(Right: |Solved)/).waitFor();
    await tab.close();
});

test("problems of the day are solved with the mouse: each move of a hint is tried until one is right", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const { games } = await tab.ask({ ask: "games" });
    const said = () => tab.textOf("problem-said");
    for (const date of ["2026-11-30", "2026-12-03", "2026-12-04"]) {
        await page.clock.setFixedTime(`${date}T12:00`);
        await page.evaluate(() => sessionStorage.clear());
        await page.goto(suite.server.address);
        await page.getByRole("button", { name: "Solve it" }).click();
        await waitForStage(tab, "solve");
        const title = await tab.textOf("problem-title");
        const { word: game } = games.find(({ name }) => title.endsWith(name));
        const [number] = /\d+(?= of)/.exec(await tab.textOf("problem-progress"));
        const { fen, solution } = await problemOf(tab, game, Number(number));
        for (let line = []; line.length < solution.length; line = solution.slice(0, line.length + 2)) {
            const named = /^It is (?:one of these: )?(.*)\.$/;
            while (!named.test(await said())) {
                await page.click("#problem-hint");
                await tab.waitUntilIdle();
            }
            const [, list] = named.exec(await said());
            for (const move of list.split(", ")) {
                await tab.makeMove(await clicksOfMove(game, fen, line, move));
                const isRight = move === solution[line.length];
                // Nobody waits until a wrong move is taken back.
                const answer = isRight ? /What now\?$|^Solved/ : new RegExp(`^${move} .* taken back`);
                await page.locator("#problem-said").filter({ hasText: answer }).waitFor();
                if (isRight) break;
            }
        }
        await waitForStage(tab, "done");
    }
    await tab.close();
});

test("hints, the solution, the next problem, and the suspended game", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("roses", "d3 c5");
    const game = await tab.snapshot();
    await page.click("#problems");
    await tab.waitUntilIdle();
    const problems = await problemsOf(tab, "roses");
    const number = numberWhere(problems, ({ length, themes }) => length === 2 && themes.includes("capture"));
    const { solution } = await problemOf(tab, "roses", number);
    await chooseProblem(tab, number);
    await page.click("#problem-hint");
    assert.match(await tab.textOf("problem-said"), /he first move captures/);
    await page.click("#problem-hint");
    await tab.waitUntilIdle();
    const named = /^It is one of these: (.*)\.$/.exec(await tab.textOf("problem-said"))[1].split(", ");
    assert.ok(named.length === 3 && named.includes(solution[0]), named.join());
    assert.ok(await page.isDisabled("#problem-hint"));
    await page.click("#problem-solution");
    assert.equal(await tab.textOf("problem-said"), `The solution: ${solution.join(" ")}.`);
    await page.waitForFunction((count) => document.querySelectorAll("#moves button").length === count, solution.length);
    assert.doesNotMatch(await labelOf(tab, number), /solved/);
    await page.click("#problem-again");
    await tab.waitUntilIdle();
    assert.deepEqual((await tab.snapshot()).line, []);
    await page.click("#problem-next");
    await tab.waitUntilIdle();
    assert.match(await tab.textOf("problem-progress"), new RegExp(`^Problem ${number + 1} of`));
    await page.click("#problem-leave");
    await tab.waitUntilIdle();
    const after = await tab.snapshot();
    for (const part of ["moves", "line", "pieces", "selectable", "status"]) {
        assert.deepEqual(after[part], game[part], part);
    }
    assert.equal(await tab.isVisible("problem"), false);
    assert.match(await page.evaluate(() => location.hash), /moves=d3\+c5/);
    await tab.close();
});

test("the problem of the day is the same everywhere, and changes the next day", async () => {
    const dailies = [];
    for (const [timezoneId, time] of [
        ["Pacific/Kiritimati", "2026-11-25T00:30:00+14:00"], ["Pacific/Pago_Pago", "2026-11-25T23:30:00-11:00"],
        ["Europe/Rome", "2026-11-26T12:00:00+01:00"],
    ]) {
        const tab = await GameTab.open(suite, { timezoneId, locale: "en-GB" });
        await tab.page.clock.setFixedTime(time);
        await openProblems(tab, "roses");
        await tab.page.click("#problem-day");
        await tab.waitUntilIdle();
        dailies.push(/^Problem of the day, (2\d Nov 2026) · (Problem \d+)/.exec(await tab.textOf("problem-progress")));
        await tab.close();
    }
    const [here, there, nextDay] = dailies.map(([, date, problem]) => [date, problem]);
    assert.deepEqual(here, there);
    assert.equal(here[0], "25 Nov 2026");
    assert.equal(nextDay[0], "26 Nov 2026");
    assert.notEqual(here[1], nextDay[1]);
});

test("an address opens a problem, or the position if it is not a problem", async () => {
    const { server } = suite;
    const at = (hash) => GameTab.open({ ...suite, server: { ...server, address: `${server.address}#${hash}` } });
    let tab = await at("game=roses");
    await openProblems(tab, "roses");
    await chooseProblem(tab, 7);
    const hash = await tab.page.evaluate(() => location.hash.slice(1));
    const pieces = await drawnPieces(tab);
    // The browser's back button leads to the previous game.
    await tab.page.evaluate(() => (location.hash = "#game=quoridor"));
    await tab.page.waitForFunction(() => document.getElementById("title").textContent === "Quoridor");
    assert.equal(await tab.isVisible("problem"), false);
    await tab.close();
    tab = await at(hash);
    assert.match(await tab.textOf("problem-progress"), /^Problem 7 of/);
    assert.deepEqual(await drawnPieces(tab), pieces);
    assert.equal(await tab.page.evaluate(() => location.hash.slice(1)), hash);
    await tab.page.click("#problem-leave");
    await tab.waitUntilIdle();
    assert.equal(await tab.textOf("title"), "Guerre des Deux Roses");
    await tab.close();
    const fen = "c/4/5/5/1S2/C b 3/4 1";
    tab = await at(new URLSearchParams({ game: "roses", fen, problem: "1" }).toString());
    const shown = await tab.snapshot();
    assert.match(shown.note, /link names a problem that this page does not have/);
    assert.equal(shown.start, `fen ${fen}`);
    await tab.close();
});

test("invalid stored results are ignored", async () => {
    const tab = await GameTab.open(suite, {}, () => localStorage.setItem("solved", '{"<b>": [1, null'));
    await openProblems(tab, "roses");
    assert.match(await tab.textOf("problem-progress"), /^Problem 1 of \d+, grade 1 · 0 solved$/);
    await tab.close();
});

test("a problem by keys only", async () => {
    const tab = await GameTab.open(suite);
    const { page, page: { keyboard } } = tab;
    await tab.startGame("quoridor");
    await page.evaluate(() => document.activeElement.blur());
    await keyboard.press("q");
    await tab.waitUntilIdle();
    assert.equal(await page.evaluate(() => document.activeElement.id), "problem-title");
    const problems = await problemsOf(tab, "quoridor");
    assert.equal(problems[0].length, 1);
    const { solution: [move] } = await problemOf(tab, "quoridor", 1);
    await keyboard.press("h");
    await tab.waitUntilIdle();
    assert.notEqual(await tab.textOf("problem-said"), "");
    await keyboard.press("b");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("data-site"));
    while (await focused() !== move) await keyboard.press("PageDown");
    await keyboard.press("Enter");
    await waitForStage(tab, "done");
    // The button for the next problem has the focus.
    await keyboard.press("Enter");
    await tab.waitUntilIdle();
    assert.match(await tab.textOf("problem-progress"), /^Problem 2 of .* · 1 solved$/);
    await tab.close();
});

test("a drill is played to the end, and is done if no move loses its value", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await openProblems(tab, "alcaxar");
    assert.equal(await tab.isVisible("problem-kind"), false);
    await page.click("#problem-leave");
    await openProblems(tab, "roses");
    await page.click("#problem-kind");
    await tab.waitUntilIdle();
    assert.equal(await tab.textOf("problem-title"), "Drills of Guerre des Deux Roses");
    assert.equal(await tab.isVisible("problem-solution"), false);
    const { drills } = await tab.ask({ game: "roses", ask: "drills" });
    const number = numberWhere(drills, ({ value }) => value === "win");
    await chooseProblem(tab, number);
    const { fen, grade } = drills[number - 1];
    const progress = `Drill ${number} of ${drills.length}, grade ${grade}`;
    assert.equal(await tab.textOf("problem-progress"), `${progress} · 0 done`);
    // Computing the tables takes some seconds.
    await page.click("#problem-hint");
    await page.getByText(/^\d+ of \d+ moves keeps? the win\.$/).waitFor({ timeout: 60_000 });
    const lines = async (moves) => (await tab.ask({
        game: "roses", fen, moves, ask: "analysis", depth: 1, multipv: 256,
    })).analysis.lines;
    const wrong = (await lines([])).find(({ chance }) => chance !== 1).move;
    await tab.makeMove(await clicksOfMove("roses", fen, [], wrong));
    await page.getByText(`${wrong} gives the win away`).waitFor();
    await waitForStage(tab, "solve");
    const play = async () => {
        for (let line = []; ;) {
            const [{ move }] = await lines(line);
            await tab.makeMove(await clicksOfMove("roses", fen, line, move));
            await page.waitForFunction((count) => {
                const stage = document.getElementById("problem-said").className;
                return stage === "done" || (stage === "solve"
                    && document.querySelectorAll("#moves button").length === count);
            }, line.length + 2);
            ({ line } = await tab.snapshot());
            if (await page.evaluate(() => document.getElementById("problem-said").className === "done")) break;
        }
    };
    await play();
    assert.match(await tab.textOf("problem-said"), /^1 move was taken back on the way/);
    assert.equal(await tab.textOf("problem-progress"), `${progress} · 0 done`);
    await page.click("#problem-again");
    await tab.waitUntilIdle();
    await play();
    assert.equal(await tab.textOf("problem-said"), "Done: you held the win to the end.");
    assert.equal(await labelOf(tab, number), `Drill ${number}, done`);
    // The problems are shown again. The finished drill is stored.
    await page.click("#problem-kind");
    await tab.waitUntilIdle();
    assert.match(await tab.textOf("problem-progress"), /^Problem 1 of .* · 0 solved$/);
    await page.click("#problem-kind");
    await tab.waitUntilIdle();
    assert.match(await tab.textOf("problem-progress"), / · 1 done$/);
    await tab.close();
});

/** Reviews a game of Quoridor that one move has lost. Practises the turning points of the game. */
async function practiseReviewedGame(tab) {
    const { page } = tab;
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await tab.openPanel("analysis");
    await page.click("#review");
    await page.waitForFunction(() => !document.getElementById("review-result").hidden);
    const moments = await page.locator("#moments button").evaluateAll((buttons) =>
        buttons.map((button) => button.getAttribute("aria-label").replace("Turning point: ", "")));
    await page.click("#practise");
    await tab.waitUntilIdle();
    return moments.map((text) => /^(\d+)(\.|…) ([^?]+)(\?+) .*; best was ([^\s;]+)/.exec(text).slice(1));
}

test("the turning points of a reviewed game are practised until the best moves are found", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const moments = await practiseReviewedGame(tab);
    const moves = SAMPLE_GAMES.quoridor.split(" ");
    for (const [index, [round, dots, move, mark, best]] of moments.entries()) {
        const ply = 2 * (Number(round) - 1) + (dots === "." ? 0 : 1);
        assert.equal(moves[ply], move);
        assert.match(await tab.textOf("problem-progress"), new RegExp(`^${index + 1} of ${moments.length} ·`));
        const side = dots === "." ? "White" : "Black";
        const named = `${round}${dots} ${move}${mark}`;
        assert.equal(await tab.textOf("problem-task"), `${side} played ${named} here. Find the best move.`);
        assert.deepEqual((await tab.snapshot()).line, moves.slice(0, ply));
        if (index === 0) {
            // The mistake is refuted and then taken back.
            await tab.makeMove(await clicksOfMove("quoridor", null, moves.slice(0, ply), move));
            await page.getByText(`${move} is not the best move, because of`).waitFor();
            await waitForStage(tab, "solve");
            assert.deepEqual((await tab.snapshot()).line, moves.slice(0, ply));
        }
        await tab.makeMove(await clicksOfMove("quoridor", null, moves.slice(0, ply), best));
        await waitForStage(tab, "done");
        assert.equal(await tab.textOf("problem-said"), `Right: ${best} is the best move.`);
        if (index + 1 < moments.length) await page.click("#problem-next");
        await tab.waitUntilIdle();
    }
    assert.equal(await tab.isVisible("problem-next"), false);
    await page.click("#problem-leave");
    await tab.waitUntilIdle();
    assert.deepEqual((await tab.snapshot()).moves, moves);
    assert.ok(await tab.isVisible("review-result"));
    await tab.close();
});

test("the turning points are practised from the end of a game, which is reviewed first", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", SAMPLE_GAMES.quoridor);
    await page.click("#practise-end");
    await page.locator("#problem").waitFor();
    assert.match(await tab.textOf("problem-progress"), /^1 of \d+ · 0 found$/);
    // The solution can be shown.
    await page.click("#problem-solution");
    await waitForStage(tab, "shown");
    assert.match(await tab.textOf("problem-said"), /^The solution: \S+\.$/);
    await tab.close();
});

test("the viewed position is made a problem, or the reason against it is shown", { skip: NEEDS_SERVER }, async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("roses");
    const problems = await problemsOf(tab, "roses");
    const number = numberWhere(problems, ({ length }) => length === 2);
    const { fen, side, solution } = await problemOf(tab, "roses", number);
    await tab.openPanel("analysis");
    await page.click("#make-problem");
    await tab.waitUntilIdle();
    const { note } = await tab.snapshot();
    assert.match(note, /^This is not a problem: neither a win of white within \d moves was found /);
    await tab.setUpPosition(fen);
    await page.click("#make-problem");
    await tab.waitUntilIdle();
    assert.equal((await tab.textOf("problem-task")).toLowerCase(), `${side} is to move and wins in 2 moves.`);
    // The position is not in any list. So the link contains the position.
    const link = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
    assert.deepEqual([link.get("game"), link.get("fen"), link.get("problem")], ["roses", fen, null]);
    for (const id of ["problem-next", "problem-day", "all-problems"]) assert.equal(await tab.isVisible(id), false, id);
    await page.click("#problem-solution");
    assert.equal(await tab.textOf("problem-said"), `The solution: ${solution.join(" ")}.`);
    await page.click("#problem-leave");
    await tab.waitUntilIdle();
    assert.equal((await tab.snapshot()).fen, fen);
    await tab.close();
});

test("without a prover no position can be made a problem", { skip: NEEDS_FILES }, async () => {
    const tab = await GameTab.open(suite);
    await tab.openPanel("analysis");
    assert.equal(await tab.isVisible("make-problem"), false);
    await tab.close();
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`problems are accessible in ${colorScheme} colours, and fit on a phone`, async () => {
        const tab = await GameTab.open(suite, { ...PHONE, colorScheme });
        const { page } = tab;
        const check = async () => {
            await tab.assertAccessible();
            assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360);
        };
        await openProblems(tab, "roses");
        await tab.openPanel("all-problems");
        await check();
        const { fen, solution: [move] } = await problemOf(tab, "roses", 1);
        const { moves } = await tab.ask({ game: "roses", problem: 1, ask: "moves" });
        const wrong = moves.find((other) => other !== move);
        for (const [made, said, stage] of [[wrong, `${wrong} does not win`, "solve"], [move, "Solved.", "done"]]) {
            await page.locator("#board").scrollIntoViewIfNeeded();
            await tab.makeMove(await clicksOfMove("roses", fen, [], made));
            await page.getByText(said).waitFor();
            await waitForStage(tab, stage);
            await check();
        }
        await tab.close();
    });
}
