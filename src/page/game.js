/** @import { Course, End, Kept, Moves, Setup, Successor } from "./types.js" */
import { gain, isOut, newClocks, run } from "./clock.js";
import { ask, askAbout, placeOf } from "./requests.js";
import { linesOf, newKept } from "./game-file.js";
import { annotate } from "./notes.js";
import { change, choiceFromStart, isAstray, isOver, playerToMove, seen, sides, state } from "./state.js";
import { TEXT } from "./strings.js";
import { GameNode } from "./tree.js";

/** How many nodes are searched for whether a draw is accepted. */
const NODES = 20_000;
/** How many lines of a game are asked about at once: the server ends a connection on which too much is waiting. */
const LINES_AT_ONCE = 8;
/** What is asked about each position that is shown. */
const SEEN = ["scene", "status", "clicks"];

/** Counts the changes of the position in play that were begun: the last one counts. */
let playing = 0;
/** Counts where somebody wanted to look: the last one counts. */
let looking = 0;
/** Whether another game is being begun, so that the old one can no longer be changed. */
let isBeginning = false;

/**
 * Begins a game, from the start position or another one.
 *
 * @param {Setup} setup Without options it is played by the usual rules.
 * @param {{ start?: string | null, moves?: string[], end?: End | null, lines?: string[], line?: Moves,
 *     tags?: [string, string][], times?: number[], kept?: Kept | null }} course
 * Where it starts, its moves and its end, the moves of all its lines, variations too, what was added to them, its tags,
 * what its clocks show, and what it is kept as; nothing if it is not kept.
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
        // A person alone sits below, if the sides face each other.
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
 * Asks for the courses of lines, a few at once.
 *
 * @param {object} place Where they start.
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

/** Does nothing more with what was asked for the position in play, or for a game to begin. */
export function dropUnanswered() {
    isBeginning = false;
    playing += 1;
    looking += 1;
}

/** Whoever plays against the engine does so without its advice. @param {Setup["players"]} players */
const withoutAdvice = (players) => (players.includes("engine") ? { analysing: false } : {});

/**
 * Adds the moves of a game to its start, and gives the last position.
 *
 * @param {GameNode} root
 * @param {Course} course
 */
export function grow(root, { moves, players }) {
    return moves.reduce((node, move, index) => node.add(move, players[index]), root);
}

/**
 * Who plays among so many sides, after somebody has chosen for another number of them: all people, all engines, or one
 * person, at the same side if there is such a one.
 *
 * @param {Setup["players"]} players
 * @param {number} count
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
 * Takes up the game of a record, which is a game of its own.
 *
 * @param {string} record
 * @param {Setup} setup With what it is played.
 */
export async function load(record, setup = state.setup) {
    const { board, course } = await ask({ record, ask: ["board", "course"] });
    const lines = linesOf(course.line).slice(1).map((line) => line.join(" "));
    await begin({ ...setup, game: board.game, options: board.rules }, { ...course, lines });
}

/**
 * Shows another position in play.
 *
 * @param {GameNode} tip What it shows is known.
 * @param {Partial<State>} changes What else changes.
 * @param {State["clocks"]} clocks Those of now.
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
 * The clocks, of which that of the side to move runs from its second move on.
 *
 * @param {GameNode} tip
 * @param {State["clocks"]} clocks
 * @param {State["may"]} may How the players may end the game.
 */
export function timed(tip, clocks, may = state.may) {
    const { scene: { turn }, status: { player } } = seen(tip);
    const canLose = turn !== null && may.flag.length > 0;
    // A game that goes on after a loss on time has new clocks.
    const now = canLose && isOut(clocks) ? newClocks(clocks.setting, clocks.left.length) : run(clocks, -1);
    // Where nobody loses by time, a clock that has run out stands still.
    return run(now, turn === null || tip.ply === 0 || now.left[player] === 0 ? -1 : player);
}

