/**
 * The engine in a worker of the page. Each message is a line of JSON: a request or a response. The
 * first message to the page is empty and says that the engine is ready. The engine searches in
 * steps, and accepts messages between steps. If a message is an object, it tells the page whether
 * files are being loaded.
 */
import { DIGESTS } from "./digests.js";
import init, { Engine } from "./engine.js";

/** @type {Engine} */
let engine;
/** @type {Set<string>} The files that are being loaded. The searches that need them wait. */
const loading = new Set();
/** The milliseconds after which the page is notified that a file is being loaded. */
const SLOW_LOAD = 500;
/** Whether a step is scheduled. */
let isScheduled = false;
/**
 * Triggers the next step after the messages that have arrived. A timer would wait some
 * milliseconds.
 */
const stepChannel = new MessageChannel();

/** @param {string[]} lines */
function send(lines) {
    for (const line of lines) postMessage(line);
}

/** Loads the files that searches need, and schedules the next step. */
function schedule() {
    for (const file of engine.missing_files()) {
        if (!loading.has(file)) void load(file);
    }
    if (isScheduled || engine.is_idle()) return;
    isScheduled = true;
    stepChannel.port2.postMessage(null);
}

stepChannel.port1.onmessage = () => {
    isScheduled = false;
    send(engine.step());
    schedule();
};

/**
 * Loads a file for the engine. Without a book or losses the engine plays as well as it can. Without
 * a net the engine rejects the requests that need the net. The next request that needs the net
 * loads it again.
 *
 * @param {string} file
 */
async function load(file) {
    loading.add(file);
    const slow = setTimeout(() => postMessage({ isLoading: true }), SLOW_LOAD);
    const response = await fetch(file, { integrity: DIGESTS[file] }).catch(() => null);
    const bytes = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
    clearTimeout(slow);
    loading.delete(file);
    if (loading.size === 0) postMessage({ isLoading: false });
    if (!bytes || !engine.add_file(file, new Uint8Array(bytes))) {
        send(engine.continue_without_file(file));
    }
    schedule();
}

/** @param {string} line */
function receive(line) {
    send(engine.receive(line));
    schedule();
}

try {
    await init({ module_or_path: "engine_bg.wasm" });
    engine = new Engine();
    onmessage = ({ data }) => receive(data);
    postMessage("");
} catch (error) {
    // Thrown from a timer, the error reaches the page. A rejected promise would not.
    setTimeout(() => {
        throw error;
    });
}
