/** The page of a program with a game of its own: `examples/connect_four`. `.ci/step example` runs this test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

test("two people play a game of another program", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("connectfour");
    for (const site of ["d1", "d2", "e1"]) await tab.clickSite(site);
    const { moves, pieces, status } = await tab.snapshot();
    assert.deepEqual(moves, ["d", "d", "e"]);
    assert.deepEqual(pieces.map((piece) => piece.replace(/ scale.*/, "")), [
        "piece piece side-0 red translate(3 0)", "piece piece side-0 red translate(4 0)",
        "piece piece side-1 black translate(3 -1)",
    ]);
    assert.equal(status, "Red: e. Black is to move.");
    await tab.close();
});
