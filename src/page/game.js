/** @import { Course, End, Kept, Moves, Setup, Successor } from "./types.js" */
import { gain, isOut, newClocks, run } from "./clock.js";
import { ask, askAbout, placeOf } from "./requests.js";
import { linesOf, newKept } from "./game-file.js";
import { annotate } from "./notes.js";
import { change, choiceFromStart, isAstray, isOver, playerToMove, seen, sides, state } from "./state.js";
import { TEXT } from "./strings.js";
import { GameNode } from "./tree.js";

/** The node limit of the search that decides about a draw offer. */
const NODES = 20_000;
/** The maximum number of concurrent line requests: the server closes a connection with too many. */
const LINES_AT_ONCE = 8;
/** The questions whose answers make a `PositionView`. */
const SEEN = ["scene", "status", "clicks"];

/** The number of the latest change of the current game; responses to earlier ones are dropped. */
let playing = 0;
/** The number of the latest change of the viewed position; responses to earlier ones are dropped. */
let looking = 0;
/** Whether another game is being started, so that the old one can no longer change. */
let isBeginning = false;

/**
 * Starts a game, from the start position or another one.
 *
 * @param {Setup} setup Without options, the default rules apply.
 * @param {{ start?: string | null, moves?: string[], end?: End | null, lines?: string[], line?: Moves,
 *     tags?: [string, string][], times?: number[], kept?: Kept | null }} course
 * The FEN of the first position, the moves and the end; all lines, including variations; the moves
 * with their notes; the tags; the remaining times; and the identity for saving, `null` to save
 * nothing.
 */
export async function begin(setup, {
    start = null, moves = [], end = null, lines = [], line = [], tags = [], times, kept = newKept(),
} = {}) {
    const place = { game: setup.game, options: setup.options, fen: start };
    const step = ++playing;
    isBeginning = true;
    try {
        const [first, last, others] = await Promise.all([
            ask({ ...place, ask: ["board", ...SEEN] }),
            ask({ ...place, moves, end, ask: [...SEEN, "course"] }),
            coursesOf(place, lines),
        ]);
        if (step !== playing) return;
        const { sides: { length }, rules, game } = first.board;
        const root = new GameNode();
        root.seen = first;
        for (const course of others) grow(root, course);
        const tip = grow(root, last.course);
        tip.seen = last;
        tip.lead();
        annotate(root, line);
        const players = reseated(setup.players, length);
        const clocks = newClocks(setup.clock, length);
        if (times && times.length === length) clocks.left = times;
        // If the sides face each other, a single person sits at the bottom.
        const flipped = players[0] === "engine" && players[players.length / 2] === "person";
        show(tip, {
            geometry: first.board, may: first.status.may, setup: { ...setup, game, options: rules, players },
            start, root, end, flipped, kept, tags, ...withoutAdvice(players),
        }, clocks);
    } finally {
        if (step === playing) isBeginning = false;
    }
}

/**
 * Requests the courses of lines, a few at a time.
 *
 * @param {object} place The fields of their first position.
 * @param {string[]} lines
 */
async function coursesOf(place, lines) {
    /** @type {Course[]} */
    const courses = [];
    for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
        const some = lines.slice(first, first + LINES_AT_ONCE);
        const answers = await Promise.all(some.map((moves) => ask({ ...place, moves, ask: "course" })));
        courses.push(...answers.map(({ course }) => course));
    }
    return courses;
}

/** Ignores the pending responses for the current game, the viewed position and a game to start. */
export function dropUnanswered() {
    isBeginning = false;
    playing += 1;
    looking += 1;
}

/** Returns the state change that ends the analysis if the engine plays. @param {Setup["players"]} players */
const withoutAdvice = (players) => (players.includes("engine") ? { analysing: false } : {});

/**
 * Adds the moves of a course to a position, and returns the last position.
 *
 * @param {GameNode} root
 * @param {Course} course
 */
export function grow(root, { moves, players }) {
    return moves.reduce((node, move, index) => node.add(move, players[index]), root);
}

/**
 * Adapts the choice of players to another number of sides: all people, all engines, or one person,
 * who stays at the same side if it exists.
 *
 * @param {Setup["players"]} players
 * @param {number} count The number of sides.
 * @returns {Setup["players"]}
 */
