/**
 * The page as static files. The engine runs in a worker. After the first visit, the page needs no network. It can be
 * updated.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PROGRAM } from "./engine.js";
import { FileServer, GameTab, NEEDS_FILES, PHONE, SAMPLE_GAMES, setUpBrowser } from "./page.js";

const suite = setUpBrowser();
const asFiles = { skip: NEEDS_FILES };
const FOLDER = String(process.env.PENTARCH_WEB);

/** Waits until the page works without a network. */
const waitUntilCached = (page) => page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 10));
});

test("the console is hidden, and the page has a content security policy", asFiles, async () => {
    const tab = await GameTab.open(suite);
    assert.equal(await tab.page.isVisible("#console"), false);
    const policy = await tab.page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content");
    assert.match(policy, /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'/);
    await tab.close();
});

/** Returns the response of the page's engine, without its worker, to a request. */
function webResponse(engine, request) {
    const responses = engine.receive(JSON.stringify(request));
    while (responses.length === 0) {
        assert.ok(!engine.is_idle() || engine.missing_files().length > 0, "there is no response");
        for (const file of engine.missing_files()) engine.add_file(file, readFileSync(join(FOLDER, file)));
        responses.push(...engine.step());
    }
    return JSON.parse(responses[0]);
}

test("a level with a seed makes the same moves as in the program", asFiles, async () => {
    const { initSync, Engine } = await import(join(FOLDER, "engine.js"));
    initSync({ module: readFileSync(join(FOLDER, "engine_bg.wasm")) });
    const engine = new Engine();
    for (const game of Object.keys(SAMPLE_GAMES)) {
        const requests = [];
        const moves = [];
        while (moves.length < 8) {
            const level = ["beginner", "casual"][moves.length % 2];
            const request = { id: moves.length, game, moves: [...moves], level, seed: 7, ask: "play" };
            const { play } = webResponse(engine, request);
            if (play.move === null) break;
            moves.push(play.move);
            requests.push(request);
        }
        const input = requests.map((request) => JSON.stringify(request)).join("\n");
        const { stdout } = spawnSync(PROGRAM, ["analyse"], { input, encoding: "utf8" });
        const responses = stdout.trim().split("\n").map((line) => JSON.parse(line));
        responses.sort((first, second) => first.id - second.id);
        assert.deepEqual(responses.map(({ play }) => play.move), moves, game);
    }
});

/** Waits until `count` moves were made. */
const waitForMoves = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll("#moves button").length === count, count);

test("after the first visit all games work without a network, with the book of a played game", asFiles,
    async (context) => {
        const server = await FileServer.start(FOLDER);
        context.after(() => server.stop());
        const tab = await GameTab.open({ ...suite, server });
        const { page } = tab;
        await waitUntilCached(page);
        await tab.startGame("alquerque", {}, 1);
        await page.evaluate(async () => {
            const isKept = async (file) => Boolean(await caches.match(new URL(file, location.href)));
            const files = ["modern.book", "alcaxar.net", "10x10.net", "11x9.net", "quoridor.net", "roses.losses"];
            for (const file of files) {
                while (!await isKept(file)) await new Promise((done) => setTimeout(done, 10));
            }
        });
        await server.stop();
        await tab.reload();
        for (const game of ["alcaxar", "alquerque", "bushka", "quoridor", "roses"]) {
            await tab.startGame(game, {}, 1);
            await waitForMoves(page, 1);
        }
        await tab.close();
    });

test("the page says that it waits for a net, and the next search loads a net that failed to load", asFiles,
    async (context) => {
        const server = await FileServer.start(FOLDER);
        context.after(() => server.stop());
        const tab = await GameTab.open({ ...suite, server });
        const { page } = tab;
        /** @type {(status: number) => void} */
        let decide = () => {};
        const decided = new Promise((done) => (decide = done));
        server.status = (name) => (name.endsWith(".net") ? decided : 200);
        await tab.startGame("quoridor", {}, 0);
        await tab.clickSite("e2");
        await page.waitForFunction(() => document.getElementById("note").textContent.includes("are being loaded"));
        decide(503);
        await page.waitForFunction(() => document.getElementById("note").textContent.includes("could not be loaded"));
        assert.doesNotMatch(await tab.textOf("note"), /are being loaded/);
        await waitForMoves(page, 1);
        server.status = () => 200;
        await page.evaluate(() => window.dispatchEvent(new Event("online")));
        await waitForMoves(page, 2);
        tab.errors = tab.errors.filter((error) => !/503|\.net/.test(error));
        await tab.close();
    });

