/** @import { GameNode } from "../core/game-tree.js" */
/** @import { Moves, SavedGame } from "../core/types.js" */
import { TEXT } from "../core/index.js";
import { formatMovesWithNotes, isValidMoveNotes, isValidTagValue } from "./notes.js";

/**
 * Saved games and files of games. `docs/file-formats.md#games-of-the-page` describes the format.
 *
 * A file can come from anybody. The page reads a game only if each of its fields has the right form. The engine checks
 * the moves when somebody continues the game.
 */

const FORMAT = "pentarch games";
const VERSION = 1;

/** The maximum number of characters of a word. */
const MAX_WORD_LENGTH = 100;
/** The maximum number of characters of a FEN. */
const MAX_FEN_LENGTH = 10_000;
/** The maximum number of moves of a game with its variations. This is the limit of the engine. */
const MAX_MOVES = 10_000;
/**
 * The maximum total number of moves of all lines. Each line counts from the start, because the page
 * requests whole lines.
 */
const MAX_LINE_MOVES = 200_000;
/** The maximum number of games in a file. */
const MAX_GAMES = 5000;
/** The maximum nesting of variations. */
const MAX_NESTING = 100;

/** @typedef {(value: any) => boolean} Check */

const isWord = (/** @type {any} */ value) => typeof value === "string" && value.length <= MAX_WORD_LENGTH;
const isName = (/** @type {any} */ value) => isWord(value) && value !== "";
const isDate = (/** @type {any} */ value) => isName(value) && new Date(value).toJSON() === value;
const isObject = (/** @type {any} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (/** @type {any} */ value, least = 0, most = 1e9) =>
    typeof value === "number" && value >= least && value <= most;
const isList = (/** @type {any} */ value, /** @type {number} */ most, /** @type {Check} */ isRight) =>
    Array.isArray(value) && value.length <= most && value.every((entry) => isRight(entry));
const isMove = (/** @type {any} */ value) => isName(value) && !/\s/.test(value);

/** Returns whether these are moves with their variations and notes. @param {any} value @returns {boolean} */
function isTree(value, depth = 0) {
    const isValid = (/** @type {any} */ entry, /** @type {number} */ index) => isMove(entry)
        || (isValidMoveNotes(entry) && (depth === 0 || index > 0))
        || (index > 0 && entry?.length > 0 && isTree(entry, depth + 1));
    return Array.isArray(value) && depth <= MAX_NESTING && value.every(isValid);
}

/** @param {any} value */
function isEnd(value) {
    if (value === null) return true;
    if (!isObject(value) || Object.keys(value).length !== 1) return false;
    return value.agree === true || isName(value.resign) || isName(value.flag);
}

/** The fields of a setup. @type {Record<string, Check>} */
const SETUP_FIELDS = {
    game: isName,
    options: (value) => isObject(value) && isList(Object.entries(value), 100, ([, text]) => isWord(text)),
    players: (value) => isList(value, 4, (player) => player === "person" || player === "engine") && value.length > 1,
    level: isName,
    seconds: (value) => isNumber(value, 0.1, 3600),
    clock: (value) => value === null
        || (isObject(value) && isNumber(value.minutes, 0.1, 600) && isNumber(value.increment, 0, 600)),
};

/** @type {Record<string, Check>} */
const GAME_FIELDS = {
    id: isName,
    name: isWord,
    begun: isDate,
    changed: isDate,
    ...SETUP_FIELDS,
    times: (value) => isList(value, 4, isNumber),
    start: (value) => value === null || (typeof value === "string" && value.length <= MAX_FEN_LENGTH),
    moves: (value) => isTree(value)
        && value.flat(MAX_NESTING + 1).filter((/** @type {any} */ entry) => isMove(entry)).length <= MAX_MOVES,
    played: (value) => isNumber(value) && Number.isInteger(value),
    end: isEnd,
    outcome: isName,
};

/** Optional fields. @type {Record<string, Check>} */
const OPTIONAL_FIELDS = {
    fairStart: isWord,
    tags: (value) => isList(value, 100, (pair) => isList(pair, 2, isValidTagValue)
        && pair.length === 2 && isWord(pair[0]) && /^\w+$/.test(pair[0])),
};

/**
 * Returns the required fields if each field has the right form.
 *
 * @param {any} value
 * @param {Record<string, Check>} checks
 * @returns {any} Throws an error that names the invalid field.
 */
function checkFields(value, checks) {
    if (!isObject(value)) throw new Error(TEXT.notAGame);
    return Object.fromEntries(Object.entries(checks).map(([field, isRight]) => {
        if (!Object.hasOwn(value, field) || !isRight(value[field])) throw new Error(TEXT.invalidField(field));
        return [field, value[field]];
    }));
}

/**
 * Returns the fields of a saved game.
 *
 * @param {any} value
 * @returns {SavedGame} Throws an error that names the invalid field.
 */
