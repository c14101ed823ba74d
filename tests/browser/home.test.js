/** The home, the menu of a phone, the folded panels and the flourish at a win. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, PHONE, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Opens the home by the name of the page, and waits for its cards. @param {GameTab} tab */
async function goHome(tab) {
    await tab.page.click("#go-home");
    await tab.page.locator("#home:not([aria-busy]) #home-now .card").last().waitFor();
    await tab.waitUntilIdle();
}

/** Returns the names of the games on the cards. @param {GameTab} tab */
const gamesAtHome = (tab) => tab.page.locator("#home-games h2").allTextContents();

test("a first visit begins at home, and a reload returns there until a game is chosen", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await page.goto(suite.server.address);
    await page.locator("#home-now .card").last().waitFor();
    await page.reload();
    await page.locator("#home-now .card").last().waitFor();
    assert.equal(await page.evaluate(() => location.hash), "");
    const { games } = await tab.ask({ ask: "games" });
    const ordered = games.toSorted((one, other) => Number(one.sharp) - Number(other.sharp));
    assert.ok(games[0].sharp, "the first game of the engine is not for the first visit");
    assert.deepEqual(await gamesAtHome(tab), ordered.map(({ name }) => name));
    assert.equal(await page.locator("#home-games .board .pieces").count(), games.length);
    await page.getByRole("button", { name: "Play: Quoridor" }).click();
    await tab.waitUntilIdle();
    assert.deepEqual([await tab.isVisible("home"), await tab.textOf("title")], [false, "Quoridor"]);
    const { options } = await tab.ask({ ask: "options" });
    const level = await page.evaluate(() => JSON.parse(localStorage.getItem("setups")).quoridor.level);
    assert.equal(level, options.find(({ name }) => name === "Level").values[0], "a newcomer can win");
    await page.goBack();
    await page.locator("#home").waitFor();
    await page.goForward();
    await page.locator("#board").waitFor();
    await tab.clickSite("e2");
    // A reload would cancel the request for the net that the engine needs for its reply.
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await tab.reload();
    assert.equal(await tab.isVisible("home"), false);
    await tab.close();
});

test("the home continues the game, and a problem or a lesson that it opens returns to it", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.loadGame("quoridor", "e2 e8 e3");
    const before = await tab.snapshot();
    await goHome(tab);
    assert.equal(await page.evaluate(() => document.activeElement.id), "home-title");
    // No key moves in the hidden game.
    await page.keyboard.press("u");
    for (const [name, panel] of [["Solve it", "problem"], ["Start", "lesson"]]) {
        await page.locator("#home-now").getByRole("button", { name }).click();
        await page.locator(`#${panel}`).waitFor();
        await tab.waitUntilIdle();
        assert.deepEqual([await tab.isVisible("home"), await tab.textOf(`${panel}-leave`)], [false, "Back"]);
        if (panel === "problem") assert.match(await tab.textOf("problem-progress"), /^Problem of the day/);
        await page.click(`#${panel}-leave`);
        await page.locator("#home").waitFor();
        await tab.waitUntilIdle();
    }
    await page.getByRole("button", { name: "Continue" }).click();
    await tab.waitUntilIdle();
    const after = await tab.snapshot();
    assert.deepEqual([after.moves, after.pieces], [before.moves, before.pieces]);
    await tab.close();
});

test("the engine does not begin a game behind the home", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", {}, 0);
    await page.evaluate(() => {
        const setups = JSON.parse(localStorage.getItem("setups"));
        setups.quoridor.players.reverse();
        localStorage.setItem("setups", JSON.stringify(setups));
        sessionStorage.clear();
    });
    await page.goto(suite.server.address);
    await page.locator("#home-now .card").last().waitFor();
    await tab.waitUntilIdle();
    const isPlaying = () => page.evaluate(() => window.watch.requests.some(({ ask }) => ask === "play"));
    assert.equal(await isPlaying(), false);
    await page.getByRole("button", { name: "Play: Quoridor" }).click();
    await tab.waitUntilIdle();
    assert.equal(await isPlaying(), true);
    await tab.close();
});

test("the home fits on a phone, and its menu closes with a choice", async () => {
    const tab = await GameTab.open(suite, PHONE);
    const { page } = tab;
    await goHome(tab);
    assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360);
    assert.equal(await tab.isVisible("show-games"), false);
    await page.tap("#show-menu");
    await tab.assertAccessible("the menu");
    await page.tap("#problems");
    await page.locator("#problem").waitFor();
    assert.equal(await tab.isVisible("problems"), false);
    await tab.close();
});

test("the browser remembers which panels are unfolded", async () => {
    const tab = await GameTab.open(suite);
    await tab.page.click("#rules > summary");
    await tab.waitUntilIdle();
    await tab.reload();
    const open = await tab.page.locator("#panel > details[open]").evaluateAll((panels) => panels.map(({ id }) => id));
    assert.deepEqual(open, ["rules"]);
    assert.ok((await tab.textOf("rules-page")).length > 100);
    await tab.close();
});

for (const reducedMotion of /** @type {const} */ (["no-preference", "reduce"])) {
    test(`a win has a flourish, which moves nothing at reduced motion: ${reducedMotion}`, async () => {
        const tab = await GameTab.open(suite, { reducedMotion });
        const { page } = tab;
        const moves = SAMPLE_GAMES.quoridor.split(" ");
        await tab.loadGame("quoridor", moves.slice(0, -1).join(" "), 0);
        await page.fill("#move", moves.at(-1));
        await page.press("#move", "Enter");
        await page.locator("#board.winning").waitFor({ state: "attached" });
        const found = await page.evaluate(() => ({
            winners: [...document.querySelectorAll("#board .winner")].map((piece) => piece.getAttribute("class")),
            isMoving: document.getAnimations().some(({ animationName }) => ["jump", "fall"].includes(animationName)),
        }));
        assert.ok(found.winners.length > 0 && found.winners.every((name) => name.includes("side-0")));
        assert.equal(found.isMoving, reducedMotion === "no-preference");
        await page.locator("#end-card").waitFor();
        await page.click("#end-close");
        assert.equal(await page.locator(".paper, .winning").count(), 0);
        await tab.close();
    });
}
