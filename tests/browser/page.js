/**
 * A browser with the page. The tests use it in the same way as people, and compare the state that the
 * page shows.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, afterEach, before } from "node:test";
import axe from "axe-core";
import { chromium, firefox } from "playwright-core";
import { PROGRAM } from "./engine.js";

/** The time limit in milliseconds. No response takes longer, however busy the machine is. */
const TIMEOUT = 60_000;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"];

/** The state folder of the test servers. It contains the tokens of their addresses. */
const STATE_FOLDER = mkdtempSync(join(tmpdir(), "pentarch-state-"));
process.once("exit", () => rmSync(STATE_FOLDER, { recursive: true }));

/** Returns a free port that is not one of the default ports. @returns {Promise<number>} */
function freePort() {
    return new Promise((done) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
            server.close(() => done(port));
        });
    });
}

/**
 * The folder that `.ci/page` has written. It is set if the page is tested without its own server. Then
 * the engine runs in a worker, and a plain file server serves the files from a path.
 */
const PAGE_FOLDER = process.env.PENTARCH_WEB;
/** The reason to skip a test of the page's server, or `false`. */
export const NEEDS_SERVER = PAGE_FOLDER === undefined ? false : "the page has no server";
/** The reason to skip a test of the page as files, or `false`. */
export const NEEDS_FILES = PAGE_FOLDER === undefined ? "PENTARCH_WEB does not name the folder of .ci/page" : false;

/** A server that runs until it is stopped. */
export class PageServer {
    /** @type {string} */
    address;
    /** @type {number} */
    port;

    /**
     * @param {number | null} port The port; `null` for a free one. A later server on the same port has
     * the same address.
     * @param {...string} flags
     * @returns {Promise<PageServer>}
     */
    static async start(port = null, ...flags) {
        if (PAGE_FOLDER !== undefined) return FileServer.start(PAGE_FOLDER);
        const server = new PageServer();
        server.port = port ?? await freePort();
        server.child = spawn(PROGRAM, ["serve", "--port", String(server.port), ...flags], {
            stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, XDG_STATE_HOME: STATE_FOLDER },
        });
        for await (const line of createInterface({ input: server.child.stdout })) {
            server.address = line.replace("The page is at ", "");
            return server;
        }
        // Another program has taken the port in the meantime.
        return PageServer.start(port, ...flags);
    }

    /** @param {NodeJS.Signals} signal */
    async stop(signal = "SIGINT") {
        if (this.child.exitCode !== null || this.child.signalCode !== null) return;
        const ended = new Promise((done) => this.child.once("exit", done));
        this.child.kill(signal);
        await ended;
    }
}

const MEDIA_TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm",
    ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};

/** A plain file server that serves the page below the root of the site. */
export class FileServer {
    /** Returns the status of the response for a file. @type {(name: string) => Promise<number> | number} */
    status = () => 200;

    /** @param {string} folder @returns {Promise<any>} */
    static async start(folder) {
        const files = new FileServer();
        files.folder = folder;
        files.port = await freePort();
        files.address = `http://127.0.0.1:${files.port}/some/where/`;
        files.listener = createHttpServer((asked, answer) => files.#answer(asked, answer));
        await new Promise((done) => files.listener.listen(files.port, "127.0.0.1", () => done(undefined)));
        return files;
    }

    async #answer(asked, answer) {
        const { pathname } = new URL(asked.url, this.address);
        const name = pathname.replace("/some/where/", "") || "index.html";
        const status = await this.status(name);
        if (status !== 200) {
            answer.writeHead(status).end();
            return;
        }
        try {
            const bytes = readFileSync(join(this.folder, name));
            answer.writeHead(200, { "content-type": MEDIA_TYPES[extname(name)] ?? "application/octet-stream" });
            answer.end(bytes);
        } catch {
            answer.writeHead(404).end();
        }
    }

    async stop() {
        const ended = new Promise((done) => this.listener.close(done));
        this.listener.closeAllConnections();
        await ended;
    }
}