export function reseated(players, count) {
    if (players.length === count) return players;
    const only = players.every((player) => player === players[0]) ? players[0] : "engine";
    const person = players.indexOf("person");
    const seat = person < count ? person : 0;
    return Array.from({ length: count }, (_, side) => (side === seat && person >= 0 ? "person" : only));
}

/**
 * Starts the game of a record as a new game.
 *
 * @param {string} record
 * @param {Setup} setup The players, level and clock.
 */
export async function load(record, setup = state.setup) {
    const { board, course } = await ask({ record, ask: ["board", "course"] });
    const lines = linesOf(course.line).slice(1).map((line) => line.join(" "));
    await begin({ ...setup, game: board.game, options: board.rules }, { ...course, lines });
}

/**
 * Makes another position the current one of the game.
 *
 * @param {GameNode} tip A position whose view is known.
 * @param {Partial<State>} changes Further changes of the state.
 * @param {State["clocks"]} clocks
 */
function show(tip, changes, clocks = state.clocks) {
    looking += 1;
    change({
        here: tip, ...choiceFromStart(), end: null, version: state.version + 1, ...changes, tip,
        wanted: changes.here ?? tip, clocks: timed(tip, clocks, changes.may ?? state.may),
    });
}

/** @typedef {import("./state.js").State} State */

/**
 * Returns the clocks, with that of the side to move running. No clock runs before the first move.
 *
 * @param {GameNode} tip
 * @param {State["clocks"]} clocks
 * @param {State["may"]} may
 */
export function timed(tip, clocks, may = state.may) {
    const { scene: { turn }, status: { player } } = seen(tip);
    const canLose = turn !== null && may.flag.length > 0;
    // A game that continues after a loss on time gets new clocks.
    const now = canLose && isOut(clocks) ? newClocks(clocks.setting, clocks.left.length) : run(clocks, -1);
    // If a side cannot lose on time, its clock stops at zero.
    return run(now, turn === null || tip.ply === 0 || now.left[player] === 0 ? -1 : player);
}

/** Requests the view of a position unless it is known. @param {GameNode} node */
async function learn(node) {
    if (!node.seen) {
        const found = await ask({ ...placeOf(node), ask: SEEN });
        node.seen ??= found;
    }
}

/** Shows a position on the board. @param {GameNode | null} wanted */
export async function look(wanted) {
    if (!wanted || isBeginning) return;
    const step = ++looking;
    change({ wanted });
    await learn(wanted);
    if (step === looking && wanted !== state.here) change({ ...choiceFromStart(), here: wanted });
}

/**
 * Adds a variation to the viewed position, and shows its last position.
 *
 * @param {string[]} moves Legal moves.
 */
export async function explore(moves) {
    if (isBeginning) return;
    const { here, root } = state;
    const step = ++looking;
    const answer = await ask({ ...placeOf(here, moves), ask: [...SEEN, "course"] });
    if (step !== looking) return;
    const node = grow(root, answer.course);
    node.seen ??= answer;
    change({ ...choiceFromStart(), here: node, wanted: node, version: state.version + 1 });
}

/**
 * Makes a move. In the current position it is played; elsewhere it makes a variation.
 *
 * @param {string} move A legal move.
 * @param {GameNode} from
 * @param {Successor | null} [known] The position after it, if it was requested before.
 */
export async function make(move, from = state.here, known = null) {
    if (isBeginning) return;
    const isPlayed = from === state.tip;
    const step = isPlayed ? ++playing : ++looking;
    const old = from.children.find((child) => child.move === move);
    /** @type {Successor} */
    const found = known ?? (old?.seen && old.details ? { ...old.seen, details: old.details }
        : await askAbout(from, "successor", { move }));
    if (step !== (isPlayed ? playing : looking)) return;
    const node = from.add(move, seen(from).status.player);
    node.details ??= found.details;
    node.seen ??= found;
    if (!isPlayed) {
        change({ ...choiceFromStart(), here: node, wanted: node, version: state.version + 1 });
        return;
    }
    // The viewed variation stays on the board.
    const elsewhere = isAstray() ? { here: state.here } : {};
    node.lead();
    show(node, elsewhere, gain(state.clocks, node.mover));
}

