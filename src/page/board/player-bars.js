/** @import { Board } from "./board.js" */
/** @import { PieceCount, Player } from "../core/types.js" */
import { selectionResetChanges, elementById, html, setState, sideWords, state, subscribe, TEXT, viewedScene,
    viewOfNode } from "../core/index.js";
import { endGame, formatClock, timeLeft, clocksWithRunningSide } from "../game/index.js";

/** The maximum number of icons of a hand. */
const MAX_ICONS = 20;

/** The seats, the first side at the bottom. Two sides face each other; four sides go around clockwise. */
const SEATS = { two: ["near", "far"], four: ["near", "left", "far", "right"] };

/** @type {HTMLElement[]} The clock element of each side. */
let clockElements = [];

/**
 * Draws the information about each side next to the board: its player, pieces in hand, captured pieces
 * and clock.
 *
 * @param {Board} board
 */
export function mountPlayerBars(board) {
    subscribe(() => [state.game.geometry, state.board.flipped, state.game.setup, viewedScene()], () => {
        const seats = sideWords().length === 2 ? SEATS.two : SEATS.four;
        for (const id of SEATS.four) elementById(id).hidden = !seats.includes(id);
        const first = state.board.flipped ? seats.length / 2 : 0;
        const seatElements = sideWords().map((_, side) => elementById(seats[(first + side) % seats.length]));
        const focused = document.activeElement?.getAttribute("data-side");
        clockElements = seatElements.map((place, side) => drawPlayer(board, side, place));
        if (focused) seatElements[Number(focused)]?.querySelector("select")?.focus();
        drawClocks();
    });
    let timer = 0;
    subscribe(() => [state.game.clocks], () => {
        clearInterval(timer);
        if (state.game.clocks.running >= 0) timer = setInterval(onClockTick, 100);
        drawClocks();
    });
}

/** @param {Board} board @param {number} side @param {HTMLElement} place @returns {HTMLElement} Its clock. */
function drawPlayer(board, side, place) {
    const word = sideWords()[side];
    const { hands, lost, turn } = viewedScene();
    place.classList.toggle("turn", turn === word);
    const clockElement = html("span", { class: "clock", role: "timer", "aria-label": TEXT.clock(word) });
    const choice = html("select", { "aria-label": TEXT.player(word), "data-side": side },
        html("option", { value: "person" }, TEXT.person), html("option", { value: "engine" }, TEXT.engine));
    choice.value = state.game.setup.players[side];
    choice.addEventListener("change", () => {
        const player = /** @type {Player} */ (choice.value);
        const { setup } = state.game;
        setState(selectionResetChanges(), { game: { setup: { ...setup, players: setup.players.with(side, player) } } });
    });
    place.replaceChildren(
        html("span", { class: `badge side-${side} ${word}`, "aria-hidden": "true" }),
        html("strong", {}, TEXT.side(word)), ...teamLabel(word), choice,
        html("span", { class: "hands" },
            ...hands.filter((hand) => hand.side === side).map(({ kind, count }) => drawHand(board, side, kind, count))),
        drawCaptured(board, lost.filter((pieces) => pieces.side !== side)),
        clockElement,
    );
    return clockElement;
}

/** Returns the label of a player's team, if there are teams. @param {string} word */
function teamLabel(word) {
    const index = viewOfNode(state.game.root).status.teams.findIndex((players) => players.includes(word));
    return index < 0 ? [] : [html("span", { class: "team" }, TEXT.teamName(index))];
}

/** @param {Board} board @param {number} side @param {string} kind @param {number} count */
function drawHand(board, side, kind, count) {
    // An empty hand has a faint icon, which tells the kind.
    const length = Math.max(1, Math.min(count, MAX_ICONS));
    const icons = Array.from({ length }, () => board.createIcon(kind, side));
    return html("span", { class: `hand ${count === 0 ? "none" : ""}` },
        html("span", { class: "icons", "aria-hidden": "true" }, ...icons),
        html("span", { class: "count", "aria-hidden": "true" }, String(count)),
        html("span", { class: "words" }, TEXT.hand(count, kind)));
}

/** Draws the pieces that a side has captured. @param {Board} board @param {PieceCount[]} lost */
function drawCaptured(board, lost) {
    const icons = lost.flatMap(({ side, kind, count }) =>
        Array.from({ length: count }, () => board.createIcon(kind, side)));
    if (icons.length === 0) return html("span", { class: "lost" });
    return html("span", { class: "lost", role: "img", "aria-label": TEXT.captured(icons.length) }, ...icons);
}

function drawClocks() {
    clockElements.forEach((face, side) => {
        const left = timeLeft(state.game.clocks, side);
        face.hidden = state.game.clocks.setting === null;
        face.textContent = face.hidden ? "" : formatClock(left);
        face.classList.toggle("low", !face.hidden && left < 10_000);
    });
}

function onClockTick() {
    const { clocks, clocks: { running }, allowedEndings } = state.game;
    drawClocks();
    if (timeLeft(clocks, running) > 0) return;
    setState({ game: { clocks: clocksWithRunningSide(clocks, -1) } });
    const side = sideWords()[running];
    if (allowedEndings.flag.length > 0) void endGame({ flag: side });
    else setState({ app: { note: TEXT.timeIsUp(side) } });
}
