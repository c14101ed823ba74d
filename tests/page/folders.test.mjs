/** The folders of the page and the imports between them. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../../src/", import.meta.url);
/** The folders in the order of their imports: a folder imports only itself and the folders before it. */
const FOLDERS = ["core", "engine", "game", "board", "analysis", "learn", "app", "offline"];
/** The folders of the page, and of the scripts that replace the server. */
const ROOTS = ["page/", "crates/web/page/"];

/** Returns each script as its folder, its name, and the folders and names that it imports. */
function readScripts() {
    const scripts = [];
    for (const root of ROOTS) {
        for (const folder of FOLDERS.filter((name) => existsSync(new URL(root + name, ROOT)))) {
            for (const name of readdirSync(new URL(`${root}${folder}`, ROOT))) {
                const text = readFileSync(new URL(`${root}${folder}/${name}`, ROOT), "utf8");
                const imports = [...text.matchAll(/(?:from\s+|import\()"([^"]+)"/g)].map(([, path]) => path);
                scripts.push({ folder, name, text, imports });
            }
        }
    }
    return scripts;
}

const SCRIPTS = readScripts();

test("every script of the page is in a folder of the list", () => {
    const folders = readdirSync(new URL("page", ROOT), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(folders.map(({ name }) => name).sort(), FOLDERS.filter((name) => name !== "offline").sort());
    assert.deepEqual(readdirSync(new URL("page", ROOT)).filter((name) => name.endsWith(".js")), []);
});

test("scripts import only from their own folder and the folders below it", () => {
    for (const { folder, name, imports } of SCRIPTS) {
        for (const path of imports) {
            const [, from] = path.match(/^\.\.\/(?:.*page\/)?(\w+)\//) ?? [];
            const isData = path === "../protocol.js" || path.startsWith("./");
            assert.ok(isData || FOLDERS.indexOf(from) < FOLDERS.indexOf(folder)
                || (from === folder && path.includes("page/")), `${folder}/${name} imports ${path}`);
        }
    }
});
