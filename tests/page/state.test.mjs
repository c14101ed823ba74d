/** The state of the page and its subscribers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setState, state, subscribe } from "../../src/page/core/state.js";

test("calls only the subscribers of changed parts", () => {
    const drawn = [];
    subscribe(() => [state.note], ([old]) => drawn.push(`${old} ${state.note}`));
    subscribe(() => [state.flipped, state.lineCount], () => drawn.push("board"));
    setState();
    assert.deepEqual(drawn.splice(0), ["undefined ", "board"]);
    setState({ note: "a" });
    setState({ note: "a", lineCount: 3 });
    setState({ lineCount: 4 });
    assert.deepEqual(drawn, [" a", "board"]);
});

test("a change by a subscriber takes effect at once", () => {
    const drawn = [];
    subscribe(() => [state.note], () => state.note === "long" && setState({ note: "short" }));
    subscribe(() => [state.note], () => drawn.push(state.note));
    setState({ note: "long" });
    assert.deepEqual(drawn.at(-1), "short");
});