/** Moves a folder of scripts, as some versions of the page did. Then no file has the old address of a script. */
function moveScripts(root, from, to) {
    renameSync(join(root, from), join(root, to));
    for (const name of readdirSync(root, { encoding: "utf8", recursive: true })) {
        if (!/\.(js|html)$/.test(name)) continue;
        const file = join(root, name);
        writeFileSync(file, readFileSync(file, "utf8").replaceAll(RegExp(`(["/])${from}/`, "g"), `$1${to}/`));
    }
}

test("an update is offered, not forced, even if it moves the files", asFiles, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "pentarch-web-"));
    cpSync(FOLDER, folder, { recursive: true });
    const server = await FileServer.start(folder);
    context.after(async () => {
        await server.stop();
        rmSync(folder, { recursive: true });
    });
    const tab = await GameTab.open({ ...suite, server });
    const { page } = tab;
    await waitUntilCached(page);
    await tab.startGame("quoridor");
    await tab.clickSite("e2");
    const change = (file, from, to) => {
        const text = readFileSync(join(folder, file), "utf8");
        assert.ok(text.includes(from));
        writeFileSync(join(folder, file), text.replace(from, to));
    };
    change("core/strings.js", "New game", "Another game");
    moveScripts(folder, "learn", "lessons");
    change("service-worker.js", 'const VERSION = "', 'const VERSION = "0');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
    await page.locator("#update").waitFor();
    assert.equal(await page.innerText("#new"), "New game");
    await tab.clickSite("e8");
    await tab.reload();
    assert.equal(await page.innerText("#new"), "New game");
    await page.locator("#update button").first().click();
    await page.getByText("Another game").first().waitFor();
    await page.waitForFunction(() => window.watch.drawnAt > 0);
    assert.deepEqual((await tab.snapshot()).moves, ["e2", "e8"]);
    // All files are of the new version, and the files of the old one are gone.
    await server.stop();
    await tab.reload();
    assert.equal(await page.innerText("#new"), "Another game");
    assert.equal(await page.evaluate(async () => await caches.match("learn/index.js")), undefined);
    await tab.close();
});

test("a failed engine is restarted, and the game continues", asFiles, async () => {
    const tab = await GameTab.open(suite);
    const { page } = tab;
    await tab.startGame("quoridor", {}, 0);
    await tab.clickSite("e2");
    await waitForMoves(page, 2);
    for (const worker of page.workers()) {
        await worker.evaluate(() => void setTimeout(() => {
            throw new Error("provoked <b>");
        })).catch(() => {});
    }
    await page.getByText("has been restarted").waitFor();
    await tab.waitUntilIdle();
    await tab.stepWhitePawn();
    await waitForMoves(page, 4);
    assert.equal(await page.evaluate(() => window.watch.connections.length), 2);
    await tab.close();
});

test("a request at which the engine fails repeatedly is given up", asFiles, async () => {
    const tab = await GameTab.open(suite, {}, () => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (line) {
            if (line.includes('"rules"')) this.dispatchEvent(new ErrorEvent("error", { message: "provoked" }));
            else postMessage.call(this, line);
        };
    });
    await tab.openPanel("rules");
    await tab.page.getByText("again and again").first().waitFor();
    await tab.page.context().close();
});

for (const game of Object.keys(SAMPLE_GAMES)) {
    test(`a complete game of ${game} against casual, with the engine's own moves`, asFiles, async () => {
        const tab = await GameTab.open(suite, PHONE);
        const { page } = tab;
        await tab.startGame(game, {}, 0);
        const engineMoves = await page.evaluate(async () => {
            // The person is fast and plays any move.
            const { state } = await import(new URL("core/state.js", document.baseURI).href);
            const { makeMove } = await import(new URL("game/game.js", document.baseURI).href);
            const { askAboutPosition } = await import(new URL("engine/requests.js", document.baseURI).href);
            state.game.setup.seconds = 0.1;
            while (state.game.tip.ply < 300 && state.game.tip.view.scene.turn !== null) {
                if (state.game.setup.players[state.game.tip.view.status.player] === "person") {
                    const moves = await askAboutPosition(state.game.tip, "moves");
                    await makeMove(moves[(state.game.tip.ply * 7) % moves.length], state.game.tip);
                } else {
                    await new Promise((done) => setTimeout(done, 20));
                }
            }
            const { tip, setup } = state.game;
            return tip.path.filter(({ mover }) => setup.players[mover] === "engine").length;
        });
        await tab.assertAccessible();
        assert.ok(engineMoves > 0);
        assert.doesNotMatch((await tab.snapshot()).status, /to move/);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
        await tab.close();
    });
}
