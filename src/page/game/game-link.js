/** @import { GameNode } from "../core/game-tree.js" */
/** @import { LinkFault, Option, Player, Setup } from "../core/types.js" */

/**
 * Links to games. A link has the game, the rules, the first position, the moves, the players, the
 * viewed position, and the side at the bottom. The link is the part of the address after the `#`.
 * Browsers send this part to no server.
 */

/** The maximum length of a link after its `#`. Some programs cut off longer links. */
const MAX_LINK_LENGTH = 4000;
/** The maximum number of characters that are read. */
const MAX_READ_LENGTH = 100_000;
/** The fields of a link. All other fields are options of the rules. */
const [GAME, START, MOVES, PLAYERS, PLY, TURNED, RECORD, PROBLEM] =
    ["game", "fen", "moves", "players", "ply", "turned", "record", "problem"];

/**
 * @typedef {object} Link
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start The FEN of the first position; `null` for the start position.
 * @property {string[]} moves
 * @property {Player[] | null} players `null` if the link does not name them.
 * @property {number | null} ply The viewed position; `null` for the last one.
 * @property {boolean} flipped Whether the second side is at the bottom.
 * @property {boolean} isProblem Whether the first position is a problem to solve.
 * @property {string | null} record The moves with notes and variations, as the end of a record; `null` if there are
 * only moves.
 * @property {LinkFault[]} faults The fields that the page cannot use. The engine checks the others.
 */

/**
 * Formats the part of the address after the `#`.
 *
 * @param {{ setup: Setup, start: string | null, tip: GameNode, viewedNode: GameNode, flipped: boolean,
 *     options: Option[] }} state
 * @param {string | null} record The moves with notes and variations, as the end of a record.
 * @returns {{ hash: string, hasMoves: boolean, omitsNotes: boolean }} The link. To shorten a link that would be too
 * long, notes and variations are omitted, and if necessary all moves.
 */
export function formatGameLink(
    { setup: { game, options, players }, start, tip, viewedNode, flipped, options: known }, record = null,
) {
    const link = new URLSearchParams({ [GAME]: game });
    const isDefault = (/** @type {string} */ name, /** @type {string} */ value) =>
        String(known.find((option) => option.name === name)?.default) === value;
    for (const [name, value] of Object.entries(options)) {
        if (!isDefault(name, String(value))) link.set(name, String(value));
    }
    if (start !== null) link.set(START, start);
    link.set(PLAYERS, players.join(" "));
    if (flipped) link.set(TURNED, "1");
    const shortened = link.toString();
    /** Returns the link with the moves and the viewed position. @param {string} name @param {string} value */
    const withMoves = (name, value) => {
        const full = new URLSearchParams(link);
        if (tip.ply > 0 || name === RECORD) full.set(name, value);
        if (viewedNode !== tip && viewedNode.contains(tip)) full.set(PLY, String(viewedNode.ply));
        return full.toString();
    };
    if (record !== null) {
        const hash = withMoves(RECORD, record);
        if (hash.length <= MAX_LINK_LENGTH) return { hash, hasMoves: true, omitsNotes: false };
    }
    const hash = withMoves(MOVES, tip.moves);
    const omitsNotes = record !== null;
    const hasMoves = hash.length <= MAX_LINK_LENGTH;
    return { hash: hasMoves ? hash : shortened, hasMoves, omitsNotes };
}

/** Formats the link to a problem. @param {string} game @param {string} fen */
export const formatProblemLink = (game, fen) =>
    new URLSearchParams({ [GAME]: game, [START]: fen, [PROBLEM]: "1" }).toString();

/**
 * Parses a link. A link can come from anybody, so that the engine must check the game, the rules
 * and the moves.
 *
 * @param {string} hash The part of the address that begins with `#`.
 * @returns {Link | null} `null` if the link names no game.
 */
