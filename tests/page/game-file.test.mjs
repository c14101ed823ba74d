/** Files of games. The page reads the files that it writes, and rejects other forms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { allLinesFromStart, decodeGameFile, formatGamesFile, formatRecord, recordedMovesAfter, parseGamesFile,
    parseGameSetup } from "../../src/page/game/game-file.js";
import { addNotesToTree, sanitizeComment } from "../../src/page/game/notes.js";
import { faultTextRange } from "../../src/page/app/position-panel.js";
import { GameNode } from "../../src/page/core/game-tree.js";

/** Returns a saved game. */
const game = (changes = {}) => ({
    id: "1", name: "", begun: "2026-01-02T03:04:05.678Z", changed: "2026-01-02T03:04:05.678Z", game: "quoridor",
    options: { Quoridor_Walls: "3" }, players: ["person", "engine"], level: "casual", seconds: 2, clock: null,
    times: [0, 0], start: null, moves: [], played: 0, end: null, outcome: "ongoing", ...changes,
});

/** Returns the root of a tree with these lines. */
function tree(...lines) {
    const root = new GameNode();
    for (const line of lines) [...line].reduce((node, move, index) => node.addMove(move, index % 2), root);
    return root;
}

test("moves are written with nested variations, and give the same lines", () => {
    for (const [lines, moves] of [
        [[""], []],
        [["abc"], ["a", "b", "c"]],
        [["abc", "x"], ["a", ["x"], "b", "c"]],
        [["abc", "abd", "aefg", "aefh", "x"], ["a", ["x"], "b", ["e", "f", "g", ["h"]], "c", ["d"]]],
    ]) {
        const root = tree(...lines);
        assert.deepEqual(recordedMovesAfter(root), moves);
        const again = allLinesFromStart(moves);
        assert.equal(again[0].join(""), lines[0]);
        assert.deepEqual(recordedMovesAfter(tree(...again)), moves);
    }
});

test("reads the games that it has written, and rejects missing fields", () => {
    const other = { moves: ["e2", ["e3", "e8"]], end: { resign: "white" }, clock: { minutes: 3, increment: 2 } };
    const games = [game(), game(other)];
    assert.deepEqual(parseGamesFile(formatGamesFile(games)), { games, errors: [] });
    assert.deepEqual(parseGamesFile(formatGamesFile([{ ...game(), more: 1 }])).games, [game()]);
    assert.equal(parseGamesFile(formatGamesFile([game({ begun: "today" }), game()])).errors.length, 1);
    assert.equal(parseGamesFile(formatGamesFile([game({ moves: ["e2", ["e3", "e8"]], played: 2 })])).errors.length, 1);
    assert.throws(() => parseGamesFile("{}"), /not a file of games/);
    assert.throws(() => parseGamesFile(formatGamesFile([]).replace("1", "2")), /another version/);
    assert.equal(parseGameSetup({ game: "quoridor" }), null);
    const names = ["game", "options", "players", "level", "seconds", "clock", "fairStart"];
    assert.deepEqual(Object.keys(parseGameSetup(game())), names);
    // A setup of an earlier version of the page does not name its way to begin.
    assert.equal(parseGameSetup(game()).fairStart, "");
    assert.equal(parseGameSetup({ ...game(), fairStart: "swap" }).fairStart, "swap");
});

test("rejects games with too many moves in all lines, and files with too many games", () => {
    const variations = (count) => Array.from({ length: count }, (_, index) => [String(index)]);
    const read = (...moves) => parseGamesFile(formatGamesFile([game({ moves })]));
    // The file has 1000 moves, and variations of 1000 moves each from the start.
    const line = Array(1000).fill("e2");
    assert.equal(read(...line, ...variations(199)).games.length, 1);
    assert.deepEqual(read(...line, ...variations(200)).errors.map((why) => /^Game 1: .* too long/.test(why)), [true]);
    // Nested variations also count.
    assert.equal(read(...line, [...line, ...variations(101)]).errors.length, 1);
    assert.equal(parseGamesFile(formatGamesFile(Array(5000).fill(game()))).games.length, 5000);
    assert.throws(() => parseGamesFile(formatGamesFile(Array(5001).fill(game()))), /has 5001 games/);
});