/** Asks what a position shows, where that is not known. @param {GameNode} node */
async function learn(node) {
    if (!node.seen) {
        const found = await ask({ ...placeOf(node), ask: SEEN });
        node.seen ??= found;
    }
}

/** Looks at a position. @param {GameNode | null} wanted */
export async function look(wanted) {
    if (!wanted || isBeginning) return;
    const step = ++looking;
    change({ wanted });
    await learn(wanted);
    if (step === looking && wanted !== state.here) change({ ...choiceFromStart(), here: wanted });
}

/**
 * Looks at the position after some moves, which become a variation.
 *
 * @param {string[]} moves Legal ones in the position that is looked at.
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
 * Makes a move. It is played if it is made in the position in play, else it makes a variation.
 *
 * @param {string} move A legal one.
 * @param {GameNode} from
 * @param {Successor | null} [known] The position after it, if that was asked already.
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
    // Whoever looks at a variation goes on doing so.
    const elsewhere = isAstray() ? { here: state.here } : {};
    node.lead();
    show(node, elsewhere, gain(state.clocks, node.mover));
}

/** Forgets a move and all that follow it. @param {GameNode} node The position after the move. */
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
 * Makes another position the one in play, in a game that no player has ended.
 *
 * @param {GameNode} node
 * @param {() => void} before What is to be done just before.
 * @param {Partial<State>} changes What else changes.
 */
async function playAt(node, before = () => {}, changes = {}) {
    if (isBeginning) return;
    const step = ++playing;
    const { tip, end } = state;
    // What is known of it may be the end that a player has made.
    const known = end !== null && node === tip ? null : node.seen;
    const found = known ?? await ask({ ...placeOf(node), end: null, ask: SEEN });
    if (step !== playing) return;
    node.seen = found;
    if (end !== null && node !== tip) tip.seen = null;
    before();
    node.lead();
    show(node, changes);
}

/** Plays on from the position that is looked at. What has been played after it becomes a variation. */
export async function playOn() {
    if (state.here !== state.tip) await playAt(state.here, () => {}, withoutAdvice(state.setup.players));
}

/**
 * Makes the variation that is looked at the main line where it leaves another one. It becomes the game in play if it
 * leaves that.
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

/** Ends the game as the players want it. @param {End} end */
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
 * Takes back the last move, or against the engine all moves after and with the last one of the person. In a variation
 * it takes back that one's last move, and no move of the game.
 */
export async function takeBack() {
    const { end, here, setup, tip } = state;
    if (isAstray()) {
        await (here.children.length > 0 ? look(here.parent) : remove(here));
        return;
    }
    // The engine would make the same move again: it stops playing with itself.
    const isPlayedByEngine = !setup.players.includes("person");
    if (isPlayedByEngine) change({ setup: { ...setup, players: setup.players.map(() => "person") } });
    // If the engine has moved first, and nobody else has moved yet, there is nothing to be taken back.
    const last = tip.path.findLast(({ mover }) => isPlayedByEngine || setup.players[mover] === "person");
    if (end !== null) await playAt(tip);
    else if (last) await remove(last);
}

/** Deletes the move that led to the position that is looked at, and what follows it. */
export async function removeFromHere() {
    const { here, tip } = state;
    if (!isAstray() && here.parent && !confirm(TEXT.confirmDelete(tip.ply - here.ply + 1))) return;
    await remove(here);
}

/** Gives the game up for the side to move, or in the engine's turn for the first person who plays, if there is one. */
export async function resign() {
    const { players } = state.setup;
    const [turn, person] = [playerToMove(), players.indexOf("person")];
    const side = sides()[players[turn] === "person" || person < 0 ? turn : person];
    if (confirm(TEXT.confirmResign(side))) await finish({ resign: side });
}

/** Ends the game as a draw if the engine accepts, or both people do. */
export async function offerDraw() {
    const { setup: { players }, root, tip } = state;
    if (players.includes("engine")) {
        // The engine judges by the position in which it was last to move.
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
