/** Links. The page reads the links that it writes, and reports invalid fields. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsDroppedFromLink, formatGameLink, formatProblemLink, linkFieldsInvalidForGame, linkFieldsUnusedByProblem,
    parseGameLink, shortenInvalidLink } from "../../src/page/game/game-link.js";
import { GameNode } from "../../src/page/core/game-tree.js";

const OPTIONS = [{ name: "Quoridor_Walls", default: 10 }, { name: "Quoridor_Players", default: "2" }];

/** Returns the state of the page after these moves. */
function shown(moves, changes = {}) {
    const line = [new GameNode()];
    for (const [index, move] of moves.entries()) line.push(line[index].addMove(move, index % 2));
    const { ply = moves.length, ...others } = changes;
    const options = { Quoridor_Walls: "3", Quoridor_Players: "2" };
    return {
        setup: { game: "quoridor", options, players: ["person", "engine"] },
        start: null, tip: line.at(-1), viewedNode: line[ply], flipped: false, options: OPTIONS, ...others,
    };
}

test("reads the links that it writes", () => {
    const written = shown(["e2", "e8"], { ply: 1, flipped: true, start: "e1e9 - w 10/10 1" });
    const { hash, hasMoves } = formatGameLink(written);
    assert.ok(hasMoves);
    assert.deepEqual(parseGameLink(`#${hash}`), {
        game: "quoridor", options: { Quoridor_Walls: "3" }, start: "e1e9 - w 10/10 1", moves: ["e2", "e8"],
        players: ["person", "engine"], ply: 1, flipped: true, isProblem: false, record: null, faults: [],
    });
    assert.deepEqual(parseGameLink(`#${formatGameLink(shown([])).hash}`), {
        game: "quoridor", options: { Quoridor_Walls: "3" }, start: null, moves: [], players: ["person", "engine"],
        ply: null, flipped: false, isProblem: false, record: null, faults: [],
    });
});

test("a link has the notes if they are short enough", () => {
    const record = "e2! {<b> & \u202e é #?%} (e3) e8 *";
    const { hash, hasMoves, omitsNotes } = formatGameLink(shown(["e2", "e8"]), record);
    assert.deepEqual([hasMoves, omitsNotes, parseGameLink(`#${hash}`)?.record, parseGameLink(`#${hash}`)?.moves],
        [true, false, record, []]);
    const long = formatGameLink(shown(["e2", "e8"]), `e2 {${"x".repeat(5000)}} e8 *`);
    const { moves } = parseGameLink(`#${long.hash}`) ?? {};
    assert.deepEqual([long.hasMoves, long.omitsNotes, moves], [true, true, ["e2", "e8"]]);
    assert.ok(shortenInvalidLink(/** @type {any} */ (parseGameLink(`#${hash}`)),
        null).every((link) => link.record === null));
});

test("a link to a problem needs a position", () => {
    const link = parseGameLink(`#${formatProblemLink("roses", "c/4/5 b 0/0 1")}`);
    assert.deepEqual([link?.game, link?.start, link?.isProblem, link?.options], ["roses", "c/4/5 b 0/0 1", true, {}]);
    assert.deepEqual(parseGameLink("#game=Roses&fen=x")?.game, "roses", "the case does not matter");
    for (const hash of ["#game=roses&problem=1", "#game=roses&fen=x&problem=yes", "#game=roses&fen=x"]) {
        assert.equal(parseGameLink(hash)?.isProblem, false, hash);
    }
});

test("a link omits all moves if they are too many", () => {
    const { hash, hasMoves } = formatGameLink(shown(Array.from({ length: 2000 }, () => "e2")));
    assert.ok(!hasMoves && hash.length < 100);
    assert.deepEqual(parseGameLink(`#${hash}`)?.moves, []);
});

test("rejects addresses that are not links, and reports each field that it cannot use", () => {
    for (const hash of ["", "#", "#moves=e2", "#game", "#%", "#game=&x"]) assert.equal(parseGameLink(hash), null);
    const invalid = "#game=quoridor&players=person+dog&ply=1e3&turned=yes&__proto__=1&moves=+e2++e8+&problem=1";
    const link = parseGameLink(invalid);
    assert.deepEqual([link?.players, link?.ply, link?.flipped, link?.moves], [null, null, false, ["e2", "e8"]]);
    assert.deepEqual(link?.faults.map(({ kind, name, value }) => [kind, name, value]), [
        ["value", "players", "person dog"], ["value", "ply", "1e3"], ["value", "turned", "yes"],
        ["missing", "fen", ""],
    ]);
    const twice = parseGameLink("#game=quoridor&Quoridor_Walls=3&game=roses&Quoridor_Walls=4&moves=e2&record=e2+*");
    assert.deepEqual([twice?.game, twice?.options], ["quoridor", { Quoridor_Walls: "3" }]);
    assert.deepEqual(twice?.faults.map(({ kind, name }) => `${kind} ${name}`),
        ["duplicate game", "duplicate Quoridor_Walls", "unused moves"]);
    const long = parseGameLink(`#game=${"x".repeat(200_000)}`);
    assert.deepEqual([long?.game.length, long?.faults.map(({ kind }) => kind)], [99_994, ["length"]]);
});

test("reports the fields that the game or the problem of a link cannot use", () => {
    const names = (faults) => faults.map(({ name }) => name);
    const parse = (hash) => /** @type {any} */ (parseGameLink(hash));
    const link = parse("#game=quoridor&players=person+person+engine&ply=4&moves=e2+e8+e3");
    assert.deepEqual(names(linkFieldsInvalidForGame(link, 2, 3)), ["players", "ply"]);
    assert.deepEqual(names(linkFieldsInvalidForGame(link, 3, 4)), []);
    const problem = parse("#game=quoridor&fen=x&problem=1&Quoridor_Walls=3&turned=1&moves=e2&ply=0");
    assert.deepEqual(names(linkFieldsUnusedByProblem(problem)), ["Quoridor_Walls", "moves", "ply", "turned"]);
    assert.deepEqual(linkFieldsUnusedByProblem(parse(`#${formatProblemLink("quoridor", "x")}`)), []);
});

test("an invalid link is shortened to its legal moves, its position, its rules and its game", () => {
    const link = parseGameLink("#game=quoridor&Quoridor_Walls=3&fen=x&moves=e2+e8+e9&ply=3");
    const left = shortenInvalidLink(link, 3).map(({ moves, start, options, ply }) =>
        [moves.length, start, Object.keys(options).length, ply]);
    assert.deepEqual(left, [[2, "x", 1, 3], [0, "x", 1, 3], [0, null, 1, 3], [0, null, 0, 3]]);
    assert.deepEqual(shortenInvalidLink(link, null)[0].moves, []);
    const parts = shortenInvalidLink(link, 3);
    const dropped = parts.map((part) => fieldsDroppedFromLink(link, part).map(({ name }) => name));
    assert.deepEqual(dropped, [[], ["moves"], ["fen", "moves"], ["Quoridor_Walls", "fen", "moves"]]);
});