/** The complete browser. */
const CHROMIUM = "/usr/bin/chromium";
/** The browser without windows and profiles. It takes less than half of the CPU time. */
const SHELL = "/usr/bin/chromium-headless-shell";
const FIREFOX = "/usr/bin/firefox-esr";
/** The reason to skip a test in Firefox, or `false`. */
export const NEEDS_FIREFOX = existsSync(FIREFOX) ? false : `there is no ${FIREFOX}`;
const CONTEXT_OPTIONS = /** @type {const} */ ({ viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce" });

/**
 * Starts a browser. It stores the data of pages in this folder, even after the browser has ended.
 *
 * @param {string} folder
 */
export const launchBrowser = (folder) =>
    chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: FLAGS, ...CONTEXT_OPTIONS });

/** Starts the usual browser. */
const launchChromium = () =>
    chromium.launch({ executablePath: existsSync(SHELL) ? SHELL : CHROMIUM, args: FLAGS });

/**
 * Starts Firefox. Its long-term version lacks a command that the driver sends for each tab: the override of the colour
 * scheme. The tests do not need this command, so that it is dropped.
 */
export async function launchFirefox() {
    const browser = await firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX });
    const session = Object.getPrototypeOf(/** @type {any} */ (browser)._connection.toImpl(browser)._browserSession);
    const { send } = session;
    session.send = function (command, ...rest) {
        const isDropped = command === "emulation.setMediaFeaturesOverride";
        return isDropped ? Promise.resolve({}) : send.call(this, command, ...rest);
    };
    return browser;
}

/**
 * @typedef {object} Suite
 * @property {import("playwright-core").Browser} browser
 * @property {PageServer} server
 * @property {import("playwright-core").BrowserContext} [profile] The profile of new tabs; without it, each is separate.
 * @property {GameTab[]} tabs All tabs that were opened.
 */

/**
 * Starts a browser and a server before the first test of a file. Ends them after the last test.
 *
 * @param {(suite: Suite) => Promise<unknown>} more Called before the first test.
 * @param {() => Promise<import("playwright-core").Browser>} launch Starts the browser.
 * @returns {Suite} An object that is filled before the first test.
 */
export function setUpBrowser(more = async () => {}, launch = launchChromium) {
    const suite = /** @type {Suite} */ ({ tabs: [] });
    before(async () => {
        suite.browser = await launch();
        suite.server = await PageServer.start();
        await more(suite);
    });
    afterEach(async (context) => {
        const cause = /** @type {any} */ (context).error?.cause;
        if (!(cause instanceof Error)) return;
        // A failed test leaves its tabs open.
        for (const tab of suite.tabs.filter(({ page }) => !page.isClosed())) {
            cause.stack += `\n\nThe page: ${await tab.describe()}`;
        }
    });
    after(async () => {
        await suite.browser.close();
        await suite.server.stop();
    });
    return suite;
}

/**
 * Runs in the page before its own scripts. It counts the requests without a response, and lets a test
 * hold back responses.
 */
