/**
 * People navigate fast, even while the engine thinks. The drawing and the selectable sites must always
 * belong to the position that the page names.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { drawing, drawingOf, GAMES, GameTab, seededRandom, setUpBrowser } from "./page.js";

/** The minimum number of steps, the maximum on a busy machine, and the number of positions that must be seen. */
const STEPS = 120;
const MOST_STEPS = 1200;
const POSITIONS = 9;
/** The choices of players, with their indices in the dialog. */
const PLAYERS = { "a person and the engine": 0, "two people": 2 };

const suite = setUpBrowser();

for (const [who, players] of Object.entries(PLAYERS)) {
    for (const [game, options] of GAMES.filter(([, { Bushka_Board }]) => !Bushka_Board)) {
        const name = `${game} ${Object.values(options)}`.trim();
        test(`the page never shows another position: ${name}, ${who}`, async (context) => {
            const tab = await GameTab.open(suite);
            const engine = new EngineSession(game, options);
            context.after(() => engine.close());
            await tab.startGame(game, options, players);
            for (const panel of ["position", "analysis"]) await tab.openPanel(panel);
            await tab.page.check("#analysing");
            const [board] = await engine.query("board");
            const fens = await randomFens(engine, seededRandom(7));
            const number = seededRandom(3);
            const seen = new Set();
            for (let step = 0; step < STEPS || (seen.size < POSITIONS && step < MOST_STEPS); step += 1) {
                const action = ACTIONS[number(ACTIONS.length)];
                // Responses are late. They come after other requests.
                await tab.page.evaluate(holdResponses, number(3) === 0);
                await action(tab, number, fens);
                await assertConsistent(tab, engine, board, `${action.name} ${step}`);
                await tab.page.evaluate(releaseResponses, number(40));
                seen.add(await assertConsistent(tab, engine, board, `${action.name} ${step}, later`));
            }
            await tab.page.evaluate(holdResponses, false);
            // In a game of people, the engine does not move.
            for (const side of await tab.page.locator(".side select").all()) await side.selectOption("person");
            await tab.page.uncheck("#analysing");
            await tab.page.click("#last", { force: true });
            const now = await tab.snapshot();
            await assertConsistent(tab, engine, board, "end");
            await engine.send(`position fen ${now.fen}`);
            const first = (await engine.moveDetails()).map(({ clicks }) => clicks[0]);
            assert.deepEqual(now.selectable, [...new Set(first)].sort(), now.fen);
            assert.ok(seen.size >= POSITIONS, `${seen.size} positions were seen`);
            await tab.close();
        });
    }
}

/** Returns an action that clicks a button without waiting. */
const clickButton = (id) => ({ page }) => page.evaluate((id) => document.getElementById(id).click(), id);
const clickSelectableSite = async ({ page }, number) => {
    // This clicks any selectable site. Several clicks in a row often make a move.
    await page.evaluate((number) => {
        const open = document.querySelectorAll('#board [data-site][aria-disabled="false"]');
        open[number % open.length]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }, number(1000));
};
const editPosition = async (tab, number, fens) => {
    await tab.page.fill("#fen", fens[number(fens.length)]);
    await tab.page.evaluate(holdResponses, false);
    await tab.waitUntilIdle();
    await clickButton("fen-play")(tab);
};
const ACTIONS = [
    ...Array(6).fill(clickSelectableSite), editPosition,
    ...["undo", "undo", "first", "back", "forward", "last", "play-on", "hint"].map(clickButton),
    ...["promote", "delete", "deeper", "review"].map(clickButton),
];

/** Starts or ends holding back responses. */
async function holdResponses(held) {
    const { watch } = window;
    if (held) watch.heldResponses ??= [];
    else if (watch.heldResponses) await watch.release(Infinity);
    if (!held) watch.heldResponses = null;
}

/** Delivers some responses that were held back. */
function releaseResponses(count) {
    return window.watch.release(count);
}

/** Returns the FENs of the positions of a random game. */
async function randomFens(engine, number) {
    const fens = [];
    await engine.send("position startpos");
    for (let count = 0; count < 12; count += 1) {
        const [line] = await engine.ask("legal");
        const moves = line.split(" ").slice(2);
        if (moves.length === 0) break;
        await engine.send(`play ${moves[number(moves.length)]}`);
        fens.push((await engine.query("scene"))[0].fen);
    }
    return fens;
}

/** Checks that the page draws the position that it names. Returns this position. */
async function assertConsistent(tab, engine, board, place) {
    const now = await tab.snapshotNow();
    const position = `${now.start} moves ${now.line.join(" ")}`;
    const [scene] = await engine.query(`scene ${position}`);
    assert.deepEqual(drawingOf(now), drawing(board, scene), `${place}: ${position}`);
    return position;
}
