/** @import { Connection } from "../../../../page/engine/transport.js" */
import { setState, TEXT } from "../core/index.js";

/**
 * The connection of the page to the engine in a worker. Each message is a line of JSON. There is no
 * server: `.ci/page` replaces the page's `transport.js`, which connects to a server, by this file.
 *
 * A panic of the engine ends its worker. Then the page starts another worker, and sends the
 * requests without a response to the new worker.
 */

/**
 * Whether the engine is in a server. Here the engine is in the page, so that the page is public and
 * lacks the console and the prover.
 */
export const HAS_SERVER = false;

/** The reason why the last worker has ended. */
let failure = TEXT.engineNotStarted;

/**
 * Starts the engine.
 *
 * @param {(line: string) => void} receive Receives each line of the engine.
 * @param {(why: string | null) => void} ended Is called with the reason when the engine has ended.
 * @returns {Promise<Connection | null>} The connection, or null if the engine does not start.
 */
export function connectToEngine(receive, ended) {
    const worker = new Worker("worker.js", { type: "module" });
    let isOpen = true;
    let isReady = false;
    return new Promise((done) => {
        worker.addEventListener("message", ({ data }) => {
            if (typeof data === "object") {
                setState({ engine: { loading: data.isLoading ? TEXT.loading : "" } });
                return;
            }
            if (isReady) {
                receive(data);
                return;
            }
            // The first message says that the engine is ready.
            isReady = true;
            done({ isOpen: () => isOpen, send: (line) => worker.postMessage(line) });
        });
        worker.addEventListener("error", (event) => {
            event.preventDefault();
            worker.terminate();
            isOpen = false;
            setState({ engine: { loading: "" } });
            failure = isReady ? TEXT.engineFailed(event.message) : TEXT.engineNotStarted;
            if (isReady) ended(failure);
            else done(null);
        });
    });
}

/** Returns the reason why there is no engine. */
export const connectionFailureReason = async () => failure;
