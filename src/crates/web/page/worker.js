/**
 * The engine in a worker of the page. Each message is a line of JSON, a request or an answer; the first message to the
 * page is empty and says that the engine is ready. What takes a search is worked on in steps, between which messages
 * are taken in. An object tells the page whether files are being loaded.
 */
import { DIGESTS } from "./digests.js";
import init, { Engine } from "./engine.js";

/** @type {Engine} */
let engine;
/** @type {Set<string>} The files that are being loaded. The searches that take them wait. */
const loading = new Set();
/** The milliseconds after which the page is told that a file is being loaded. */
const SLOW = 500;
/** Whether a step is going to be made. */
let isDue = false;
/** What has the next step made, after the messages that have come. A timer would wait some milliseconds. */
const next = new MessageChannel();

/** @param {string[]} lines */
function tell(lines) {
    for (const line of lines) postMessage(line);
}

function goOn() {
    for (const file of engine.lacking()) {
        if (!loading.has(file)) void load(file);
    }
    if (isDue || engine.is_idle()) return;
    isDue = true;
    next.port2.postMessage(null);
}

next.port1.onmessage = () => {
    isDue = false;
    tell(engine.step());
    goOn();
};

/**
 * Loads a file for the engine. Without a book it plays as well as it can. Without a net it refuses what it was asked,
 * and the next request that takes the net has it loaded again.
 *
 * @param {string} file
 */
async function load(file) {
    loading.add(file);
    const slow = setTimeout(() => postMessage({ isLoading: true }), SLOW);
    const found = await fetch(file, { integrity: DIGESTS[file] }).catch(() => null);
    const bytes = found?.ok ? await found.arrayBuffer().catch(() => null) : null;
    clearTimeout(slow);
    loading.delete(file);
    if (loading.size === 0) postMessage({ isLoading: false });
    if (!bytes || !engine.give(file, new Uint8Array(bytes))) tell(engine.do_without(file));
    goOn();
}

/** @param {string} line */
function receive(line) {
    tell(engine.receive(line));
    goOn();
}

try {
    await init({ module_or_path: "engine_bg.wasm" });
    engine = new Engine();
    onmessage = ({ data }) => receive(data);
    postMessage("");
} catch (error) {
    // Nobody would be told of a promise that is broken.
    setTimeout(() => {
        throw error;
    });
}
