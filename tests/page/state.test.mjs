/** The state of the page, and what is drawn of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { change, state, whenever } from "../../src/page/state.js";

test("what has changed is drawn, and nothing else", () => {
    const drawn = [];
    whenever(() => [state.note], ([old]) => drawn.push(`${old} ${state.note}`));
    whenever(() => [state.flipped, state.lineCount], () => drawn.push("board"));
    change();
    assert.deepEqual(drawn.splice(0), ["undefined ", "board"]);
    change({ note: "a" });
    change({ note: "a", lineCount: 3 });
    change({ lineCount: 4 });
    assert.deepEqual(drawn, [" a", "board"]);
});

test("a change while something is drawn is drawn at once", () => {
    const drawn = [];
    whenever(() => [state.note], () => state.note === "long" && change({ note: "short" }));
    whenever(() => [state.note], () => drawn.push(state.note));
    change({ note: "long" });
    assert.deepEqual(drawn.at(-1), "short");
});