export function parseSavedGame(value) {
    const more = Object.entries(OPTIONAL_FIELDS).filter(([field]) => value?.[field] !== undefined);
    const game = checkFields(value, { ...GAME_FIELDS, ...Object.fromEntries(more) });
    const mainLine = game.moves.filter((/** @type {any} */ entry) => isMove(entry));
    if (game.played > mainLine.length) throw new Error(TEXT.invalidField("played"));
    return game;
}

/** @param {any} value @returns {import("../core/types.js").Setup | null} The setup; `null` if it is invalid. */
export function parseGameSetup(value) {
    try {
        const setup = checkFields(value, SETUP_FIELDS);
        return { ...setup, fairStart: isWord(value.fairStart) ? value.fairStart : "" };
    } catch {
        return null;
    }
}

/** Formats a file of games. @param {object[]} games */
export const formatGamesFile = (games) => `${JSON.stringify({ format: FORMAT, version: VERSION, games }, null, 1)}\n`;

/**
 * Parses a file of games.
 *
 * @param {string} text
 * @returns {{ games: SavedGame[], errors: string[] }} The valid games, and the errors of the invalid games. Throws an
 * error if the file has another format.
 */
export function parseGamesFile(text) {
    let file;
    try {
        file = JSON.parse(text);
    } catch {
        throw new Error(TEXT.notAGamesFile);
    }
    if (file?.format !== FORMAT || !Array.isArray(file.games)) throw new Error(TEXT.notAGamesFile);
    if (file.version !== VERSION) throw new Error(TEXT.otherVersion);
    const { length } = file.games;
    if (length > MAX_GAMES) throw new Error(TEXT.tooManyGames(length, MAX_GAMES));
    /** @type {SavedGame[]} */
    const games = [];
    /** @type {string[]} */
    const errors = [];
    file.games.forEach((/** @type {any} */ game, /** @type {number} */ index) => {
        try {
            const validGame = parseSavedGame(game);
            if (countLineMoves(validGame.moves) > MAX_LINE_MOVES) throw new Error(TEXT.linesTooLong(MAX_LINE_MOVES));
            games.push(validGame);
        } catch (error) {
            errors.push(TEXT.invalidGame(index + 1, /** @type {Error} */ (error).message));
        }
    });
    return { games, errors };
}

/**
 * Returns the notes of a position as a list. The list is empty if there are no notes, and otherwise
 * has one entry.
 *
 * @param {GameNode} node
 * @returns {Moves}
 */
const noteEntries = ({ notes }) => (Object.keys(notes).length > 0 ? [notes] : []);

/**
 * Returns the moves after a position, with their variations and notes.
 *
 * @param {GameNode} node
 * @returns {Moves}
 */
export function recordedMovesAfter(node) {
    /** @type {Moves} */
    const moves = node.parent ? [] : noteEntries(node);
    for (let { children } = node; children.length > 0; [{ children }] = children) {
        const [main, ...others] = children;
        const variations = others.map((other) => [other.move, ...noteEntries(other), ...recordedMovesAfter(other)]);
        moves.push(main.move, ...noteEntries(main), ...variations);
    }
    return moves;
}

/**
 * Returns all lines from the start. The main line is first.
 *
 * @param {Moves} moves
 * @param {string[]} before The moves before these.
 * @returns {string[][]}
 */
export function allLinesFromStart(moves, before = []) {
    const line = [...before];
    const others = /** @type {string[][]} */ ([]);
    for (const move of moves) {
        if (typeof move === "string") line.push(move);
        else if (Array.isArray(move)) others.push(...allLinesFromStart(move, line.slice(0, -1)));
    }
    return [line, ...others];
}

/**
 * Counts the moves of all lines. Each line counts from the start.
 *
 * @param {Moves} moves
 * @param {number} before The number of moves before these.
 * @returns {number}
 */
function countLineMoves(moves, before = 0) {
    let length = before;
    let others = 0;
    for (const move of moves) {
        if (typeof move === "string") length += 1;
        else if (Array.isArray(move)) others += countLineMoves(move, length - 1);
    }
    return length + others;
}

