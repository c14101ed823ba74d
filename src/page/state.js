/** @import { Lead } from "./hover.js" */
/** @import { Own } from "./own-marks.js" */
/** @import { Premove } from "./premove.js" */
/** @import { Settings } from "./settings.js" */
/** @import { GameNode } from "./tree.js" */
/** @import { Clicks, Clocks, Details, End, GameName, Geometry, Kept, Lesson, May, Option } from "./types.js" */
/** @import { Review, Scene, Seen, Setup, Solving } from "./types.js" */
import { TEXT } from "./strings.js";

/**
 * Everything that the page knows and shows.
 *
 * The game is played at the `tip`: what the players and the engine do happens there, and the line to it is the main one
 * of the tree. A move in any other position makes a variation, which changes nothing in the game in play.
 *
 * @typedef {object} State
 * @property {GameName[]} games All games.
 * @property {Option[]} options All options.
 * @property {string | null} offline Why there is no engine; nothing while there is one.
 * @property {boolean} elsewhere Whether another tab has taken over the game.
 * @property {Kept | null} kept What the game is kept as; nothing if it is not kept.
 * @property {string | null} unkept Why the browser does not keep the game; nothing while it does.
 * @property {Setup} setup
 * @property {Geometry} geometry
 * @property {May} may How the players may end the game, from its start on.
 * @property {string | null} start The text of the position that the game began at; nothing for the start position.
 * @property {[string, string][]} tags Names of players, the date and others, as records have them.
 * @property {GameNode} root The start with all that has been played from there.
 * @property {number} version Counts the changes of the tree.
 * @property {GameNode} tip The position in play. What it shows is known.
 * @property {End | null} end How a player has ended the game.
 * @property {GameNode} here The position that is looked at. What it shows is known.
 * @property {GameNode} wanted The one that is going to be looked at, as soon as it is known what it shows.
 * @property {number} renewals Counts how often the engine was to begin its move anew.
 * @property {Clocks} clocks
 * @property {string} note What is told besides whose turn it is.
 * @property {string} loading What is told while the engine waits for files.
 * @property {boolean} flipped Whether the second side sits below.
 * @property {string[]} chosen The sites that have been chosen for a move.
 * @property {Clicks | null} answer What may be chosen next, after the first site.
 * @property {boolean} tentative Whether what is chosen is a piece that no move begins with: the next choice begins one.
 * @property {{ site: string, move: string, details: Details | null } | null} pending A move that a finger has shown.
 * @property {Details | null} soFar What the move would do if it ended here.
 * @property {Details | null} hovered What the site under the pointer would do.
 * @property {Lead[]} leads Where the moves go that begin with the site under the pointer.
 * @property {Details | null} hint What the move does that the engine proposes.
 * @property {Premove | null} premove A move to be made after the engine's.
 * @property {Own} own What somebody has drawn on the board.
 * @property {Settings} settings
 * @property {boolean} analysing Whether there is any analysis.
 * @property {number} lineCount How many lines of it are shown.
 * @property {boolean} searching Whether it is going on.
 * @property {GameNode | null} deep The position that is searched without end.
 * @property {{ moves: string[], scene: Scene | null } | null} preview Where a line leads that is pointed at.
 * @property {{ nodes: GameNode[], found: Review | null, running: boolean } | null} review
 * @property {Lesson | null} lesson The guided first game that is going on.
 * @property {Solving | null} solving The problem that is being solved, or the position that is practised.
 */

/** @type {State} The state of the page. It is filled before anything is drawn, and changed by {@link change} only. */
export const state = Object.assign(/** @type {any} */ ({}), {
    games: [], options: [], offline: null, elsewhere: false, kept: null, unkept: null,
    version: 0, renewals: 0, loading: "", tags: [], flipped: false, ...choiceFromStart(),
    premove: null, own: { marks: [], arrows: [], draft: null },
    analysing: false, lineCount: 3, searching: false, deep: null, preview: null, review: null, lesson: null,
    solving: null,
});

/** @typedef {{ parts: () => unknown[], draw: (old: any[]) => void, last: unknown[] }} View */

/** @type {View[]} */
const views = [];

/**
 * Has something drawn, or done, whenever one of these parts of the state is another one. A part is compared by its
 * identity.
 *
 * @param {() => unknown[]} parts
 * @param {(old: any[]) => void} draw Called with the parts of the last time, nothing at first.
 */
export function whenever(parts, draw) {
    views.push({ parts, draw, last: [] });
}

/** Changes the state, and draws all of it that is another one then. @param {Partial<State>} changes */
export function change(changes = {}) {
    Object.assign(state, changes);
    for (const view of views) {
        const [now, { last }] = [view.parts(), view];
        if (now.length === last.length && now.every((part, index) => part === last[index])) continue;
        view.last = now;
        view.draw(last);
    }
}

/** What is said to somebody who looks at the position and has not chosen anything. */
export function choiceFromStart() {
    return {
        chosen: /** @type {string[]} */ ([]), answer: null, tentative: false, pending: null, soFar: null, hovered: null,
        leads: /** @type {Lead[]} */ ([]), hint: null, note: "",
    };
}

/** What a position shows that is known. @param {GameNode} node */
export const seen = (node) => /** @type {Seen} */ (node.seen);

/** What the position that is looked at shows. */
export const scene = () => seen(state.here).scene;

export const sides = () => state.geometry.sides;

/** Whether the game in play is over. */
export const isOver = () => seen(state.tip).scene.turn === null;

/** Whether the position in play is looked at. */
export const isCurrent = () => state.here === state.tip;

/** Whether a variation is looked at, and not the main line. */
export const isAstray = () => !state.here.leadsTo(state.tip);

/** The index of the player to move in the position in play, also after the end of the game. */
export const playerToMove = () => seen(state.tip).status.player;

/** Whether the engine is to move in the position in play. */
export const isEngineDue = () => !isOver() && state.setup.players[playerToMove()] === "engine";

/** Whether the engine is to move in the position that is looked at. */
export const isEngineDueHere = () => isCurrent() && isEngineDue();

/** Whether something else is shown in the place of the game that is going on. */
export const isAside = () => state.lesson !== null || state.solving !== null;

/** Why no person may move now; nothing if one may. */
export function hindrance() {
    if (state.offline !== null) return TEXT.notNow(state.offline);
    if (state.lesson && state.lesson.stage !== "task") return TEXT.waitForTask;
    if (state.solving && state.solving.stage !== "solve") return TEXT.waitForMove;
    if (scene().turn === null) return TEXT.gameOver;
    return isEngineDueHere() ? TEXT.notYourTurn : null;
}

/** @type {Clicks} */
const NOTHING = { next: [], move: null, text: null, why: null, reason: null, rule: null };

/** What may be chosen now. @returns {Clicks} */
export function choices() {
    return hindrance() === null ? (state.answer ?? seen(state.here).clicks) : NOTHING;
}

/** The move that can be made now, without another choice. */
export const readyMove = () => state.pending?.move ?? choices().move;

/** The next position of the line that is looked at. The game in play ends that line. */
export function nextWanted() {
    return state.wanted === state.tip ? null : (state.wanted.children[0] ?? null);
}