function observeRequests() {
    const watch = {
        unanswered: 0, requests: [], clicks: 0, drawnAt: 0, heldResponses: null, holdsOnlyMoves: false, reports: {},
        layoutShift: 0, connections: [],
    };
    Object.assign(window, { watch });
    const receive = (deliver, isMove) => {
        if (watch.heldResponses && (isMove || !watch.holdsOnlyMoves)) watch.heldResponses.push(deliver);
        else deliver();
    };
    // Each message comes separately, as from a socket.
    watch.release = async (count) => {
        for (let left = count; left > 0 && watch.heldResponses?.length > 0; left -= 1) {
            watch.heldResponses.shift()();
            await new Promise((done) => setTimeout(done));
        }
    };
    /** The questions that take a search. */
    const SEARCHES = ["analysis", "play", "review", "drawoffer"];
    /** Extends a class that carries requests and responses: a socket or a worker. */
    const watched = (/** @type {any} */ Port, /** @type {string} */ sends) => class extends Port {
        /** The requests without a response, by their ids, and the number of these requests that need no search. */
        asked = new Map();
        unanswered = 0;

        constructor(...address) {
            super(...address);
            watch.connections.push(this);
            // A connection that is being opened also counts.
            this.expect(1);
        }

        expect(more) {
            this.unanswered += more;
            watch.unanswered += more;
        }

        /** Ends the connection. Its open requests get no responses. */
        ends() {
            this.expect(-this.unanswered);
        }

        [sends](message) {
            const request = JSON.parse(message);
            if (request.ask) {
                watch.requests.push({ ...request, before: watch.unanswered });
                this.asked.set(request.id, request);
                if (!SEARCHES.includes(request.ask)) this.expect(1);
            }
            super[sends](message);
        }

        /** Returns whether a message is the engine's move. */
        isMove(message) {
            return typeof message === "string" && message !== ""
                && this.asked.get(JSON.parse(message).id)?.ask === "play";
        }

        /** Stores the reports of an analysis. Each has its position. */
        report(answer) {
            const request = this.asked.get(answer.id);
            if (!request) return;
            if (!answer.partial) {
                this.asked.delete(answer.id);
                if (!SEARCHES.includes(request.ask) && this.unanswered > 0) this.expect(-1);
            }
            for (const { cp, mate, pv } of answer.analysis?.lines ?? []) {
                const score = mate === null ? `cp ${cp}` : `mate ${mate}`;
                const position = `${request.fen ? `fen ${request.fen}` : "startpos"} moves ${request.moves}`.trim();
                (watch.reports[position] ??= []).push({ score, moves: pv.join(" ") });
            }
        }

        addEventListener(type, listener, options) {
            const later = type !== "message" ? listener : (event) => receive(() => {
                // The first message of a worker is empty and says that the worker is ready. An object
                // is not a response.
                if (event.data === "") this.expect(-1);
                else if (typeof event.data === "string") this.report(JSON.parse(event.data));
                listener(event);
            }, this.isMove(event.data));
            super.addEventListener(type, later, options);
        }
    };
    window.WebSocket = class extends watched(WebSocket, "send") {
        constructor(...address) {
            super(...address);
            super.addEventListener("open", () => this.expect(-1));
            super.addEventListener("close", () => this.ends());
        }
    };
    window.Worker = class extends watched(Worker, "postMessage") {
        terminate() {
            this.ends();
            super.terminate();
        }
    };
    // A long touch on a busy machine opens a context menu.
    for (const type of ["click", "contextmenu"]) addEventListener(type, () => (watch.clicks += 1), true);
    // The shift of the layout, whatever the reason is.
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (watch.layoutShift += value)))
        .observe({ type: "layout-shift", buffered: true });
    const expectedDrawing = new MutationObserver(() => {
        // A game may begin without pieces.
        if (!document.querySelector("#board [data-site]")) return;
        watch.drawnAt = performance.now();
        expectedDrawing.disconnect();
    });
    expectedDrawing.observe(document, { childList: true, subtree: true });
}

/** Returns the state that the page shows. All parts belong to the same moment. */
function readState() {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const text = (id) => document.getElementById(id).textContent;
    const moves = all("#moves > :not(.variation) button");
    // The flourish at a win is not part of the position.
    const pieceClass = (piece) => piece.getAttribute("class").replace(" winner", "");
    const { start } = JSON.parse(sessionStorage.getItem("game"));
    return {
        fen: document.getElementById("fen").value,
        start: start === null ? "startpos" : `fen ${start}`,
        moves: moves.map((button) => button.dataset.move),
        /** The moves to the viewed position. They may be in a variation. */
        line: document.getElementById("moves").dataset.line.split(" ").filter(Boolean),
        pieces: all("#board .pieces > .piece")
            .map((piece) => `${pieceClass(piece)} ${piece.getAttribute("transform")}`).sort(),
        marks: all("#board .marks > .mark")
            .map((mark) => `${mark.getAttribute("class")} ${mark.getAttribute("transform")}`).sort(),
        arrows: all("#board .marks > .arrow").map((arrow) => arrow.getAttribute("class")).sort(),
        last: all("#board .last > *").map((site) => site.getAttribute("transform")).sort(),
        selectable: all('#board [data-site][aria-disabled="false"]')
            .map((site) => site.getAttribute("data-site")).sort(),
        status: text("status"),
        note: text("note"),
        ready: document.getElementById("confirm").hidden ? null : text("confirm"),
    };
}

/** @typedef {ReturnType<typeof readState>} PageState */

/** Lets the engine move at once, unless the browser has settings. */
function playAtOnce() {
    try {
        if (localStorage.getItem("settings") === null) localStorage.setItem("settings", '{"pace":false}');
    } catch {
        // The browser blocks site data.
    }
}

/** Waits until the page has all responses and has processed them. Events of panels come late. */
function becomeIdle() {
    return new Promise((done) => {
        const lookLast = () => window.scheduler.postTask(look, { priority: "background" });
        const look = () => (window.watch.unanswered === 0 ? done() : setTimeout(lookLast, 2));
        lookLast();
    });
}

