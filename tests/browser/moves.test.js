/**
 * Every legal move of some positions of each game, by mouse clicks. The selectable sites, the move and
 * the drawing after it are compared with a separate session.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineSession } from "./engine.js";
import { drawing, drawingOf, GameTab, setUpBrowser } from "./page.js";

/** Properties that some move of the positions must have. They ensure that the test covers difficult clicks. */
const LONG = ({ clicks }) => clicks.length >= 4;
const HUFF = ({ move }) => move.startsWith("h");
const STOP = ({ clicks, captured }) => clicks.length === 2 && captured.length === 1;
const PHALANX = ({ moved }) => moved.length > 1;
const TURN = (degrees) => (details) => details.degrees === degrees;
const WALL = ({ placed }) => placed.length === 1;

/**
 * Games with their options, required properties and positions.
 *
 * @type {[string, Record<string, string>, ((details: any) => boolean)[], string[]][]}
 */
const POSITIONS = [
    ["alcaxar", {}, [TURN(90), TURN(180)], [
        "b8h2 b5c6d7e2e8f3g4h5 r - 1",
        "b8h2 b5b7d7d9e2f3g4h5 r b7 2",
        "b6f2 b5c6d7e2e6f3g4h5 g h5 4",
        "d6f4 a2a4a6a8b1d1f1h1 r - 10",
        "d6f4 b9d9f9h9i2i4i6i8 g i8 10",
    ]],
    ["alquerque", { Alquerque_MissedCapture: "huff", Alquerque_MultiCapture: "stop" }, [LONG, HUFF, STOP], [
        "xxxxx/xxxxx/xx1oo/ooooo/ooooo l - - - 1",
        "1x1xx/1xxo1/1o3/x1ooo/1o1o1 d b4c5d2c1 - - 10",
        "xxxx1/xxx1o/1x1o1/oxoo1/ooxoo d d2e2 - a1 4",
        "1xxx1/xxo1x/xx1oo/1xooo/3oo l c4d4e4e5 - b4c5 6",
    ]],
    ["alquerque", { Alquerque_Ruleset: "bell" }, [LONG], [
        "5/3oo/3ox/5/5 d - - - 1",
    ]],
    ["roses", {}, [LONG], [
        "c/4/5/5/4/C w 4/4 1",
        "c/1ss1/5/2SSS/4/C b 0/0 7",
        "c/1SS1/s4/1sSSs/1s2/C w 0/0 12",
        "c/2s1/1SSS1/2S1s/ss2/C w 0/0 21",
        "c/2sS/2ss1/1Ss2/1SS1/C b 0/0 14",
    ]],
    ["quoridor", {}, [WALL], [
        "d2e6 a1hb3vb5hd4he2vh8h b 6/8 12",
    ]],
    ["quoridor", { Quoridor_BoardSize: "5" }, [WALL], [
        "c1c5 - w 10/10 1",
        "c3c4 - b 10/10 2",
        "c2c3 b1vb3hd3v w 8/9 4",
        "b2b3 a2hb3hc1v b 8/9 6",
    ]],
    ["quoridor", { Quoridor_Players: "4", Quoridor_BoardSize: "5" }, [WALL], [
        "c1a3c5e3 - 1 5/5/5/5 1",
        "c2b3c4d3 a1hc2v 2 5/4/5/4 3",
        "c2c3c4b4 a1vb1hc3hd1h 4 5/5/5/1 6",
    ]],
    ["quoridor", { Quoridor_Players: "4", Quoridor_BoardSize: "5", Quoridor_Teams: "true" }, [WALL], [
        "c2b3c4d3 a1hc2v 3 5/4/5/4 3",
    ]],
    ["bushka", {}, [LONG, PHALANX], [
        "1b1b1b1b1b/b1b1b1b1b1/1b1b1b1b1b/10/10/10/10/w1w1w1w1w1/1w1w1w1w1w/w1w1w1w1w1 w 1",
        "3b6/2b7/3b6/2w5b1/3w3b2/2b1w1b3/5w4/6w3/3w3w1w/w5w3 w 18",
        "5b4/b9/9b/6b1b1/1b1w1w1b2/2w1b5/7w2/2w3w1w1/5w4/8w1 b 20",
        "10/b3b5/1b1b1b1b2/b5b1b1/10/w1w1b5/1b8/w7w1/9w/w1w1w5 w 21",
        "5W4/10/10/10/3w3b2/6b1w1/3B6/10/10/10 w 36",
    ]],
    ["bushka", { Bushka_Board: "11x9" }, [LONG, PHALANX], [
        "2b1b6/3b7/b1b1w1b1b2/1b7b1/w7b1w/3b3b1w1/6b3w/5b5/11 b 21",
        "11/3w1w5/8b2/7w3/8w2/11/w10/9w1/2w1B6 b 30",
        "11/11/6W1b1b/5w3b1/4w3w1w/3b1B3w1/10w/11/11 w 26",
    ]],
];

let tab;
setUpBrowser(async (suite) => (tab = await GameTab.open(suite)));

for (const [game, options, required, fens] of POSITIONS) {
    test(`every legal move of positions of ${game} ${Object.values(options).join(" ")}`, async (context) => {
        const engine = new EngineSession(game, options);
        context.after(() => engine.close());
        await tab.startGame(game, options);
        const [board] = await engine.query("board");
        let missing = required;
        for (const fen of fens) {
            await engine.send(`position fen ${fen}`);
            const moves = await engine.moveDetails();
            missing = missing.filter((found) => !moves.some(found));
            await tab.setUpPosition(fen);
            for (const move of moves) await checkMove(engine, board, fen, moves, move);
        }
        assert.deepEqual(missing, []);
        assert.deepEqual(tab.errors, []);
    });
}

/** Makes a move by clicks. Then takes it back. */
async function checkMove(engine, board, fen, moves, { move, clicks }) {
    const place = `${fen} ${move}`;
    for (let count = 0; count < clicks.length; count += 1) {
        const begun = clicks.slice(0, count);
        const begins = moves.filter((other) => begun.every((site, index) => other.clicks[index] === site));
        const next = begins.flatMap((other) => other.clicks[count] ?? []);
        const { selectable } = await tab.snapshot();
        assert.deepEqual(selectable, [...new Set([...next, ...begun])].sort(), `${place} ${begun}`);
        await tab.clickSite(clicks[count]);
    }
    const { ready, moves: made } = await tab.snapshot();
    const goesOn = ({ clicks: other }) =>
        other.length > clicks.length && clicks.every((site, index) => site === other[index]);
    if (moves.some(goesOn)) {
        assert.deepEqual([ready?.includes(move), made], [true, []], place);
        await tab.page.click("#confirm");
    }
    const now = await tab.snapshot();
    assert.deepEqual(now.moves, [move], place);
    const [scene] = await engine.query(`scene fen ${fen} moves ${move}`);
    assert.equal(now.fen, scene.fen, place);
    assert.deepEqual(drawingOf(now), drawing(board, scene), place);
    await tab.page.click("#undo");
    await tab.waitUntilIdle();
}
