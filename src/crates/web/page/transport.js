/** @import { Connection } from "../../../page/transport.js" */
import { setState } from "./state.js";
import { TEXT } from "./strings.js";

/**
 * How the page reaches the engine: in a worker, each message of which is a line of JSON. There is no server;
 * `.ci/page` puts this file in the place of the one that is for a server.
 *
 * A panic of the engine ends its worker. The page starts another then, which is sent again what was not answered.
 */

/** Whether the engine is in a server: there is no console, no prover, and the address of the page is for everybody. */
export const HAS_SERVER = false;

/** Why the last worker has ended. */
let failure = TEXT.engineNotStarted;

/**
 * Starts the engine.
 *
 * @param {(line: string) => void} receive Is given each line of the engine.
 * @param {(why: string | null) => void} ended Is called when the engine has ended, with why.
 * @returns {Promise<Connection | null>} The engine; nothing if it does not start.
 */
export function connectToEngine(receive, ended) {
    const worker = new Worker("worker.js", { type: "module" });
    let [isOpen, isReady] = [true, false];
    return new Promise((done) => {
        worker.addEventListener("message", ({ data }) => {
            if (typeof data === "object") {
                setState({ loading: data.isLoading ? TEXT.loading : "" });
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
            setState({ loading: "" });
            failure = isReady ? TEXT.engineFailed(event.message) : TEXT.engineNotStarted;
            if (isReady) ended(failure);
            else done(null);
        });
    });
}

/** Why there is no engine. */
export const connectionFailure = async () => failure;