/**
 * Returns the point to click for a site. It is the centre of the site. On a long site it is next to the centre,
 * because other sites cross there.
 */
function sitePointInPage(id) {
    const path = document.querySelector(`#board [data-site="${id}"] path`);
    const { width, height } = path.getBBox();
    const [x, y] = width > 1.5 * height ? [0.15 * width, 0] : height > 1.5 * width ? [0, 0.15 * height] : [0, 0];
    const point = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
    return [point.x, point.y];
}

/** A tab with the page. */
export class GameTab {
    /** @type {string[]} The messages in the browser's console, and failed requests. */
    errors = [];

    /**
     * Opens the page.
     *
     * @param {Suite} suite
     * @param {import("playwright-core").BrowserContextOptions} options
     * @param {() => void} before A function to run in the page before its own scripts.
     */
    static async open({ browser, server, profile, tabs }, options = {}, before = () => {}) {
        const context = profile ?? await browser.newContext({ ...CONTEXT_OPTIONS, ...options });
        const tab = new GameTab();
        tabs.push(tab);
        const page = tab.page = await context.newPage();
        page.setDefaultTimeout(TIMEOUT);
        page.on("console", (message) => tab.errors.push(message.text()));
        page.on("pageerror", (error) => tab.errors.push(String(error)));
        page.on("requestfailed", (request) => {
            // If the page is left at once, the request for the icon is cancelled.
            if (!request.url().endsWith("/icon.svg")) tab.errors.push(request.url());
        });
        page.on("response", (response) => {
            if (response.status() >= 400) tab.errors.push(`${response.status()} ${response.url()}`);
        });
        await page.addInitScript(observeRequests);
        await page.addInitScript(playAtOnce);
        await page.addInitScript(before);
        await page.goto(server.address);
        await tab.#waitForBoard();
        await tab.leaveHome();
        return tab;
    }

    /** Shows the current game in place of the home. */
    async leaveHome() {
        await this.page.evaluate(async () => {
            const { setState } = await import(document.querySelector('link[href$="core/index.js"]').href);
            setState({ app: { isHome: false } });
            document.activeElement.blur();
        });
        await this.waitUntilIdle();
    }

    /** Clicks a button of the header. On a narrow screen it may be in the menu. @param {string} id */
    async clickInHeader(id) {
        const { page } = this;
        if (!await this.isVisible(id)) await page.click("#show-menu");
        await page.click(`#${id}`);
    }

    /** Closes the tab. Checks that the browser's console is empty. */
    async close() {
        await this.page.context().close();
        assert.deepEqual(this.errors, []);
    }

    /** Describes the state of the page and its open requests, for a failed test. */
    async describe() {
        const said = await this.page.evaluate(() => {
            const { unanswered, requests } = window.watch;
            const ids = ["title", "offline-text", "status", "note", "fen", "record", "record-verdict", "evaluation"];
            const texts = ids.map((id) => {
                const element = document.getElementById(id);
                return [id, element.value ?? element.textContent];
            });
            const last = requests.slice(-12).map((request) => JSON.stringify(request));
            return { ...Object.fromEntries(texts), unanswered, last };
        }).catch(String);
        return JSON.stringify({ said, errors: this.errors }, null, 1);
    }

    /** Waits until the page has its responses, except from searches: the engine may still be to move. */
    async waitUntilIdle() {
        await this.page.evaluate(becomeIdle);
    }

    /** Waits until the game has a number of moves. @param {number} count */
    async waitForMoves(count) {
        await this.page.waitForFunction((count) => document.querySelectorAll("#moves [data-move]").length === count,
            count);
    }

