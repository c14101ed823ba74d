import { TEXT } from "../core/index.js";

/**
 * The connection of the page to the engine: a WebSocket to the engine's server. Each message is a
 * line of JSON. `.ci/page` replaces this file by a file that runs the engine in a worker.
 *
 * @typedef {{ isOpen: () => boolean, send: (line: string) => void }} Connection
 */

/**
 * Whether the engine is in a server. A page with a server has a console and a prover, which finds
 * problems. Only browsers on the same machine can open the address of the page. A request is sent
 * again until it is answered.
 */
export const HAS_SERVER = true;

/** The close code of a connection if the server has no free session. */
const NO_SESSION_CODE = 1013;
/**
 * The close codes of a connection if the server rejects requests: too many requests at once, or a
 * request that is too long.
 */
const REJECTING_CODES = [1008, 1009];
/** The time limit for connecting, in milliseconds. A running server responds earlier. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Connects to the engine.
 *
 * @param {(line: string) => void} receive Called with each line of the engine.
 * @param {(why: string | null, isRejection?: boolean) => void} ended Called when the connection ends, with the reason
 * if it is known, and with `true` if a request was the cause.
 * @returns {Promise<Connection | null>} The connection; `null` if it fails.
 */
export function connectToEngine(receive, ended) {
    const address = new URL("requests", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    const timer = setTimeout(() => socket.close(), CONNECT_TIMEOUT);
    return new Promise((done) => {
        socket.addEventListener("open", () => {
            clearTimeout(timer);
            socket.addEventListener("close", ({ code }) =>
                ended(code === NO_SESSION_CODE ? TEXT.tooManyTabs : null, REJECTING_CODES.includes(code)));
            done({ isOpen: () => socket.readyState === WebSocket.OPEN, send: (line) => socket.send(line) });
        });
        socket.addEventListener("close", () => done(null));
        socket.addEventListener("message", ({ data }) => receive(data));
    });
}

/**
 * Returns the reason why there is no connection. The socket reports no reason. Therefore the
 * function uses the server's status for the page.
 */
export async function connectionFailureReason() {
    try {
        const { status } = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" });
        return status === 404 ? TEXT.otherAddress : TEXT.noConnection;
    } catch {
        return TEXT.noConnection;
    }
}
