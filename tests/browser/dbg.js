import { test } from "node:test";
import { GameTab, setUpBrowser } from "./page.js";
const suite = setUpBrowser();
test("x", async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    for (const b of ["#learn-first", "#problems"]) {
    await page.click(b);
    await tab.waitUntilIdle();
    console.log(await tab.textOf("note"), tab.errors);
    }
    await tab.openPanel("rules"); await tab.openPanel("counts");
    await tab.clickSite("d6");
    await tab.waitUntilIdle();
    console.log(await tab.textOf("note"), tab.errors);
    await page.screenshot({ path: "/work/clones/g89/target/shot.png" });
});
