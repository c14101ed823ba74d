/** @import { GameNode } from "../core/game-tree.js" */
/** @import { Option, Player, Setup } from "../core/types.js" */

/**
 * Links to games. A link has the game, the rules, the first position, the moves, the players, the
 * viewed position, and the side at the bottom. The link is the part of the address after the `#`.
 * Browsers send this part to no server.
 */

/** The maximum length of a link after its `#`. Some programs cut off longer links. */
const MAX_LENGTH = 4000;
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
export function formatLink(
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
        if (hash.length <= MAX_LENGTH) return { hash, hasMoves: true, omitsNotes: false };
    }
    const hash = withMoves(MOVES, tip.moves);
    const omitsNotes = record !== null;
    const hasMoves = hash.length <= MAX_LENGTH;
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
export function parseLink(hash) {
    const fields = new URLSearchParams(hash.slice(1, MAX_READ_LENGTH));
    const takeField = (/** @type {string} */ name) => {
        const value = fields.get(name);
        fields.delete(name);
        return value;
    };
    const [game, start, moves, players, ply, turned, record, problem] =
        [GAME, START, MOVES, PLAYERS, PLY, TURNED, RECORD, PROBLEM].map(takeField);
    if (!game) return null;
    const seats = players?.split(" ");
    const isPlayer = (/** @type {string} */ word) => word === "person" || word === "engine";
    return {
        game, start, options: Object.fromEntries(fields), moves: moves?.split(/\s+/).filter(Boolean) ?? [],
        players: seats?.every(isPlayer) ? /** @type {Player[]} */ (seats) : null,
        ply: /^\d{1,5}$/.test(ply ?? "") ? Number(ply) : null,
        flipped: turned === "1",
        isProblem: problem === "1" && start !== null,
        record,
    };
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
export function shortenedInvalidLinks(link, illegalMove) {
    const legal = link.moves.slice(0, (illegalMove ?? 1) - 1);
    // The record is dropped, because no part of an invalid record is certain to be valid.
    const rest = { ...link, record: null };
    return [
        { ...rest, moves: legal, ply: null }, { ...rest, moves: [], ply: null },
        { ...rest, moves: [], ply: null, start: null }, { ...rest, moves: [], ply: null, start: null, options: {} },
    ];
}
