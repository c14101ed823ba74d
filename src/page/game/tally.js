/** @import { GameNode } from "../core/game-tree.js" */
/** @import { PersonResult, Setup } from "../core/types.js" */
import { isGameOver, sideWords, state, subscribe, TEXT, viewOfNode } from "../core/index.js";
import { adaptAutoLevel, AUTO_LEVEL } from "./auto-level.js";
import { personResult } from "./game-result.js";

/**
 * The tally of the games that are played one after another as rematches. A reload of the page keeps it. Each game
 * counts once, with its first end.
 *
 * @typedef {object} Tally
 * @property {[number, number]} won The games that the two opponents have won: the person and the engine, or two people.
 * @property {number} drawn
 * @property {number} seat The side of the first of two people.
 */

/** The key of the tally in the session storage, with the id of its last game. */
const STORAGE_KEY = "tally";

/** @type {Tally} */
let tally = { won: [0, 0], drawn: 0, seat: 0 };
/** @type {GameNode | null} The last game of the tally. */
let lastRoot = null;
/** Whether the next game is a rematch. */
let isRematch = false;
/** @type {string[]} The sentences about the game that has just ended. */
let sentences = [];

/** @type {WeakSet<GameNode>} The games that the tally has. */
const countedGames = new WeakSet();

/** Returns sentences about the game that has just ended: the next level, and the tally of a rematch. */
export const sentencesAboutEnd = () => sentences;

/** Lets the next game belong to the same tally. @param {boolean} isTurned Whether the players change sides. */
export function continueTally(isTurned) {
    isRematch = true;
    if (isTurned) swapTallySides();
}

/** Changes the sides of two people. */
export function swapTallySides() {
    tally.seat = 1 - tally.seat;
}

function storedTally() {
    try {
        const { id, won: [first, second], drawn, seat } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}");
        return id === state.game.saveInfo?.id ? { won: /** @type {[number, number]} */ ([first, second]), drawn, seat }
            : null;
    } catch {
        return null;
    }
}

function storeTally() {
    try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ id: state.game.saveInfo?.id, ...tally }));
    } catch {
        // The browser blocks session storage. A reload then ends the tally.
    }
}

/** Counts each game that ends, except games without moves. */
export function setUpTally() {
    subscribe(() => [state.game.root, isGameOver()], ([oldRoot, wasOver]) => {
        const { root, saveInfo, tip } = state.game;
        // A lesson or an exercise does not end the tally.
        if (!saveInfo) return;
        if (root !== lastRoot) {
            if (!isRematch) tally = (lastRoot ? null : storedTally()) ?? { won: [0, 0], drawn: 0, seat: 0 };
            isRematch = false;
            lastRoot = root;
            storeTally();
        }
        sentences = [];
        if (root !== oldRoot || wasOver || tip === root || countedGames.has(root)) return;
        countedGames.add(root);
        countGame();
        storeTally();
    });
}

function countGame() {
    const { setup, tip } = state.game;
    const result = personResult();
    if (result !== null) {
        addResult(result, 0);
        if (setup.level === AUTO_LEVEL) sentences.push(TEXT.resultOf[result] + adaptAutoLevel(setup.game, result));
    } else if (areTwoPeople(setup)) {
        const { winner } = viewOfNode(tip).status;
        addResult(winner === null ? "drawn" : "won", Number(winner !== sideWords()[tally.seat]));
    } else {
        return;
    }
    const { won, drawn, seat } = tally;
    if (won[0] + won[1] + drawn < 2) return;
    sentences.push(areTwoPeople(setup)
        ? TEXT.gamesWon(sideWords().map(TEXT.side), seat === 0 ? won : won.toReversed(), drawn)
        : TEXT.gamesWon([TEXT.you, TEXT.theEngine], won, drawn));
}

/** @param {Setup} setup */
const areTwoPeople = ({ players }) => players.length === 2 && players.every((player) => player === "person");

/** @param {PersonResult} result @param {number} opponent The opponent with this result. */
function addResult(result, opponent) {
    if (result === "drawn") tally.drawn += 1;
    else tally.won[result === "won" ? opponent : 1 - opponent] += 1;
}
