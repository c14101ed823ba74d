/** @import { ErrorFields } from "./protocol.js" */
/** @import { Connection } from "./transport.js" */
/** @import { GameNode } from "./tree.js" */
import { change, state } from "./state.js";
import { capital, TEXT } from "./strings.js";
import { HAS_SERVER, reachEngine } from "./transport.js";

/** @typedef {Pick<ErrorFields, "message" | "reason" | "field" | "line" | "move" | "column">} Fault */

/** The error of a request that the engine rejects, or that is not sent. The message is the engine's. */
export class Refused extends Error {
    /** @param {Fault} error */
    constructor({ message, reason, field, line, move, column }) {
        super(message);
        /** The message without ids of requirements. */
        this.reason = reason;
        /** The column in the string of the field, from 1; `null` if the fault has none there. */
        this.column = field === null ? null : column;
        /** The invalid line of a record, from 1; `null` if it is none. */
        this.line = line;
        /** The number of the invalid move, from 1; `null` if it is none. */
        this.move = move;
    }
}

/**
 * The message of an error for people, without ids of requirements and with its place in words.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function explained(error) {
    if (error instanceof Refused) return TEXT.refused(error.reason, error.column);
    return error instanceof Error ? error.message : String(error);
}

/** Does something, and notes why if it fails. @param {() => unknown} work */
export async function attempt(work) {
    try {
        await work();
    } catch (error) {
        change({ note: explained(error), renewals: state.renewals + 1 });
    }
}

/**
 * @typedef {object} Open
 * @property {string} message
 * @property {number} tries How often it was sent.
 * @property {(answer: any) => void} done
 * @property {(error: Error) => void} failed
 * @property {(answer: any) => void} report
 */

/** @type {Connection | null} The connection with the engine, if there was one. */
let connection = null;
/** @type {Map<number, Open>} The requests not yet answered, by their ids. */
const open = new Map();
/** How often a request is sent to a worker before it counts as one at which the engine fails. */
const MOST_TRIES = 3;
/** The most bytes of a request: the engine reads no longer lines. */
export const MOST_BYTES = 1 << 20;
/** The number of requests that were sent. */
let count = 0;
/** The id of the lines of the console. */
const CONSOLE = "console";
/** @type {(line: string) => void} */
let hear = () => {};

/**
 * Connects with the engine. What an earlier connection has not answered is asked again, unless the engine seems to fail
 * at it, or has ended that connection because of what it was asked: it would end this one, too.
 *
 * @param {(why: string | null) => void} ended Called when the connection has ended, with why if that is known.
 * @returns {Promise<boolean>} Whether there is a connection.
 */
export async function connect(ended) {
    const made = await reachEngine((line) => receive(JSON.parse(line)), (why, refuses = false) => {
        ended(why);
        if (refuses) refuseOpen();
    });
    if (!made) return false;
    connection = made;
    for (const [id, request] of open) {
        if (!HAS_SERVER && request.tries >= MOST_TRIES) {
            open.delete(id);
            request.failed(new Error(TEXT.failsAtThis));
        } else {
            request.tries += 1;
            send(request.message);
        }
    }
    return true;
}

/** Has all requests fail that are not yet answered. */
function refuseOpen() {
    const refused = [...open.values()];
    open.clear();
    for (const { failed } of refused) failed(refusal(TEXT.tooMuch));
}

/** @param {string} reason */
const refusal = (reason) =>
    new Refused({ message: reason, reason, field: null, line: null, move: null, column: null });

/** @param {any} answer */
function receive(answer) {
    if (answer.id === CONSOLE) {
        hear(answer.ugi ?? answer.error.message);
        return;
    }
    const request = open.get(answer.id);
    if (answer.partial) {
        request?.report(answer);
        return;
    }
    open.delete(answer.id);
    if (answer.error) request?.failed(new Refused(answer.error));
    else request?.done(answer);
}

/** Whether there is a connection, so that what is asked is not left waiting for one. */
export const isConnected = () => connection?.isOpen() === true;

/** @param {string} message */
function send(message) {
    if (isConnected()) connection?.send(message);
}

/** @param {string} message */
const isTooLong = (message) => new TextEncoder().encode(message).length > MOST_BYTES;

/**
 * Asks the engine.
 *
 * @param {object} fields The fields of the request.
 * @returns {Promise<any>} The answer. If the connection ends before, it comes over the next one.
 */
export function ask(fields) {
    return search(fields).answer;
}

/**
 * Has the engine search.
 *
 * @param {object} fields The fields of the request.
 * @param {(answer: any) => void} report Called with what is known before the answer.
 * @returns {{ answer: Promise<any>, stop: () => void }} The answer to come, and what has it come at once, or never if
 * there is no connection.
 */
export function search(fields, report = () => {}) {
    const id = count += 1;
    const message = JSON.stringify({ id, ...fields });
    if (isTooLong(message)) return { answer: Promise.reject(refusal(TEXT.tooLong)), stop: () => {} };
    const answer = new Promise((done, failed) => open.set(id, { message, tries: 1, done, failed, report }));
    send(message);
    const stop = () => {
        if (!isConnected()) open.delete(id);
        else if (open.has(id)) send(JSON.stringify({ stop: id }));
    };
    return { answer, stop };
}

/** The fields that name a position of the game. @param {GameNode} node @param {string[]} more Moves made there. */
export function placeOf(node, more = []) {
    const { setup: { game, options }, start, tip, end } = state;
    const moves = [node.moves, ...more].join(" ").trim();
    return { game, options, fen: start, moves, end: node === tip && more.length === 0 ? end : null };
}

/**
 * Asks about a position of the game.
 *
 * @param {GameNode} node
 * @param {string} question
 * @param {object} more The fields that the question takes.
 * @returns {Promise<any>}
 */
export async function askAbout(node, question, more = {}) {
    return (await ask({ ask: question, ...placeOf(node), ...more }))[question];
}

/** Sends a line to the console's session. @param {string} line */
export function tellConsole(line) {
    const message = JSON.stringify({ id: CONSOLE, ugi: line });
    if (isTooLong(message)) hear(capital(`${TEXT.tooLong}.`));
    else send(message);
}

/** @param {(line: string) => void} listener Is given each line that the console's session answers. */
export function listenToConsole(listener) {
    hear = listener;
}
