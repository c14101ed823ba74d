/** The tree of a game and its variations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedMovesAfter } from "../../src/page/game/game-file.js";
import { GameNode } from "../../src/page/core/game-tree.js";

/** Adds moves that two players make in turn. */
const grow = (node, moves, first = 0) =>
    moves.split(" ").reduce((last, move, index) => last.addMove(move, (first + index) % 2), node);

test("moves are numbered by rounds, for any first player and number of players", () => {
    assert.equal(grow(new GameNode(), "a b c").name, "2. c");
    assert.equal(grow(new GameNode(), "a b", 1).name, "2. b");
    const root = new GameNode();
    let node = root;
    // In the second round, the rules skip the third of the four players.
    for (const player of [0, 1, 2, 3, 0, 1, 3, 0]) node = node.addMove(String(player), player);
    assert.deepEqual(node.path.map(({ number }) => number), ["1.", "1…", "1…", "1…", "2.", "2…", "2…", "3."]);
});

test("a repeated move leads to the same position", () => {
    const root = new GameNode();
    assert.equal(grow(root, "a b"), grow(root, "a b"));
    grow(root, "a c");
    assert.deepEqual(recordedMovesAfter(root), ["a", "b", ["c"]]);
});

test("a promoted variation becomes the main line, first within its own variation", () => {
    const root = new GameNode();
    const tip = grow(root, "a b c");
    const [other, deeper] = [grow(root, "a d e"), grow(root, "a d f")];
    const starts = [other, deeper, tip].map((node) => node.variationStart(tip)?.move);
    assert.deepEqual(starts, ["d", "f", undefined]);
    deeper.moveToFront();
    assert.equal(deeper.variationStart(tip)?.move, "d");
    deeper.makeMainLine();
    assert.deepEqual(recordedMovesAfter(root), ["a", "d", ["b", "c"], "f", ["e"]]);
    assert.deepEqual([root.lineEnd, deeper.siblingAt(1), root.siblingAt(1)], [deeper, other, null]);
});

test("a removed position is no longer in the tree", () => {
    const root = new GameNode();
    const end = grow(root, "a b c");
    assert.equal(end.isInTree(root), true);
    end.path[1].remove();
    assert.deepEqual([end, end.path[0], root].map((node) => node.isInTree(root)), [false, true, true]);
    assert.equal(root.isInTree(new GameNode()), false);
    assert.equal(end.path[1].contains(end), true);
});