    /** Waits until the board is drawn. */
    async #waitForBoard() {
        await this.page.waitForFunction(() => window.watch.drawnAt > 0);
        await this.waitUntilIdle();
    }

    /** Loads the page again. */
    async reload() {
        await this.page.reload();
        await this.#waitForBoard();
    }

    /** Holds back the engine's moves. Other responses are delivered. */
    async holdMoves() {
        await this.page.evaluate(() => Object.assign(window.watch, { heldResponses: [], holdsOnlyMoves: true }));
    }

    /** Delivers all responses that were held back. Later responses are delivered at once. */
    async deliverHeld() {
        await this.page.evaluate(() => window.watch.release(Infinity)
            .then(() => Object.assign(window.watch, { heldResponses: null, holdsOnlyMoves: false })));
    }

    /** Sends a request to the engine of the page. @param {object} request */
    ask(request) {
        return this.page.evaluate(async (request) => {
            const { sendRequest: ask } = await import(document.querySelector('link[href$="engine/requests.js"]').href);
            return ask(request);
        }, request);
    }

    /** Returns whether an element is visible. @param {string} id */
    isVisible(id) {
        return this.page.locator(`#${id}`).isVisible();
    }

    /** Checks that axe finds no violation. @param {string} [place] The place that a failure names. */
    async assertAccessible(place) {
        const { page } = this;
        if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe.source);
        const violations = await page.evaluate(async () => {
            const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
            return violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html, failureSummary }) =>
                `${html.slice(0, 200)} ${failureSummary}`)]);
        });
        assert.deepEqual(violations, [], place);
    }

    /** Returns the state that the page shows when it has all its responses. @returns {Promise<PageState>} */
    async snapshot() {
        await this.waitUntilIdle();
        return this.page.evaluate(readState);
    }

    /** Returns the state that the page shows now. @returns {Promise<PageState>} */
    snapshotNow() {
        return this.page.evaluate(readState);
    }

    /**
     * Starts a game in the dialog.
     *
     * @param {string} game
     * @param {Record<string, string>} options
     * @param {number} players The index in the list of players; 2 is two people.
     */
    async startGame(game, options = {}, players = 2) {
        const { page } = this;
        await page.click("#new");
        await page.check(`#setup-games [value="${game}"]`);
        await page.locator("#setup-rules-panel").evaluate((panel) => (panel.open = true));
        await page.click("#setup-usual");
        // The default rules may have other players.
        await this.waitUntilIdle();
        await page.selectOption("#setup-players", { index: players });
        for (const [name, value] of Object.entries(options)) {
            const field = page.locator(`#setup-rules [name="${name}"]`);
            if (await field.evaluate((element) => element.tagName === "SELECT")) await field.selectOption(value);
            else await field.fill(value);
        }
        await page.click("#setup button[value=begin]");
        await this.waitUntilIdle();
    }

    /** Opens a panel next to the board. @param {string} id */
    async openPanel(id) {
        await this.page.locator(`#${id}`).evaluate((panel) => (panel.open = true));
        await this.waitUntilIdle();
    }

    /** Sets up a position in the position editor, and starts a game with it. @param {string} fen */
    async setUpPosition(fen) {
        await this.openPanel("position");
        await this.page.fill("#fen", fen);
        await this.page.click("#fen-play");
        await this.waitUntilIdle();
    }

    /**
     * Starts a game with some moves.
     *
     * @param {string} game
     * @param {string} moves
     * @param {number} players The index in the list of players; 2 is two people.
     */
    async loadGame(game, moves, players = 2) {
        await this.startGame(game, {}, players);
        await this.openPanel("position");
        await this.page.fill("#record", `[Game "${game}"]\n${moves} *`);
        await this.page.click("#record-load");
        await this.waitUntilIdle();
        await this.page.locator("#position").evaluate((panel) => (panel.open = false));
    }

    /** Returns the text of an element. @param {string} id */
    textOf(id) {
        return this.page.evaluate((id) => document.getElementById(id).textContent, id);
    }

    /**
     * Waits until the analysis shows at least `lines` lines and has reached `depth`. It may also end
     * before that depth. The search of a solved position ends at depth 1.
     */
    async waitForAnalysis(depth = 1, lines = 1) {
        await this.page.waitForFunction(([depth, lines]) => {
            const [, found, goesOn] = /depth (\d+)( …)?/.exec(document.getElementById("evaluation").textContent) ?? [];
            const isDeep = Number(found) >= depth || (found !== undefined && goesOn === undefined);
            return isDeep && document.querySelectorAll("#lines li:not([hidden])").length >= lines;
        }, [depth, lines]);
    }

    /** Returns the point of a site on the screen. @param {string} site @returns {Promise<[number, number]>} */
    sitePoint(site) {
        return this.page.evaluate(sitePointInPage, site);
    }

    /**
     * Moves White's pawn from e2 after one move of the engine. The engine may have placed a wall in
     * front of the pawn. One wall cannot block both possible steps.
     */
    async stepWhitePawn() {
        const { selectable } = await this.snapshot();
        await this.clickSite(selectable.includes("e3") ? "e3" : "d2");
    }

    /** Clicks a site. @param {string} site */
    async clickSite(site) {
        await this.page.mouse.click(...await this.sitePoint(site));
        await this.waitUntilIdle();
    }

    /** Makes a move by clicks. If the move could also continue, confirms it. @param {string[]} sites */
    async makeMove(sites) {
        for (const site of sites) await this.clickSite(site);
        const { ready } = await this.snapshot();
        if (ready !== null) await this.page.click("#confirm");
        await this.waitUntilIdle();
    }

    /**
     * Taps on the screen, and waits until the page has received the click. The click comes after the
     * touch.
     *
     * @param {number} x
     * @param {number} y
     */
    async tap(x, y) {
        const clicks = await this.page.evaluate(() => window.watch.clicks);
        await this.page.touchscreen.tap(x, y);
        await this.page.evaluate((clicks) => new Promise((done) => {
            const look = () => (window.watch.clicks > clicks ? done() : setTimeout(look, 2));
            look();
        }), clicks);
    }
}

