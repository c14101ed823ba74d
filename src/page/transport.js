import { TEXT } from "./strings.js";

/**
 * The connection of the page to the engine: a WebSocket to its server, where each message is a line
 * of JSON. `.ci/page` replaces this file by one that runs the engine in a worker.
 *
 * @typedef {{ isOpen: () => boolean, send: (line: string) => void }} Connection
 */

/**
 * Whether the engine is in a server. Then the page has a console and a prover, which finds problems;
 * only its machine can open its address; and a request is sent until it is answered.
 */
export const HAS_SERVER = true;

/** The code of a connection that the server ends because it has no free session. */
const NO_SESSION_CODE = 1013;
/** The codes of connections that the server ends because of a request: too many at once, or too long. */
const REJECTING_CODES = [1008, 1009];
/** The time limit of a connection in milliseconds. A running server responds within it. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Connects to the engine.
 *
 * @param {(line: string) => void} receive Called with each line of the engine.
 * @param {(why: string | null, isRejection?: boolean) => void} ended Called when the connection ends: with the reason,
 * if it is known, and whether a request was the cause.
 * @returns {Promise<Connection | null>} The connection; `null` if there is none.
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

/** Returns the reason why there is no connection. The socket has none; the server's status for the page does. */
export async function connectionFailure() {
    try {
        const { status } = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" });
        return status === 404 ? TEXT.otherAddress : TEXT.noConnection;
    } catch {
        return TEXT.noConnection;
    }
}
