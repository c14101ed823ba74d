import { TEXT } from "./strings.js";

/**
 * How the page reaches the engine: over a WebSocket to the server that it came from, each message of which is a line of
 * JSON. `.ci/page` puts a file in place of this one that has the engine in a worker.
 *
 * @typedef {{ isOpen: () => boolean, send: (line: string) => void }} Connection
 */

/**
 * Whether the engine is in a server. Then there are a console and a prover, which makes problems of positions; only its
 * own machine reaches the address of the page; and a request is sent until it is answered.
 */
export const HAS_SERVER = true;

/** The code of a connection that the server ends because it has no session left. */
const TRY_AGAIN_LATER = 1013;
/** The codes of connections that the server ends because of what it was sent: too much at once, or too long. */
const REFUSING = [1008, 1009];
/** The milliseconds in which a server answers that runs at all. */
const PATIENCE = 10_000;

/**
 * Connects with the engine.
 *
 * @param {(line: string) => void} receive Is given each line of the engine.
 * @param {(why: string | null, refuses?: boolean) => void} ended Is called when the connection has ended: why, if that
 * is known, and whether it has ended because of what it was asked.
 * @returns {Promise<Connection | null>} The connection; nothing if there is none.
 */
export function reachEngine(receive, ended) {
    const address = new URL("requests", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    const timer = setTimeout(() => socket.close(), PATIENCE);
    return new Promise((done) => {
        socket.addEventListener("open", () => {
            clearTimeout(timer);
            socket.addEventListener("close", ({ code }) =>
                ended(code === TRY_AGAIN_LATER ? TEXT.full : null, REFUSING.includes(code)));
            done({ isOpen: () => socket.readyState === WebSocket.OPEN, send: (line) => socket.send(line) });
        });
        socket.addEventListener("close", () => done(null));
        socket.addEventListener("message", ({ data }) => receive(data));
    });
}

/** Why there is no connection. A socket does not tell; what the server says of the page does. */
export async function whyNone() {
    try {
        const { status } = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" });
        return status === 404 ? TEXT.otherAddress : TEXT.failed;
    } catch {
        return TEXT.failed;
    }
}
