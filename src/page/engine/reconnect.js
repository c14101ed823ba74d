import { elementById, TEXT } from "../core/index.js";
import { openConnection, sendRequest } from "./requests.js";
import { connectionFailureReason } from "./transport.js";

/** The pauses between tries, in milliseconds; the last one repeats. */
const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * Connects to the engine. When the connection ends, reconnects after a pause that grows with each
 * try. Reconnects at once when the page becomes visible, when the network is available again, or
 * when somebody presses the button.
 *
 * @param {(offline: string | null) => void} report Called with the reason why there is no engine; `null` if there is
 * an engine.
 */
export function connectAndReconnect(report) {
    let isConnected = false;
    let isTrying = false;
    let tries = 0;
    let timer = 0;
    const onConnectionLost = (/** @type {string} */ why) => {
        isConnected = false;
        report(why);
        clearTimeout(timer);
        timer = setTimeout(connectOnce, RETRY_DELAYS[Math.min(tries, RETRY_DELAYS.length - 1)]);
        tries += 1;
    };
    const connectOnce = async () => {
        if (isConnected || isTrying) return;
        isTrying = true;
        const why = await tryConnect((known) => isConnected && onConnectionLost(known ?? TEXT.connectionLost));
        isTrying = false;
        if (why !== null) {
            onConnectionLost(why);
            return;
        }
        [isConnected, tries] = [true, 0];
        clearTimeout(timer);
        report(null);
    };
    addEventListener("online", connectOnce);
    document.addEventListener("visibilitychange", () => !document.hidden && connectOnce());
    elementById("reconnect").addEventListener("click", connectOnce);
    void connectOnce();
}

/**
 * Tries to connect.
 *
 * @param {(why: string | null) => void} ended Called when the connection ends, with the reason if it is known.
 * @returns {Promise<string | null>} The reason why there is no engine; `null` if there is a connection.
 */
async function tryConnect(ended) {
    /** @type {(why: string | null) => void} */
    let decide = () => {};
    const decided = new Promise((done) => (decide = done));
    const isOpen = await openConnection((why) => {
        decide(why ?? TEXT.noConnection);
        ended(why);
    });
    if (!isOpen) return connectionFailureReason();
    // If the server has no free session, it ends the connection.
    sendRequest({ ask: "version" }).then(() => decide(null), () => decide(null));
    return decided;
}
