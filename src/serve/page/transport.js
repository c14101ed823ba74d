/**
 * Carries lines of text to the engine and back over a WebSocket: each message is one line.
 */
export class Transport {
    /** @type {(line: string) => void} Called with each line that comes from the engine. */
    receive = () => {};
    /** @type {(code: number) => void} Called once, when the connection has ended, whoever ended it, with the code. */
    ended = () => {};
    /** @type {WebSocket} */
    #socket;

    /** @param {WebSocket} socket An open socket. */
    constructor(socket) {
        this.#socket = socket;
        socket.addEventListener("message", (event) => {
            for (const line of String(event.data).split("\n")) {
                if (line !== "") this.receive(line);
            }
        });
        socket.addEventListener("close", ({ code }) => this.ended(code));
    }

    /** @param {string} line */
    send(line) {
        if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(line);
    }

    close() {
        this.#socket.close();
    }
}

/**
 * Opens a connection to the server that this page came from. Fails if there is none.
 *
 * @returns {Promise<Transport>}
 */
export function connect() {
    const address = new URL("session", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    return new Promise((resolve, reject) => {
        socket.addEventListener("open", () => resolve(new Transport(socket)), { once: true });
        socket.addEventListener("close", () => reject(new Error("The connection was refused.")), { once: true });
    });
}
