import { byId } from "./dom.js";
import { ask, connect } from "./requests.js";
import { TEXT } from "./strings.js";
import { whyNone } from "./transport.js";

/** The pauses between tries, in milliseconds; the last one comes again and again. */
const PAUSES = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * Connects with the engine, and connects again whenever the connection has ended: after a pause, which is longer each
 * time; and at once when the page comes into view, the network is there again, or somebody asks for it.
 *
 * @param {(offline: string | null) => void} tell Is told why there is no engine, and with nothing that there is one.
 */
export function stayConnected(tell) {
    let [isConnected, isTrying, tries, timer] = [false, false, 0, 0];
    const lose = (/** @type {string} */ why) => {
        isConnected = false;
        tell(why);
        clearTimeout(timer);
        timer = setTimeout(attempt, PAUSES[Math.min(tries, PAUSES.length - 1)]);
        tries += 1;
    };
    const attempt = async () => {
        if (isConnected || isTrying) return;
        isTrying = true;
        const why = await failure((known) => isConnected && lose(known ?? TEXT.lost));
        isTrying = false;
        if (why !== null) {
            lose(why);
            return;
        }
        [isConnected, tries] = [true, 0];
        clearTimeout(timer);
        tell(null);
    };
    addEventListener("online", attempt);
    document.addEventListener("visibilitychange", () => !document.hidden && attempt());
    byId("reconnect").addEventListener("click", attempt);
    void attempt();
}

/**
 * Connects.
 *
 * @param {(why: string | null) => void} ended Is called when the connection has ended, with why if that is known.
 * @returns {Promise<string | null>} Why there is no engine; nothing if there is one.
 */
async function failure(ended) {
    /** @type {(why: string | null) => void} */
    let decide = () => {};
    const decided = new Promise((done) => (decide = done));
    const isOpen = await connect((why) => {
        decide(why ?? TEXT.failed);
        ended(why);
    });
    if (!isOpen) return whyNone();
    // A server that has no session left says so by ending the connection.
    ask({ ask: "version" }).then(() => decide(null), () => decide(null));
    return decided;
}
