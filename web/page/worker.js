/**
 * The engine in a worker of the page. Each message is a line of JSON, a request or an answer; the first message to the
 * page is empty and says that the engine is ready. What takes a search is worked on in steps, between which messages
 * are taken in.
 */
import init, { Engine } from "./engine.js";

/** @type {Engine} */
let engine;
/** @type {Set<string>} The files that are being loaded. No search goes on without them. */
const loading = new Set();
/** Whether a step is going to be made. */
let isDue = false;
/** What has the next step made, after the messages that have come. A timer would wait some milliseconds. */
const next = new MessageChannel();

/** @param {string[]} lines */
function tell(lines) {
    for (const line of lines) postMessage(line);
}

function goOn() {
    if (isDue || loading.size > 0 || engine.is_idle()) return;
    isDue = true;
    next.port2.postMessage(null);
}

next.port1.onmessage = () => {
    isDue = false;
    tell(engine.step());
    goOn();
};

/** Loads a file for the engine. Without it the engine plays on as well as it can. @param {string} file */
async function load(file) {
    loading.add(file);
    const bytes = await fetch(file).then((found) => (found.ok ? found.arrayBuffer() : null), () => null);
    loading.delete(file);
    if (bytes) engine.give(file, new Uint8Array(bytes));
    goOn();
}

/** @param {string} line */
function receive(line) {
    tell(engine.receive(line));
    for (const file of engine.wanted()) {
        if (!loading.has(file)) void load(file);
    }
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