/** Formats a tag of a record. @param {string} name @param {string} value */
const formatTag = (name, value) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`;

/** Returns the first tags of a record. @param {string} game @param {object} options @param {string | null} start */
export function formatRecordHeader(game, options, start) {
    const rules = Object.entries(options).map((pair) => formatTag("Option", pair.join("=")));
    const tags = [formatTag("Game", game), ...rules];
    return start === null ? tags : [...tags, formatTag("Fen", start)];
}

/**
 * Returns a record without its first tags: the tags that people added, and the played moves with
 * their notes.
 *
 * @param {Pick<SavedGame, "moves" | "played" | "tags">} game
 */
export function formatRecordBody({ moves, played, tags = [] }) {
    let left = played;
    // The notes and variations after a move belong to the move.
    const ofGame = moves.filter((entry) => (typeof entry === "string" ? (left -= 1) : left) >= 0);
    return [...tags.map(([name, value]) => formatTag(name, value)), [...formatMovesWithNotes(ofGame),
        "*"].join(" ")].join("\n");
}

/**
 * Formats a game as a record: the played moves, with variations and notes. The outcome is included
 * if a player has ended the game.
 *
 * @param {Pick<SavedGame, "game" | "options" | "start" | "moves" | "played" | "tags" | "end" | "outcome">} game
 */
export function formatRecord({ game, options, start, end, outcome, ...rest }) {
    const tags = formatRecordHeader(game, options, start);
    return [...tags, ...(end ? [formatTag("Outcome", outcome)] : []), formatRecordBody(rest)].join("\n");
}

/** Returns the identity of a new game for saving. @returns {import("../core/types.js").SaveInfo} */
export const createSaveInfoOfNewGame = ({ link = /** @type {string | null} */ (null) } = {}) =>
    ({ id: crypto.randomUUID(), name: "", begun: new Date().toISOString(), isStored: false, link });

/** The beginning of SGF. */
const SGF_START = /^(?:\u{ef}\u{bb}\u{bf})?\s*\(\s*;/u;
/** A property of SGF with its values, or the end of the node. */
const SGF_PROPERTY = /(?<name>[A-Za-z]+)\s*(?:\[(?<value>(?:\\.|[^\]\\])*)\]\s*)+|[;()]/gsu;

/** Returns the decoder for the character set that SGF names; `null` if it is unknown. @param {string} name */
function decoderFor(name) {
    try {
        const decoder = new TextDecoder(name.trim(), { fatal: true, ignoreBOM: true });
        // The name was read as ASCII, so the text cannot be in UTF-16.
        return decoder.encoding.startsWith("utf-16") ? null : decoder;
    } catch {
        return null;
    }
}

/** Returns the value of the property CA in the first node. @param {string} text @returns {string | null} */
function statedCharset(text) {
    const [start] = SGF_START.exec(text) ?? [];
    if (start === undefined) return null;
    for (const { groups } of text.slice(start.length).matchAll(SGF_PROPERTY)) {
        if (groups?.name === undefined) return null;
        if (groups.name === "CA") return groups.value;
    }
    return null;
}

/**
 * Returns whether a byte is the first of a letter whose next byte can be in ASCII.
 *
 * @param {number} byte
 * @param {string | undefined} encoding
 */
function isLeadByte(byte, encoding) {
    if (encoding === "shift_jis") return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
    return ["gbk", "gb18030", "big5", "euc-kr"].includes(encoding ?? "") && byte >= 0x81 && byte <= 0xfe;
}

/**
 * Returns the index of the byte after the game that begins at `start`. A game ends with the bracket that closes its
 * first one.
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {string | undefined} encoding
 */
function gameEnd(bytes, start, encoding) {
    let depth = 0;
    let isInValue = false;
    for (let index = start; index < bytes.length; index += 1) {
        const letter = String.fromCharCode(bytes[index]);
        // The next byte belongs to the same letter, even if it is that of a bracket.
        if (isLeadByte(bytes[index], encoding)) index += 1;
        else if (isInValue && letter === "\\") index += isLeadByte(bytes[index + 1], encoding) ? 2 : 1;
        else if (letter === "]") isInValue = false;
        else if (!isInValue && letter === "[") isInValue = true;
        else if (!isInValue && letter === "(") depth += 1;
        else if (!isInValue && letter === ")") {
            depth -= 1;
            if (depth <= 0) return index + 1;
        }
    }
    return bytes.length;
}

/**
 * Decodes a file with records or SGF. Each game in SGF is in the character set that its property CA names, otherwise
 * UTF-8 if it is valid, and otherwise Latin-1. Every other text is UTF-8, as is a text with a byte order mark.
 *
 * @param {Uint8Array} bytes
 * @returns {{ text: string, warning: string | null }} Throws an error if the text is not in its character set.
 */
export function decodeGameFile(bytes) {
    // Each byte becomes one character.
    const raw = new TextDecoder("windows-1252").decode(bytes);
    const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const isSgf = SGF_START.test(raw);
    const warnings = new Set();
    const parts = [];
    let start = 0;
    while (start < bytes.length) {
        const stated = isSgf && !hasByteOrderMark ? statedCharset(raw.slice(start)) : null;
        const decoder = stated === null ? null : decoderFor(stated);
        const end = isSgf && !hasByteOrderMark ? gameEnd(bytes, start, decoder?.encoding) : bytes.length;
        const game = bytes.subarray(start, end);
        try {
            parts.push((decoder ?? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })).decode(game));
        } catch {
            if (!isSgf) throw new Error(TEXT.otherCharset("UTF-8"));
            if (stated !== null && decoder && decoder.encoding !== "utf-8") throw new Error(TEXT.otherCharset(stated));
            parts.push(raw.slice(start, end));
            if (stated === null || decoder) warnings.add(TEXT.readAsLatin1);
        }
        if (stated !== null && !decoder) warnings.add(TEXT.unknownCharset(stated));
        start = end;
    }
    return { text: parts.join(""), warning: warnings.size > 0 ? [...warnings].join("; ") : null };
}
