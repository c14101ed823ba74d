import { elementById, html, sideWords, state, TEXT, viewOfNode } from "../core/index.js";

/** The flourish when a person wins: the winner's pieces jump in a wave, and bits of paper fall over the board. */

/** The time of the flourish, in milliseconds. `panels.css` has the times of its parts. */
const TIME = 2600;
/** The number of bits of paper. */
const BIT_COUNT = 28;

let timer = 0;

/** Starts the flourish if a person has won. Nothing moves if the system asks for reduced motion. */
export function celebrateWin() {
    endCelebration();
    const { tip, setup: { players } } = state.game;
    const { winner, teams } = viewOfNode(tip).status;
    const winners = teams.find((_, index) => winner === TEXT.teamWord(index)) ?? [winner];
    const sides = sideWords().flatMap((word, side) => (winners.includes(word) ? [side] : []));
    if (!sides.some((side) => players[side] === "person")) return;
    const board = elementById("board", SVGSVGElement);
    const pieces = sides.flatMap((side) =>
        /** @type {SVGElement[]} */ ([...board.querySelectorAll(`.pieces > .side-${side}`)]));
    pieces.forEach((piece, index) => {
        piece.classList.add("winner");
        piece.style.setProperty("--turn", String(index / pieces.length));
    });
    const bits = Array.from({ length: BIT_COUNT }, () => {
        const bit = html("i");
        for (const name of ["--x", "--drift", "--delay"]) bit.style.setProperty(name, Math.random().toFixed(2));
        return bit;
    });
    board.classList.add("winning");
    elementById("boards").append(html("div", { class: "paper", "aria-hidden": "true" }, ...bits));
    timer = setTimeout(endCelebration, TIME);
}

/** Ends the flourish. */
export function endCelebration() {
    clearTimeout(timer);
    document.querySelector(".paper")?.remove();
    const board = elementById("board", SVGSVGElement);
    board.classList.remove("winning");
    for (const piece of board.querySelectorAll(".winner")) piece.classList.remove("winner");
}
