/** The state of the page and its subscribers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setState, state, subscribe } from "../../src/page/core/state.js";

test("calls only the subscribers of changed parts", () => {
    const drawn = [];
    subscribe(() => [state.app.note], ([old]) => drawn.push(`${old} ${state.app.note}`));
    subscribe(() => [state.board.flipped, state.analysis.lineCount], () => drawn.push("board"));
    setState();
    assert.deepEqual(drawn.splice(0), ["undefined ", "board"]);
    setState({ app: { note: "a" } });
    setState({ app: { note: "a" }, analysis: { lineCount: 3 } });
    setState({ analysis: { lineCount: 4 } });
    assert.deepEqual(drawn, [" a", "board"]);
});

test("a change by a subscriber takes effect at once", () => {
    const drawn = [];
    subscribe(() => [state.app.note], () => state.app.note === "long" && setState({ app: { note: "short" } }));
    subscribe(() => [state.app.note], () => drawn.push(state.app.note));
    setState({ app: { note: "long" } });
    assert.deepEqual(drawn.at(-1), "short");
});

test("later changes override earlier ones, and other fields stay", () => {
    const { lineCount } = state.analysis;
    setState({ analysis: { isOn: true }, board: { flipped: true } }, { board: { flipped: false } });
    assert.deepEqual([state.analysis.isOn, state.board.flipped, state.analysis.lineCount], [true, false, lineCount]);
});