export function parseGameLink(hash) {
    /** @type {LinkFault[]} */
    const faults = hash.length > MAX_READ_LENGTH ? [{ kind: "length", name: "", value: "" }] : [];
    /** @type {Map<string, string>} */
    const fields = new Map();
    for (const [name, value] of new URLSearchParams(hash.slice(1, MAX_READ_LENGTH))) {
        if (fields.has(name)) faults.push({ kind: "duplicate", name, value });
        else fields.set(name, value);
    }
    /** Removes a field. Returns its value, or `null` if there is no valid value. */
    const takeField = (/** @type {string} */ name, /** @type {(value: string) => boolean} */ isValid) => {
        const value = fields.get(name);
        fields.delete(name);
        if (value === undefined || isValid(value)) return value ?? null;
        faults.push({ kind: "value", name, value });
        return null;
    };
    const isAny = () => true;
    const isSet = (/** @type {string} */ value) => value === "1";
    const arePlayers = (/** @type {string} */ value) => /^(?:person|engine)(?: (?:person|engine))*$/.test(value);
    const game = takeField(GAME, isAny)?.toLowerCase();
    if (!game) return null;
    const start = takeField(START, isAny);
    const moves = takeField(MOVES, isAny);
    const players = takeField(PLAYERS, arePlayers);
    const ply = takeField(PLY, (value) => /^\d{1,5}$/.test(value));
    const flipped = takeField(TURNED, isSet) !== null;
    const record = takeField(RECORD, isAny);
    const hasProblem = takeField(PROBLEM, isSet) !== null;
    if (hasProblem && start === null) faults.push({ kind: "missing", name: START, value: "" });
    if (moves !== null && record !== null) faults.push({ kind: "unused", name: MOVES, value: moves });
    return {
        game, start, options: Object.fromEntries(fields), moves: moves?.split(/\s+/).filter(Boolean) ?? [],
        players: /** @type {Player[] | undefined} */ (players?.split(" ")) ?? null,
        ply: ply === null ? null : Number(ply), flipped, isProblem: hasProblem && start !== null,
        record, faults,
    };
}

/**
 * Returns the fields that have no effect if the problem of a link is shown.
 *
 * @param {Link} link
 * @returns {LinkFault[]}
 */
export function linkFieldsUnusedByProblem({ options, moves, players, ply, flipped, record }) {
    const isUsed = {
        [MOVES]: moves.length > 0, [PLAYERS]: players !== null, [PLY]: ply !== null, [TURNED]: flipped,
        [RECORD]: record !== null,
    };
    const names = Object.entries(isUsed).filter(([, isGiven]) => isGiven).map(([name]) => name);
    return [...Object.keys(options), ...names].map((name) => ({ kind: "unused", name, value: "" }));
}

/**
 * Returns the fields that the game of a link cannot use: players of another number of sides, and a position after the
 * end.
 *
 * @param {Link} link
 * @param {number} sideCount
 * @param {number} length The number of moves.
 * @returns {LinkFault[]}
 */
export function linkFieldsInvalidForGame({ players, ply }, sideCount, length) {
    /** @type {LinkFault[]} */
    const faults = [];
    if (players && players.length !== sideCount) {
        faults.push({ kind: "value", name: PLAYERS, value: players.join(" ") });
    }
    if (ply !== null && ply > length) faults.push({ kind: "value", name: PLY, value: String(ply) });
    return faults;
}

/**
 * Returns the fields of a link that its valid part lacks.
 *
 * @param {Link} link
 * @param {Link} part
 * @returns {LinkFault[]}
 */
export function fieldsDroppedFromLink(link, part) {
    const names = Object.keys(link.options).filter((name) => !Object.hasOwn(part.options, name));
    if (part.start !== link.start) names.push(START);
    if (part.moves.length === 0 && link.moves.length > 0) names.push(MOVES);
    if (part.record !== link.record) names.push(RECORD);
    return names.map((name) => ({ kind: "unused", name, value: "" }));
}

/**
 * Returns shorter and shorter versions of a link that the engine rejects. The first version has
 * only the moves before the invalid move. The next versions omit all moves, then the position, and
 * finally the rules.
 *
 * @param {Link} link
 * @param {number | null} illegalMove The number of the first illegal move, from 1; `null` if the fault is not in a
 * move.
 * @returns {Link[]}
 */
export function shortenInvalidLink(link, illegalMove) {
    const legal = link.moves.slice(0, (illegalMove ?? 1) - 1);
    // The record is dropped, because no part of an invalid record is certain to be valid.
    const rest = { ...link, record: null };
    return [
        { ...rest, moves: legal }, { ...rest, moves: [] }, { ...rest, moves: [], start: null },
        { ...rest, moves: [], start: null, options: {} },
    ];
}