test("notes are saved, and invalid notes are rejected", () => {
    const note = { comment: "<b>} good", glyphs: [1, 14], clock: 61_500, evaluation: { cp: -35, depth: 12 } };
    const moves = [{ comment: "a [%clk 0:00:01]" }, "e2", note, ["e3", { comment: "+1.00/2" }, ["d1"]], "e8"];
    const kept = game({ moves, played: 2, tags: [["P1", 'Ada "King"'], ["P2", ""], ["Event", " x "]] });
    assert.deepEqual(parseGamesFile(formatGamesFile([kept])).games, [kept]);
    assert.equal(formatRecord(kept), '[Game "quoridor"]\n[Option "Quoridor_Walls=3"]\n[P1 "Ada \\"King\\""]\n'
        + '[P2 ""]\n[Event " x "]\n'
        + "{a [[%clk 0:00:01]} e2 $1 $14 {-0.35/12} {[%clk 0:01:01.500]} {<b>}} good} (e3 { +1.00/2} (d1)) e8 *");
    const root = tree(["e2", "e8"], ["e3"], ["d1"]);
    addNotesToTree(root, moves);
    assert.deepEqual(root.children.map(({ notes }) => notes.comment), ["<b>} good", "+1.00/2", undefined]);
    const expected = [{ comment: "a [%clk 0:00:01]" }, "e2", note, ["e3", { comment: "+1.00/2" }], ["d1"], "e8"];
    assert.deepEqual(recordedMovesAfter(root), expected);
    for (const bad of [{}, { comment: "" }, { comment: "a\u0007" }, { comment: "a\nb" },
        { comment: "x".repeat(30_000) }, { glyphs: [256] },
        { glyphs: "!" }, { clock: -1 }, { clock: 36_000_000_000 }, { evaluation: { cp: 1 } }, { markup: "x" },
        { __proto__: null, comment: ["x"] }]) {
        const { games } = parseGamesFile(formatGamesFile([game({ moves: ["e2", bad] })]));
        assert.equal(games.length, 0, JSON.stringify(bad));
    }
    const nested = (depth) => (depth > 0 ? ["e2", nested(depth - 1)] : ["e2"]);
    assert.equal(parseGamesFile(formatGamesFile([game({ moves: nested(100) })])).games.length, 1);
    assert.equal(parseGamesFile(formatGamesFile([game({ moves: nested(101) })])).games.length, 0);
    assert.equal(parseGamesFile(formatGamesFile([game({ tags: [["P1", "a\nb"]] })])).games.length, 0);
    assert.equal(sanitizeComment(" a\u001b[2J\n b "), "a[2J b");
});

test("signs are saved, and follow their moves in the record", () => {
    const kept = game({ game: "alcaxar", options: {},
        moves: ["Kb6", { signs: "≠", glyphs: [1] }, ["e8d9", { signs: "+" }], "Kh4"], played: 2 });
    assert.deepEqual(parseGamesFile(formatGamesFile([kept])).games, [kept]);
    assert.equal(formatRecord(kept), '[Game "alcaxar"]\nKb6≠ $1 (e8d9+) Kh4 *');
    for (const signs of ["", "x", 1]) {
        const { games } = parseGamesFile(formatGamesFile([game({ moves: ["e2", { signs }] })]));
        assert.equal(games.length, 0, String(signs));
    }
});

test("the record has the played moves", () => {
    const text = formatRecord(game({ moves: ["e2", ["e3"], "e8", "d2"], played: 2, start: "e1e9 - w 3/3 1" }));
    assert.equal(text, '[Game "quoridor"]\n[Option "Quoridor_Walls=3"]\n[Fen "e1e9 - w 3/3 1"]\ne2 (e3) e8 *');
});

test("finds a fault by the move or the line that the engine names", () => {
    const text = '[Game "quoridor"]\n1. e2 {e5 [x]} e8; e5\n2.e5 $1 e5 *';
    const place = (fault) => faultTextRange(text, { line: null, move: null, column: null, ...fault });
    assert.deepEqual(place({ move: 3 }), [text.indexOf("2.e5") + 2, text.indexOf("2.e5") + 4]);
    assert.equal(text.slice(...place({ move: 4 })), "e5");
    assert.equal(place({ move: 4 })[0], text.lastIndexOf("e5"));
    assert.equal(text.slice(...place({ line: 2, column: 4 })), "e2 {e5 [x]} e8; e5");
    assert.deepEqual(place({}), [0, 0]);
    assert.deepEqual(place({ move: 99 }), [0, 0]);
});

test("SGF is decoded by the character set that it names, and guesses are reported", () => {
    const decoded = (/** @type {string} */ text) => {
        const { text: found, warning } = decodeGameFile(Buffer.from(text, "latin1"));
        return [found, warning ?? ""];
    };
    const utf8 = (/** @type {string} */ text) => Buffer.from(text, "utf8").toString("latin1");
    assert.deepEqual(decoded(utf8("e2 {Zoë}")), ["e2 {Zoë}", ""]);
    assert.deepEqual(decoded(utf8("(;PB[Zoë])")), ["(;PB[Zoë])", ""]);
    assert.deepEqual(decoded("(;PB[\\]CA[x]CA[ISO-8859-1]PW[Zo\xeb])"), ["(;PB[\\]CA[x]CA[ISO-8859-1]PW[Zoë])", ""]);
    assert.deepEqual(decoded("(;CA[Shift_JIS]PB[\x96{\x88\xf6])"), ["(;CA[Shift_JIS]PB[本因])", ""]);
    for (const start of ["(;", "(;CA[utf-8]", "(;B[aa];CA[x]"]) {
        assert.deepEqual(decoded(`${start}PB[Zo\xeb])`),
            [`${start}PB[Zoë])`, "the file is not UTF-8, and was read as Latin-1"]);
    }
    assert.deepEqual(decoded("(;CA[x])"), ["(;CA[x])", 'the character set "x" is unknown']);
    assert.deepEqual(
        decoded("(;CA[Shift_JIS]C[\x95\\\x83]\\\x83\\](;B[aa]))\n(;CA[UTF-8]C[\xc3\xab])(;C[\xeb\\])])(;CA[x])\n"),
        ["(;CA[Shift_JIS]C[表ゾ\\ソ](;B[aa]))\n(;CA[UTF-8]C[ë])(;C[ë\\])])(;CA[x])\n",
            'the file is not UTF-8, and was read as Latin-1; the character set "x" is unknown'],
    );
    assert.throws(() => decoded("(;CA[Shift_JIS]C[\xff])"), /not in its character set, Shift_JIS/);
    assert.throws(() => decoded("e2 \xeb"), /not in its character set, UTF-8/);
});
