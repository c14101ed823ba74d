import { byId } from "./dom.js";
import { ask, connect } from "./requests.js";
import { TEXT } from "./strings.js";
import { whyNone } from "./transport.js";

/** The pauses between tries, in milliseconds; the last one repeats. */
const PAUSES = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * Connects to the engine, and reconnects when the connection ends: after a pause that grows with
 * each try; and at once when the page becomes visible, the network is available again, or somebody
 * presses the button.
 *
 * @param {(offline: string | null) => void} tell Called with the reason why there is no engine, or `null` if there is.
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
 * Tries to connect.
 *
 * @param {(why: string | null) => void} ended Called when the connection ends, with the reason if it is known.
 * @returns {Promise<string | null>} The reason why there is no engine; `null` if there is one.
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
    // A server without a free session reports that by ending the connection.
    ask({ ask: "version" }).then(() => decide(null), () => decide(null));
    return decided;
}
