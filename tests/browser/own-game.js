/** The page of a program with a game of its own: `examples/connect_four`. `.ci/step example` runs this test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";

const suite = setUpBrowser();

test("a game of another program is played on its page", async () => {
    const tab = await GameTab.open(suite);
    await tab.startGame("connectfour");
    console.log(await tab.page.evaluate(() => sessionStorage.getItem("game")));
    // A click on any empty square of a file drops a disc to its lowest one.
    for (const site of ["d1", "d2", "e1"]) await tab.clickSite(site);
    const { moves, pieces, status } = await tab.snapshot();
    console.log(moves, pieces, status);
    await tab.page.screenshot({ path: "/work/clones/g89/target/shot.png" });
    await tab.close();
});
