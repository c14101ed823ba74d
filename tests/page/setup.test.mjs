/** The choices of players. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptPlayersToSideCount } from "../../src/page/game/game.js";
import { playerChoices, playersWithRandomSeat } from "../../src/page/app/setup-dialog.js";

test("adapts the players to another number of sides", () => {
    const seats = (text) => [...text].map((player) => (player === "p" ? "person" : "engine"));
    for (const [before, count, after] of [
        ["pe", 2, "pe"], ["pe", 4, "peee"], ["ep", 4, "epee"], ["pp", 4, "pppp"], ["ee", 4, "eeee"], ["eeep", 2, "pe"],
        ["pepe", 2, "pe"],
    ]) assert.deepEqual(adaptPlayersToSideCount(seats(before), count), seats(after), before);
});

test("people can play each side, each team, all sides or none", () => {
    assert.deepEqual(playerChoices(["white", "black"], []).map(({ players }) => players?.join()),
        ["person,engine", "engine,person", "person,person", "engine,engine", undefined]);
    const four = playerChoices(["a", "b", "c", "d"], [["a", "c"], ["b", "d"]]);
    assert.deepEqual(four.slice(4, 6), [
        { name: "Two people against the engine, as a and c", players: ["person", "engine", "person", "engine"] },
        { name: "Two people against the engine, as b and d", players: ["engine", "person", "engine", "person"] },
    ]);
});

test("a random side is each side in some games, and always one side", () => {
    const drawn = new Set(Array.from({ length: 200 }, () => playersWithRandomSeat(4).join()));
    assert.deepEqual([...drawn].sort(), [
        "engine,engine,engine,person", "engine,engine,person,engine", "engine,person,engine,engine",
        "person,engine,engine,engine",
    ]);
});
