/**
 * The address contains the game. The tests check it after a reload, after a step back, in another browser, and with
 * faults.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, NEEDS_FILES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

/** Opens an address in a browser without stored data. */
function openAt(hash) {
    const { server } = suite;
    return GameTab.open({ ...suite, server: { ...server, address: `${server.address}#${hash}` } });
}

const hashOf = (tab) => tab.page.evaluate(() => location.hash.slice(1));

test("an address opens the same game, rules, position and side in another browser", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("quoridor", { Quoridor_Walls: "5" });
    for (const move of ["e2", "e8", "e3"]) await tab.clickSite(move);
    await tab.page.click("#back");
    await tab.page.click("#flip");
    await tab.waitUntilIdle();
    const shown = await tab.snapshot();
    const hash = await hashOf(tab);
    await tab.close();
    assert.equal(hash, "game=quoridor&Quoridor_Walls=5&players=person+person&turned=1&moves=e2+e8+e3&ply=2");
    const other = await openAt(hash);
    assert.deepEqual(await other.snapshot(), shown);
    assert.equal(await hashOf(other), hash);
    await other.close();
});

test("an address opens a custom position with its players", async () => {
    const fen = "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1";
    const tab = await openAt(new URLSearchParams({ game: "alquerque", fen, players: "person engine" }).toString());
    await tab.openPanel("position");
    assert.equal((await tab.snapshot()).fen, fen);
    const players = await tab.page.locator(".side select").evaluateAll((all) => all.map(({ value }) => value));
    assert.deepEqual(players.sort(), ["engine", "person"]);
    await tab.close();
});

test("the back and forward buttons lead to other games, and a reload restores variations", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("roses");
    await tab.clickSite("d3");
    await tab.startGame("quoridor");
    for (const move of ["e2", "e8"]) await tab.clickSite(move);
    await page.goBack();
    await page.waitForFunction(() => document.getElementById("title").textContent !== "Quoridor");
    assert.deepEqual((await tab.snapshot()).moves, ["d3"]);
    await page.goForward();
    await page.waitForFunction(() => document.getElementById("title").textContent === "Quoridor");
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await page.click("#back");
    await tab.waitUntilIdle();
    await tab.clickSite("d9");
    assert.equal(await page.locator("#moves .variation").count(), 1);
    await tab.reload();
    assert.equal(await page.locator("#moves .variation").count(), 1);
    // An address is typed in the same tab.
    await page.evaluate(() => (location.hash = "#game=bushka"));
    await page.waitForFunction(() => document.getElementById("title").textContent === "Bushka");
    await tab.close();
});

for (const [hash, note, game, moves] of [
    ["game=chess", /The link is invalid.*no game “chess”/, "Alcaxar", []],
    ["game=quoridor&moves=e2+e8+zz+e3&ply=3", /Move 3, zz.*“ply” cannot be “3”/, "Quoridor", ["e2", "e8"]],
    ["game=quoridor&fen=bad&moves=e2", /“fen” has no effect in it. “moves” has no effect/, "Quoridor", []],
    ["game=quoridor&moves=e2+e8&ply=1&fen=bad", /“fen” has.*“moves” has.*“ply” cannot be “1”/, "Quoridor", []],
    ["game=QUORIDOR&problem=1", /The link is invalid.*no “fen”, which a problem needs/, "Quoridor", []],
    ["game=QUORIDOR&fen=e1e9+-+w+10/10+1&problem=1", /does not have. You can play its position.$/, "Quoridor", []],
    ["games=quoridor", /not a game link/, "Alcaxar", []],
    ["game=quoridor&moves=e2+e8+e9", /The link is invalid.*Move 3, e9/, "Quoridor", ["e2", "e8"]],
    ["game=quoridor&Quoridor_Walls=many", /The link is invalid.*Walls of each player/, "Quoridor", []],
    ["game=quoridor&fen=<b>nothing", /The link is invalid/, "Quoridor", []],
    ["game=quoridor&nonsense=1&moves=e2", /The link is invalid.*nonsense/, "Quoridor", ["e2"]],
    ["game=quoridor&%%%&players=dog&ply=-7&moves=e2", /“players” cannot be “dog”.*“ply”.*%%%/, "Quoridor", ["e2"]],
    ["game=quoridor&Quoridor_Walls=99&Quoridor_BoardSize=5&moves=c2+z9", /0 to 20.*Move 2, z9/, "Quoridor", ["c2"]],
    ["game=quoridor&players=person+person+engine&moves=e2", /“players” cannot be “person p/, "Quoridor", ["e2"]],
    ["game=quoridor&moves=e2&ply=9&moves=e2+e8", /more than once: the first.*“ply” cannot be “9”/, "Quoridor", ["e2"]],
    ["game=quoridor&fen=x&problem=1", /a problem that this page does not have. The link is invalid/, "Quoridor", []],
    ["game=quoridor&fen=e1e9+-+w+10/10+1&problem=1", /does not have. You can play its position.$/, "Quoridor", []],
    ["game=chess&fen=x&problem=1", /does not have. The link is invalid.*chess/, "Alcaxar", []],
]) {
    test(`an invalid link still opens a game: ${hash}`, async () => {
        const tab = await openAt(hash);
        const shown = await tab.snapshot();
        assert.match(shown.note, note);
        assert.equal(await tab.textOf("title"), game);
        // The engine's reply keeps the note.
        const replies = moves.length % 2;
        assert.deepEqual(shown.moves.slice(0, moves.length), moves);
        assert.ok(shown.moves.length <= moves.length + replies);
        await tab.close();
    });
}