/** Deletes a move and all moves after it. @param {GameNode} node The position after the move. */
export async function remove(node) {
    const { parent } = node;
    if (isBeginning || !parent) return;
    if (node.leadsTo(state.tip)) {
        await playAt(parent, () => node.remove());
        return;
    }
    const wasSeen = node.leadsTo(state.here);
    await learn(parent);
    node.remove();
    change({ wanted: node.leadsTo(state.wanted) ? parent : state.wanted, version: state.version + 1 });
    if (wasSeen) await look(parent);
}

/**
 * Makes another position the current one, in a game that no player has ended.
 *
 * @param {GameNode} node
 * @param {() => void} before Called immediately before the change.
 * @param {Partial<State>} changes Further changes of the state.
 */
async function playAt(node, before = () => {}, changes = {}) {
    if (isBeginning) return;
    const step = ++playing;
    const { tip, end } = state;
    // The known view may include the end that a player chose.
    const known = end !== null && node === tip ? null : node.seen;
    const found = known ?? await ask({ ...placeOf(node), end: null, ask: SEEN });
    if (step !== playing) return;
    node.seen = found;
    if (end !== null && node !== tip) tip.seen = null;
    before();
    node.lead();
    show(node, changes);
}

/** Continues the game from the viewed position. The moves after it become a variation. */
export async function playOn() {
    if (state.here !== state.tip) await playAt(state.here, () => {}, withoutAdvice(state.setup.players));
}

/**
 * Promotes the viewed variation over the line that it leaves. If that is the game, the variation
 * becomes the game.
 */
export async function promote() {
    const first = state.here.branch(state.tip);
    if (!first || isBeginning) return;
    if (first.parent?.leadsTo(state.tip)) {
        await playAt(state.here.end, () => {}, { here: state.here, ...withoutAdvice(state.setup.players) });
        return;
    }
    first.moveUp();
    change({ version: state.version + 1 });
}

/** Ends the game as the players chose. @param {End} end */
export async function finish(end) {
    if (isBeginning || isOver()) return;
    const { tip } = state;
    const step = ++playing;
    const found = await ask({ ...placeOf(tip), end, ask: SEEN });
    if (step !== playing) return;
    tip.seen = found;
    show(tip, { end });
}

/**
 * Takes back the last move. Against the engine, takes back the person's last move and all moves
 * after it. In a variation, takes back its last move and no move of the game.
 */
export async function takeBack() {
    const { end, here, setup, tip } = state;
    if (isAstray()) {
        await (here.children.length > 0 ? look(here.parent) : remove(here));
        return;
    }
    // The engine would repeat the move, so that people take over both sides.
    const isPlayedByEngine = !setup.players.includes("person");
    if (isPlayedByEngine) change({ setup: { ...setup, players: setup.players.map(() => "person") } });
    // If only the engine has moved, there is no move to take back.
    const last = tip.path.findLast(({ mover }) => isPlayedByEngine || setup.players[mover] === "person");
    if (end !== null) await playAt(tip);
    else if (last) await remove(last);
}

/** Deletes the move that led to the viewed position, and all moves after it. */
export async function removeFromHere() {
    const { here, tip } = state;
    if (!isAstray() && here.parent && !confirm(TEXT.confirmDelete(tip.ply - here.ply + 1))) return;
    await remove(here);
}

/** Resigns for the side to move, or in the engine's turn for the first person, if a person plays. */
export async function resign() {
    const { players } = state.setup;
    const [turn, person] = [playerToMove(), players.indexOf("person")];
    const side = sides()[players[turn] === "person" || person < 0 ? turn : person];
    if (confirm(TEXT.confirmResign(side))) await finish({ resign: side });
}

/** Ends the game as a draw if the engine accepts, or both people agree. */
export async function offerDraw() {
    const { setup: { players }, root, tip } = state;
    if (players.includes("engine")) {
        // The engine evaluates the last position in which it was to move.
        const line = [root, ...tip.path];
        const judged = line.findLast((_, ply) => players[line[ply + 1]?.mover ?? playerToMove()] === "engine");
        const answer = judged && await askAbout(judged, "drawoffer", { nodes: NODES });
        if (tip !== state.tip) return;
        if (answer !== "accept") {
            change({ note: TEXT.drawDeclined });
            return;
        }
    } else if (!confirm(TEXT.confirmDraw)) {
        return;
    }
    await finish({ agree: true });
}
