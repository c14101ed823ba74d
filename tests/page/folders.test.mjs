/** The folders of the page and the imports between them. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** The folders in the order of their imports: a folder imports only itself and the folders before it. */
const FOLDERS = ["core", "engine", "game", "board", "analysis", "learn", "app", "offline"];
/** The folders of the page, and of the scripts that replace the server. */
const ROOTS = ["page", "crates/web/page"];
const fileUrl = (path) => new URL(`../../src/${path}`, import.meta.url);

/** Reads the scripts in the folders, with their imports and exports. */
function readScripts() {
    const scripts = [];
    const split = (names) => names.split(",").map((name) => name.trim()).filter(Boolean);
    for (const root of ROOTS) {
        for (const folder of FOLDERS.filter((name) => existsSync(fileUrl(`${root}/${name}`)))) {
            for (const name of readdirSync(fileUrl(`${root}/${folder}`))) {
                const text = readFileSync(fileUrl(`${root}/${folder}/${name}`), "utf8");
                const imports = [...text.matchAll(/^(?:im|ex)port \{([^}]*)\} from\s+"([^"]+)"/gm)]
                    .map(([, names, path]) => ({ names: split(names), path }));
                const types = [...text.matchAll(/(?:@import .* from |import\()"([^"]+)"/g)].map(([, path]) => path);
                const exports = [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)]
                    .map(([, exported]) => exported);
                scripts.push({ root, folder, name, imports, types, exports });
            }
        }
    }
    return scripts;
}

const SCRIPTS = readScripts();
/** Returns the folder and the file of an import of a script. */
const target = ({ folder }, path) => {
    const [file, from = "."] = path.split("/").reverse();
    return { file, from: from === "." ? folder : from };
};

test("every script of the page is in a folder of the list, and every style in another folder", () => {
    const entries = readdirSync(fileUrl("page"), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    assert.deepEqual(folders.sort(), [...FOLDERS.filter((name) => name !== "offline"), "styles"].sort());
    assert.deepEqual(entries.filter(({ name }) => /\.(js|css)$/.test(name)), []);
});

test("scripts import only from their own folder and from the folders below it", () => {
    for (const script of SCRIPTS) {
        const level = FOLDERS.indexOf(script.folder);
        for (const path of [...script.imports.map((entry) => entry.path), ...script.types]) {
            const { from } = target(script, path);
            const isBelow = FOLDERS.includes(from) ? FOLDERS.indexOf(from) <= level : path === "../protocol.js";
            assert.ok(isBelow, `${script.folder}/${script.name} imports ${path}`);
        }
    }
});

test("each folder exports only the names that other folders use, in its index.js", () => {
    const used = Object.fromEntries(FOLDERS.map((folder) => [folder, new Set()]));
    for (const script of SCRIPTS) {
        for (const { names, path } of script.imports) {
            const { from, file } = target(script, path);
            if (from === script.folder) continue;
            assert.equal(file, "index.js", `${script.folder}/${script.name} imports ${path}`);
            for (const name of names) used[from].add(name);
        }
    }
    for (const { folder, imports } of SCRIPTS.filter(({ name }) => name === "index.js")) {
        assert.deepEqual(imports.flatMap(({ names }) => names).sort(), [...used[folder]].sort(), folder);
    }
});

test("each export of a script is used in another script or in a test", () => {
    const tests = readdirSync(new URL(".", import.meta.url)).map((name) =>
        readFileSync(new URL(name, import.meta.url), "utf8")).join();
    for (const script of SCRIPTS.filter(({ root }) => root === "page")) {
        for (const name of script.exports) {
            const isImported = SCRIPTS.some((other) => other.imports.some(({ names, path }) => names.includes(name)
                && target(other, path).from === script.folder && target(other, path).file === script.name));
            assert.ok(isImported || tests.includes(name), `${script.folder}/${script.name}: ${name}`);
        }
    }
});