/** Returns the number of stored games. */
async function storedGames({ page }) {
    await page.evaluate(() => (document.getElementById("no-games").hidden = true));
    await page.click("#show-games");
    const list = page.locator("#game-list > li");
    await page.locator("#game-list > li, #no-games:not([hidden])").first().waitFor();
    const count = await list.count();
    await page.click("#games-close");
    return count;
}

test("a game of a link is stored after the first own move, and survives a reload before it", async () => {
    const hash = "#game=quoridor&players=person+person&moves=e2+e8";
    const tab = await openAt(hash.slice(1));
    const { page } = tab;
    const follow = async (address, title) => {
        await page.evaluate((to) => (location.hash = to), address);
        await page.waitForFunction((name) => document.getElementById("title").textContent === name, title);
        await tab.waitUntilIdle();
    };
    for (let visit = 0; visit < 3; visit += 1) {
        await follow("#game=bushka&players=person+person", "Bushka");
        await follow(hash, "Quoridor");
    }
    assert.equal(await storedGames(tab), 0);
    await tab.reload();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    await tab.clickSite("e3");
    await tab.waitUntilIdle();
    assert.equal(await storedGames(tab), 1);
    await tab.reload();
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8", "e3"]);
    // The reply of the engine is not an own move.
    await follow("#game=roses&players=person+engine&moves=d3", "Guerre des Deux Roses");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await tab.waitUntilIdle();
    assert.equal(await storedGames(tab), 1);
    await tab.close();
});

test("a game of a long link is stored after the first own move, and survives a reload before it", async () => {
    // The first link is almost too long for the page, and the second one is longer.
    for (const length of [3000, 4800]) {
        const lap = ["e2", "e8", "e1", "e9"];
        const moves = Array.from({ length: length / 3 }, (_, ply) => lap[ply % 4]).join("+");
        const tab = await openAt(`game=quoridor&players=person+person&moves=${moves}`);
        const before = (await tab.snapshot()).moves.length;
        assert.equal(await storedGames(tab), 0, String(length));
        await tab.reload();
        assert.equal((await tab.snapshot()).moves.length, before);
        await tab.clickSite((await tab.snapshot()).selectable.at(-1));
        await tab.waitUntilIdle();
        assert.equal(await storedGames(tab), 1, String(length));
        await tab.reload();
        assert.equal((await tab.snapshot()).moves.length, before + 1);
        await tab.close();
    }
});

test("a link is copied unless the game is too long for it", { skip: NEEDS_FILES }, async () => {
    const tab = await GameTab.open(suite, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = tab;
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await tab.openPanel("position");
    await page.click("#link-copy");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()),
        `${suite.server.address}#game=quoridor&players=person+person&moves=e2`);
    const lap = ["e2", "e8", "e1", "e9"];
    await tab.loadGame("quoridor", Array.from({ length: 1500 }, (_, ply) => lap[ply % 4]).join(" "));
    await tab.openPanel("position");
    assert.ok(await page.isDisabled("#link-copy"));
    assert.match(await page.innerText("#link"), /too long for a link/);
    assert.equal(await hashOf(tab), "game=quoridor&players=person+person");
    await tab.close();
});

test("a comment is shown as text, and is part of the link", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    const said = "<b onclick='x'>bold</b> } & \u202e +0.35/12";
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    await tab.openPanel("notes");
    await page.fill("#comment", `  ${said}\n `);
    await page.selectOption("#mark", "!?");
    await page.fill("#tags input", "Ada \"King\"");
    await page.locator("#tags input").first().blur();
    await tab.waitUntilIdle();
    const shown = (where) => where.page.evaluate(() => [
        document.querySelector("#moves .comment").textContent, document.querySelectorAll("#moves b").length,
        document.querySelector("#moves .mark-of-move").textContent, document.querySelector("#tags input").value,
    ]);
    const expected = [said, 0, "!?", "Ada \"King\""];
    assert.deepEqual(await shown(tab), expected);
    const hash = await hashOf(tab);
    assert.ok(hash.includes("record="), hash);
    const other = await openAt(hash);
    assert.deepEqual(await shown(other), expected);
    await other.close();
    await tab.reload();
    assert.deepEqual(await shown(tab), expected);
    await tab.openPanel("position");
    await page.waitForFunction(() => document.getElementById("record").value.includes("e2!?"));
    await tab.close();
});
