/** @import { GameNode } from "./tree.js" */
/** @import { Option, Player, Setup } from "./types.js" */

/**
 * Games in addresses: a link holds the game, its rules, where it began, its moves, who plays, which position is looked
 * at and from which side, after the `#` of the address, which no server is sent.
 */

/** The most characters of a link after its `#`: some programs cut off longer ones. */
const LONGEST = 4000;
/** The most characters that are read of one. */
const MOST_READ = 100_000;
/** The fields of a link that are not options of the rules. */
const [GAME, START, MOVES, PLAYERS, PLY, TURNED, RECORD, PROBLEM] =
    ["game", "fen", "moves", "players", "ply", "turned", "record", "problem"];

/**
 * @typedef {object} Link
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string | null} start
 * @property {string[]} moves
 * @property {Player[] | null} players Nothing if the link does not say.
 * @property {number | null} ply The position that is looked at; nothing for the last one.
 * @property {boolean} turned Whether the second side sits below.
 * @property {boolean} isProblem Whether the position where it begins is a problem, to be solved.
 * @property {string | null} record The moves with what was added to them, as the end of a record; nothing if there are
 * moves only.
 */

/**
 * The part of the address after the `#`.
 *
 * @param {{ setup: Setup, start: string | null, tip: GameNode, here: GameNode, flipped: boolean,
 *     options: Option[] }} state
 * @param {string | null} record What was added to the moves, with them, as the end of a record.
 * @returns {{ hash: string, isWhole: boolean, isBare: boolean }} Without what was added if that is too long, and
 * without the moves if these are too many.
 */
export function linkOf(
    { setup: { game, options, players }, start, tip, here, flipped, options: known }, record = null,
) {
    const link = new URLSearchParams({ [GAME]: game });
    const isUsual = (/** @type {string} */ name, /** @type {string} */ value) =>
        String(known.find((option) => option.name === name)?.default) === value;
    for (const [name, value] of Object.entries(options)) {
        if (!isUsual(name, String(value))) link.set(name, String(value));
    }
    if (start !== null) link.set(START, start);
    link.set(PLAYERS, players.join(" "));
    if (flipped) link.set(TURNED, "1");
    const shortened = link.toString();
    /** The link with this beside it. @param {string} name @param {string} value */
    const withMoves = (name, value) => {
        const full = new URLSearchParams(link);
        if (tip.ply > 0 || name === RECORD) full.set(name, value);
        if (here !== tip && here.leadsTo(tip)) full.set(PLY, String(here.ply));
        return full.toString();
    };
    if (record !== null) {
        const hash = withMoves(RECORD, record);
        if (hash.length <= LONGEST) return { hash, isWhole: true, isBare: false };
    }
    const hash = withMoves(MOVES, tip.moves);
    const isBare = record !== null;
    return hash.length <= LONGEST ? { hash, isWhole: true, isBare } : { hash: shortened, isWhole: false, isBare };
}

/** The same for a problem. @param {string} game @param {string} fen */
export const linkOfProblem = (game, fen) =>
    new URLSearchParams({ [GAME]: game, [START]: fen, [PROBLEM]: "1" }).toString();

/**
 * What a link says. It comes from anybody: whether there is such a game, with such rules and moves, is for the engine
 * to say.
 *
 * @param {string} hash What stands in the address from its `#` on.
 * @returns {Link | null} Nothing if it names no game.
 */
export function readLink(hash) {
    const fields = new URLSearchParams(hash.slice(1, MOST_READ));
    const take = (/** @type {string} */ name) => {
        const value = fields.get(name);
        fields.delete(name);
        return value;
    };
    const [game, start, moves, players, ply, turned, record, problem] =
        [GAME, START, MOVES, PLAYERS, PLY, TURNED, RECORD, PROBLEM].map(take);
    if (!game) return null;
    const seats = players?.split(" ");
    const isPlayer = (/** @type {string} */ word) => word === "person" || word === "engine";
    return {
        game, start, options: Object.fromEntries(fields), moves: moves?.split(/\s+/).filter(Boolean) ?? [],
        players: seats?.every(isPlayer) ? /** @type {Player[]} */ (seats) : null,
        ply: /^\d{1,5}$/.test(ply ?? "") ? Number(ply) : null,
        turned: turned === "1",
        isProblem: problem === "1" && start !== null,
        record,
    };
}

/**
 * Links with less and less of what a link says, for one that the engine refuses: with the moves before the one that is
 * wrong, without moves, without the position, with the usual rules.
 *
 * @param {Link} link
 * @param {number | null} wrong The number of the first illegal move, from 1; `null` if the fault is elsewhere.
 * @returns {Link[]}
 */
export function remainders(link, wrong) {
    const legal = link.moves.slice(0, (wrong ?? 1) - 1);
    // Of a record that is wrong nothing is right for certain.
    const rest = { ...link, record: null };
    return [
        { ...rest, moves: legal, ply: null }, { ...rest, moves: [], ply: null },
        { ...rest, moves: [], ply: null, start: null }, { ...rest, moves: [], ply: null, start: null, options: {} },
    ];
}
