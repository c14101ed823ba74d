/** The address has the game: after a reload, a step back, in another browser, and with faults. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEEDS_FILES, setUp, Table } from "./page.js";

const own = setUp();

/** Opens an address in a browser without stored data. */
const openAt = (hash) => Table.open({ ...own, server: { ...own.server, address: `${own.server.address}#${hash}` } });
const hashOf = (table) => table.page.evaluate(() => location.hash.slice(1));

test("an address opens the same game, rules, position and side in another browser", async () => {
    const table = await Table.open(own);
    await table.begin("quoridor", { Quoridor_Walls: "5" });
    for (const move of ["e2", "e8", "e3"]) await table.click(move);
    await table.page.click("#back");
    await table.page.click("#flip");
    await table.settled();
    const [shown, hash] = [await table.shown(), await hashOf(table)];
    await table.close();
    assert.equal(hash, "game=quoridor&Quoridor_Walls=5&players=person+person&turned=1&moves=e2+e8+e3&ply=2");
    const other = await openAt(hash);
    assert.deepEqual(await other.shown(), shown);
    assert.equal(await hashOf(other), hash);
    await other.close();
});

test("an address opens a custom position with its players", async () => {
    const fen = "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1";
    const table = await openAt(new URLSearchParams({ game: "alquerque", fen, players: "person engine" }).toString());
    await table.unfold("position");
    assert.equal((await table.shown()).fen, fen);
    const players = await table.page.locator(".side select").evaluateAll((all) => all.map(({ value }) => value));
    assert.deepEqual(players.sort(), ["engine", "person"]);
    await table.close();
});

test("the back and forward buttons lead to other games, and a reload restores variations", async () => {
    const table = await Table.open(own);
    const { page } = table;
    await table.begin("roses");
    await table.click("d3");
    await table.begin("quoridor");
    for (const move of ["e2", "e8"]) await table.click(move);
    await page.goBack();
    await page.waitForFunction(() => document.getElementById("title").textContent !== "Quoridor");
    assert.deepEqual((await table.shown()).moves, ["d3"]);
    await page.goForward();
    await page.waitForFunction(() => document.getElementById("title").textContent === "Quoridor");
    assert.deepEqual((await table.shown()).moves, ["e2", "e8"]);
    await page.click("#back");
    await table.settled();
    await table.click("d9");
    assert.equal(await page.locator("#moves .variation").count(), 1);
    await table.reload();
    assert.equal(await page.locator("#moves .variation").count(), 1);
    // An address is typed in the same tab.
    await page.evaluate(() => (location.hash = "#game=bushka"));
    await page.waitForFunction(() => document.getElementById("title").textContent === "Bushka");
    await table.close();
});

for (const [hash, note, game, moves] of [
    ["game=chess", /The link is invalid.*chess/, "Alcaxar", []],
    ["games=quoridor", /not a game link/, "Alcaxar", []],
    ["game=quoridor&moves=e2+e8+e9", /The link is invalid.*Move 3, e9/, "Quoridor", ["e2", "e8"]],
    ["game=quoridor&Quoridor_Walls=many", /The link is invalid.*Walls of each player/, "Quoridor", []],
    ["game=quoridor&fen=<b>nothing", /The link is invalid/, "Quoridor", []],
    ["game=quoridor&nonsense=1&moves=e2", /The link is invalid.*nonsense/, "Quoridor", []],
    ["game=quoridor&%%%&players=dog&ply=-7&moves=e2", /The link is invalid/, "Quoridor", []],
]) {
    test(`an invalid link still opens a game: ${hash}`, async () => {
        const table = await openAt(hash);
        const shown = await table.shown();
        assert.match(shown.note, note);
        assert.equal(await table.text("title"), game);
        assert.deepEqual(shown.moves, moves);
        await table.close();
    });
}

test("a link is copied unless the game is too long for it", { skip: NEEDS_FILES }, async () => {
    const table = await Table.open(own, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = table;
    await table.begin("quoridor");
    await table.click("e2");
    await table.unfold("position");
    await page.click("#link-copy");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()),
        `${own.server.address}#game=quoridor&players=person+person&moves=e2`);
    const lap = ["e2", "e8", "e1", "e9"];
    await table.load("quoridor", Array.from({ length: 1500 }, (_, ply) => lap[ply % 4]).join(" "));
    await table.unfold("position");
    assert.ok(await page.isDisabled("#link-copy"));
    assert.match(await page.innerText("#link"), /too long for a link/);
    assert.equal(await hashOf(table), "game=quoridor&players=person+person");
    await table.close();
});

test("a comment is shown as text, and is part of the link", async () => {
    const table = await Table.open(own);
    const { page } = table;
    const said = "<b onclick='x'>bold</b> } & \u202e +0.35/12";
    await table.begin("quoridor");
    await table.click("e2");
    await table.unfold("notes");
    await page.fill("#comment", `  ${said}\n `);
    await page.selectOption("#mark", "!?");
    await page.fill("#tags input", "Ada \"King\"");
    await page.locator("#tags input").first().blur();
    await table.settled();
    const shown = (where) => where.page.evaluate(() => [
        document.querySelector("#moves .comment").textContent, document.querySelectorAll("#moves b").length,
        document.querySelector("#moves .mark-of-move").textContent, document.querySelector("#tags input").value,
    ]);
    const expected = [said, 0, "!?", "Ada \"King\""];
    assert.deepEqual(await shown(table), expected);
    const hash = await hashOf(table);
    assert.ok(hash.includes("record="), hash);
    const other = await openAt(hash);
    assert.deepEqual(await shown(other), expected);
    await other.close();
    await table.reload();
    assert.deepEqual(await shown(table), expected);
    await table.unfold("position");
    await page.waitForFunction(() => document.getElementById("record").value.includes("e2!?"));
    await table.close();
});