/** Returns the transform of an element at a site. */
const transformOf = ({ x, y, turn }) => `translate(${x} ${-y}) scale(1 -1) rotate(${turn})`;

/**
 * Returns the drawing that the page must have in a position.
 *
 * @param {any} board The response to `query board`.
 * @param {any} scene The response to `query scene`.
 */
export function drawing({ sites, sides }, { pieces, marks, arrows, lastsites }) {
    const at = (id) => sites.find((site) => site.id === id);
    const look = (kind, side) => `piece ${kind} ${side === null ? "nobody" : `side-${side} ${sides[side]}`}`;
    return {
        pieces: pieces.map(({ kind, side, site }) => `${look(kind, side)} ${transformOf(at(site))}`).sort(),
        marks: marks.map(({ kind, site }) => `mark ${kind} translate(${at(site).x} ${-at(site).y})`).sort(),
        arrows: arrows.map(({ kind }) => `arrow ${kind}`).sort(),
        last: lastsites.map((id) => transformOf(at(id))).sort(),
    };
}

/** Returns the drawing in the state that the page shows. @param {PageState} shown */
export function drawingOf({ pieces, marks, arrows, last }) {
    return { pieces, marks, arrows, last };
}

/**
 * Each game, a board of another size, and four players. Each entry has the options that differ from the
 * defaults.
 *
 * @type {[string, Record<string, string>][]}
 */
export const GAMES = [
    ["alcaxar", {}], ["alquerque", {}], ["roses", {}], ["quoridor", {}], ["bushka", {}],
    ["bushka", { Bushka_Board: "11x9" }], ["quoridor", { Quoridor_Players: "4" }],
];

/** The panels next to the board. */
export const PANELS = ["counts", "rules", "analysis", "position", "console"];

/** Complete games from the start position. */
export const SAMPLE_GAMES = {
    alcaxar: "e8d9 c6b7 b5a6 d7c8",
    alquerque: "d3c3 b3d3 e3c3 d4d3 c3e3 e5d4 e3e5c3 d5d4 c3e5 c4d4 e5c3 a3b3 c3a3 c5c4 a3c5c3 a5b4 c3a5a3 b5b4 a3c5",
    roses: "d3 c5 c3 d6 b3 e6 b4 d5 b3b5",
    quoridor: "e2 e8 d7h d8 e3 c8 e4 c7 e5 c6 e6 c5 e7 c4 f7 c3 f8 c2 f9",
    bushka: "e1b4 j8i7 c1f4 b10e7 a1d4 f10j6 d2g5 c9f6 b2e5 e7d6 a3c5 f8e7 b4d6 a9c7 g1b6 d10f8 c3b4 b8a7 e3f4 j10g7 "
        + "f2g3 h10j8 d4e5 i9f6 j2h4 j6i5 g3h4g5h6 j8i7 i3h4 e9h6 f4g5 i7h6 h4i5 g9e7 b4d6 d8e7 i5j6 h8i7",
};

/** The options of a phone. */
export const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/**
 * Returns a generator of pseudo-random numbers.
 *
 * @param {number} seed
 * @returns {(below: number) => number} A function that returns whole numbers below a limit.
 */
export function seededRandom(seed) {
    let state = seed;
    return (below) => {
        // This is the generator mulberry32.
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
}
