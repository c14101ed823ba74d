/** @import { GameNode } from "../core/game-tree.js" */
/** @import { ErrorFields } from "../protocol.js" */
/** @import { Connection } from "./transport.js" */
import { capitalise, setState, state, TEXT } from "../core/index.js";
import { connectToEngine, HAS_SERVER } from "./transport.js";

/** @typedef {Pick<ErrorFields, "message" | "reason" | "field" | "line" | "move" | "column">} RequestFault */

/**
 * The error of a rejected or unsent request. If the engine rejects the request, it formulates the
 * message.
 */
export class RequestError extends Error {
    /** @param {RequestFault} error */
    constructor({ message, reason, field, line, move, column }) {
        super(message);
        /** The message without ids of rules. */
        this.reason = reason;
        /** The column of the fault in the string of the field, from 1; `null` without a column. */
        this.column = field === null ? null : column;
        /** The invalid line of a record, from 1; `null` without such a line. */
        this.line = line;
        /** The number of the invalid move, from 1; `null` without such a move. */
        this.move = move;
    }
}

/**
 * Formats an error for people. The text has no ids of rules, and names the place in words.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function describeError(error) {
    if (error instanceof RequestError) return TEXT.rejected(error.reason, error.column);
    return error instanceof Error ? error.message : String(error);
}

/** Runs an action, and shows the reason if it fails. @param {() => unknown} action */
export async function runAndShowError(action) {
    try {
        await action();
    } catch (error) {
        setState({ app: { note: describeError(error) }, engine: { retries: state.engine.retries + 1 } });
    }
}

/**
 * A request without a response.
 *
 * @typedef {object} PendingRequest
 * @property {string} message
 * @property {number} tries The number of times that the request was sent.
 * @property {(response: any) => void} done
 * @property {(error: Error) => void} failed
 * @property {(response: any) => void} report
 */

/** @type {Connection | null} The last connection with the engine, if there was one. */
let connection = null;
/** @type {Map<number, PendingRequest>} The requests without a response, by their ids. */
const pendingRequests = new Map();
/** The maximum number of times that a request is sent to a worker. Then the engine counts as failing at the request. */
const MAX_TRIES = 3;
/** The maximum size of a request in bytes. The engine rejects longer lines. */
export const MAX_REQUEST_BYTES = 1 << 20;
/** The id of the last request. */
let lastId = 0;
/** The id of the console's lines. */
const CONSOLE_ID = "console";
/** @type {(line: string) => void} */
let onConsoleOutput = () => {};

/**
 * Connects to the engine. Requests that an earlier connection has not answered are resent, with two
 * exceptions. Requests at which the engine seems to fail are not resent. If the server ended the
 * earlier connection because of the requests on it, all these requests are dropped. The server would
 * end the new connection for the same reason.
 *
 * @param {(why: string | null) => void} ended Called when the connection ends, with the reason if it is known.
 * @returns {Promise<boolean>} Whether there is a connection.
 */
export async function openConnection(ended) {
    const opened = await connectToEngine((line) => handleResponse(JSON.parse(line)), (why, isRejection = false) => {
        ended(why);
        if (isRejection) rejectPendingRequests();
    });
    if (!opened) return false;
    connection = opened;
    for (const [id, request] of pendingRequests) {
        if (!HAS_SERVER && request.tries >= MAX_TRIES) {
            pendingRequests.delete(id);
            request.failed(new Error(TEXT.engineFailsAtRequest));
        } else {
            request.tries += 1;
            send(request.message);
        }
    }
    return true;
}

/** Lets all requests without a response fail. */
function rejectPendingRequests() {
    const rejected = [...pendingRequests.values()];
    pendingRequests.clear();
    for (const { failed } of rejected) failed(localError(TEXT.tooManyRequests));
}

/** Returns the error of a request that is not sent. @param {string} reason */
const localError = (reason) =>
    new RequestError({ message: reason, reason, field: null, line: null, move: null, column: null });

/** Handles a response, a report or a line of the console. @param {any} response */
function handleResponse(response) {
    if (response.id === CONSOLE_ID) {
        onConsoleOutput(response.ugi ?? response.error.message);
        return;
    }
    const request = pendingRequests.get(response.id);
    if (response.partial) {
        request?.report(response);
        return;
    }
    pendingRequests.delete(response.id);
    if (response.error) request?.failed(new RequestError(response.error));
    else request?.done(response);
}

/** Returns whether there is a connection, so that requests do not wait for one. */
export const isConnected = () => connection?.isOpen() === true;

/** Sends a line if there is a connection. @param {string} message */
function send(message) {
    if (isConnected()) connection?.send(message);
}

/** @param {string} message */
const isTooLong = (message) => new TextEncoder().encode(message).length > MAX_REQUEST_BYTES;

/**
 * Sends a request.
 *
 * @param {object} fields The fields of the request.
 * @returns {Promise<any>} The response. If the connection ends first, the response comes from the next connection.
 */
export function sendRequest(fields) {
    return sendSearchRequest(fields).response;
}

/**
 * Sends a request that takes a search.
 *
 * @param {object} fields The fields of the request.
 * @param {(response: any) => void} report Called with each report before the response.
 * @returns {{ response: Promise<any>, stop: () => void }} The response, and a function that stops the search. After a
 * stop, the response comes at once. Without a connection it never comes.
 */
export function sendSearchRequest(fields, report = () => {}) {
    const id = lastId += 1;
    const message = JSON.stringify({ id, ...fields });
    if (isTooLong(message)) return { response: Promise.reject(localError(TEXT.tooLong)), stop: () => {} };
    const response = new Promise((done, failed) =>
        pendingRequests.set(id, { message, tries: 1, done, failed, report }));
    send(message);
    const stop = () => {
        if (!isConnected()) pendingRequests.delete(id);
        else if (pendingRequests.has(id)) send(JSON.stringify({ stop: id }));
    };
    return { response, stop };
}

/**
 * Returns the fields of a position of the game.
 *
 * @param {GameNode} node
 * @param {string[]} more Moves after the position.
 */
export function requestFieldsOfPosition(node, more = []) {
    const { setup: { game, options }, start, tip, end } = state.game;
    const moves = [node.moves, ...more].join(" ").trim();
    return { game, options, fen: start, moves, end: node === tip && more.length === 0 ? end : null };
}

/**
 * Asks a question about a position of the game.
 *
 * @param {GameNode} node
 * @param {string} question
 * @param {object} more Further fields for the question.
 * @returns {Promise<any>} The field of the response.
 */
export async function askAboutPosition(node, question, more = {}) {
    return (await sendRequest({ ask: question, ...requestFieldsOfPosition(node), ...more }))[question];
}

/** Sends a line to the console's session. @param {string} line */
export function sendConsoleLine(line) {
    const message = JSON.stringify({ id: CONSOLE_ID, ugi: line });
    if (isTooLong(message)) onConsoleOutput(capitalise(`${TEXT.tooLong}.`));
    else send(message);
}

/** @param {(line: string) => void} listener Called with each line of output of the console's session. */
export function setConsoleListener(listener) {
    onConsoleOutput = listener;
}
