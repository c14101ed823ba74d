/**
 * However fast people navigate, even while the engine thinks, the drawing and the selectable sites
 * always belong to the position that the page names.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.js";
import { drawing, drawn, GAMES, random, setUp, Table } from "./page.js";

/** The minimum number of steps, and the maximum on a busy machine; and the positions that must be seen. */
const STEPS = 120;
const MOST_STEPS = 1200;
const POSITIONS = 9;
/** The choices of players, with their indices in the dialog. */
const PLAYERS = { "a person and the engine": 0, "two people": 2 };

const own = setUp();

for (const [who, players] of Object.entries(PLAYERS)) {
    for (const [game, options] of GAMES.filter(([, { Bushka_Board }]) => !Bushka_Board)) {
        const name = `${game} ${Object.values(options)}`.trim();
        test(`the page never shows another position: ${name}, ${who}`, async (context) => {
            const table = await Table.open(own);
            const engine = new Engine(game, options);
            context.after(() => engine.close());
            await table.begin(game, options, players);
            for (const panel of ["position", "analysis"]) await table.unfold(panel);
            await table.page.check("#analysing");
            const [board] = await engine.json("board");
            const fens = await positions(engine, random(7));
            const number = random(3);
            const seen = new Set();
            for (let step = 0; step < STEPS || (seen.size < POSITIONS && step < MOST_STEPS); step += 1) {
                const action = ACTIONS[number(ACTIONS.length)];
                // Responses are late, and come after other requests.
                await table.page.evaluate(hold, number(3) === 0);
                await action(table, number, fens);
                await agrees(table, engine, board, `${action.name} ${step}`);
                await table.page.evaluate(release, number(40));
                seen.add(await agrees(table, engine, board, `${action.name} ${step}, later`));
            }
            await table.page.evaluate(hold, false);
            // The engine does not move in a game of people.
            for (const side of await table.page.locator(".side select").all()) await side.selectOption("person");
            await table.page.uncheck("#analysing");
            await table.page.click("#last", { force: true });
            const now = await table.shown();
            await agrees(table, engine, board, "end");
            await engine.tell(`position fen ${now.fen}`);
            const first = (await engine.moves()).map(({ clicks }) => clicks[0]);
            assert.deepEqual(now.open, [...new Set(first)].sort(), now.fen);
            assert.ok(seen.size >= POSITIONS, `${seen.size} positions were seen`);
            await table.close();
        });
    }
}

/** Returns an action that clicks a button without waiting. */
const press = (id) => ({ page }) => page.evaluate((id) => document.getElementById(id).click(), id);
const move = async ({ page }, number) => {
    // Click any selectable site; several in a row often make a move.
    await page.evaluate((number) => {
        const open = document.querySelectorAll('#board [data-site][aria-disabled="false"]');
        open[number % open.length]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }, number(1000));
};
const editPosition = async (table, number, fens) => {
    await table.page.fill("#fen", fens[number(fens.length)]);
    await table.page.evaluate(hold, false);
    await table.settled();
    await press("fen-play")(table);
};
const ACTIONS = [
    move, move, move, move, move, move, editPosition,
    ...["undo", "undo", "first", "back", "forward", "last", "play-on", "hint"].map(press),
    ...["promote", "delete", "deeper", "review"].map(press),
];

/** Starts or ends holding responses back. */
async function hold(held) {
    const { watch } = window;
    if (held) watch.held ??= [];
    else if (watch.held) await watch.release(Infinity);
    if (!held) watch.held = null;
}

/** Delivers some responses that were held back. */
function release(count) {
    return window.watch.release(count);
}

/** Returns the FENs of the positions of a random game. */
async function positions(engine, number) {
    const fens = [];
    await engine.tell("position startpos");
    for (let count = 0; count < 12; count += 1) {
        const [line] = await engine.ask("legal");
        const moves = line.split(" ").slice(2);
        if (moves.length === 0) break;
        await engine.tell(`play ${moves[number(moves.length)]}`);
        fens.push((await engine.json("scene"))[0].fen);
    }
    return fens;
}

/** Checks that the page draws the position that it names, and returns that position. */
async function agrees(table, engine, board, place) {
    const now = await table.glimpse();
    const position = `${now.start} moves ${now.line.join(" ")}`;
    const [scene] = await engine.json(`scene ${position}`);
    assert.deepEqual(drawn(now), drawing(board, scene), `${place}: ${position}`);
    return position;
}
