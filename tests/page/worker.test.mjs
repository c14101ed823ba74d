/** The worker of the static page and the WebAssembly module that it runs. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../src/crates/web/", import.meta.url);

/** Returns the sorted names that the first group of a pattern matches in a file. */
function names(file, pattern) {
    const text = readFileSync(new URL(file, WEB), "utf8");
    return [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
}

// The module is built by another tool, so no type check connects the two files.
test("the worker calls each function of the module by its name", () => {
    const called = names("page/worker.js", /\bengine\.(\w+)\(/g);
    assert.deepEqual([...called, "new"].sort(), names("src/lib.rs", /^ {4}pub fn (\w+)/gm));
});
