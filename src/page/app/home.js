/** @import { GameInfo, SavedGame } from "../core/types.js" */
import { capitalise, elementById, html, isGameOver, isGameSuspended, setState, setText, state, subscribe,
    svg, TEXT } from "../core/index.js";
import { runAndShowError, sendRequest } from "../engine/index.js";
import { allLinesFromStart, currentSavedGame, gameIdsOpenInTabs, getSavedGames, resumeGame } from "../game/index.js";
import { Board } from "../board/index.js";
import { findDailyProblem, openProblems, startLesson } from "../learn/index.js";
import { savedGameDisplayName, describeSavedGame } from "./games-dialog.js";
import { tryStartGame } from "./position-panel.js";
import { startAndRememberGame } from "./setup-dialog.js";

/**
 * The home: a small board of each game, the last game and the problem of the day. It is shown at the first visit, and
 * behind the name of the page. A lesson or a problem that is opened there returns to it.
 */

/** The outcome of a game that is not over. */
const ONGOING = "ongoing";
/** The space around the sites of a small board, in squares. */
const EDGE = 0.25;

/** Returns whether the home is shown. */
export const isHomeShown = () => state.app.isHome && !isGameSuspended();

/** Shows the home. */
const showHome = () => setState({ app: { isHome: true } });

/** Shows the current game. */
const leaveHome = () => setState({ app: { isHome: false } });

/** Draws the home whenever it is shown. @param {() => void} focusBoard */
export function mountHome(focusBoard) {
    const title = elementById("home-title");
    /** The current game of the tab. Lessons and exercises are not saved. */
    let { root } = state.game;
    subscribe(() => [state.game.root], () => {
        if (state.game.saveInfo === null || state.game.root === root) return;
        root = state.game.root;
        if (state.app.isHome) leaveHome();
    });
    subscribe(() => [isHomeShown()], ([wasShown]) => {
        const isShown = isHomeShown();
        document.body.classList.toggle("home", isShown);
        elementById("home").hidden = !isShown;
        elementById("play").inert = isShown;
        for (const id of ["lesson-leave", "problem-leave"]) {
            elementById(id).textContent = state.app.isHome ? TEXT.backHome : TEXT.leaveLesson;
        }
        const isFirst = wasShown === undefined;
        if (isShown) void runAndShowError(drawHome).then(() => isFirst || title.focus());
        if (isFirst || isShown === wasShown) return;
        scrollTo(0, 0);
        if (!isShown && !isGameSuspended()) focusBoard();
    });
    const note = elementById("home-note");
    subscribe(() => [isHomeShown(), state.app.note], () => setText(note, isHomeShown() ? state.app.note : ""));
    elementById("go-home").addEventListener("click", showHome);
}

/** Draws the cards. All appear at once when the engine has responded, so that none moves. */
async function drawHome() {
    // A game in which the first click can lose at once is not the first one that a newcomer meets.
    const games = state.engine.games.toSorted((one, other) => Number(one.sharp) - Number(other.sharp));
    elementById("home-title").textContent = TEXT.homeTitle(games.length);
    const cards = games.map(({ word, name, sides, summary: line, firstscore }) => {
        const play = () => tryStartGame(() => startAndRememberGame(word));
        const score = firstscore === null ? [] : [TEXT.firstScore(sides[0], firstscore)];
        const { card, board } = createCard("li", name, [`${capitalise(line)}.`, ...score].join(" "), play, [
            createButton(TEXT.playGame, name, play, "primary"),
            createButton(TEXT.learnGame, name, () => runAndShowError(() => startLesson(word))),
        ]);
        return { card, draw: () => drawBoard(board, { game: word }) };
    });
    try {
        const last = await lastGame();
        const now = await Promise.all([
            ...(last ? [createLastGameCard(last)] : []), createProblemCard(games), createLessonCard(games[0]),
        ]);
        const drawings = now.flatMap((drawing) => drawing ?? []);
        const list = elementById("home-games");
        const rest = elementById("home-now");
        list.replaceChildren(...cards.map(({ card }) => card));
        rest.replaceChildren(...drawings.map(({ card }) => card));
        // A game to continue comes first. Otherwise the games do.
        if (last) list.before(rest);
        else list.after(rest);
        await Promise.all([...cards, ...drawings].map(({ draw }) => draw()));
    } finally {
        elementById("home").removeAttribute("aria-busy");
    }
}

/** @typedef {{ card: HTMLElement, draw: () => Promise<void> }} CardDrawing A card, and the drawing of its board. */

/** @param {SavedGame} last @returns {Promise<CardDrawing>} */
async function createLastGameCard(last) {
    const { id, game, options, start, moves, played } = last;
    const resume = id === state.game.saveInfo?.id ? leaveHome : () => runAndShowError(() => resumeGame(id));
    const { card, board } = createCard("section", TEXT.continueGame(savedGameDisplayName(last)),
        describeSavedGame(last), resume, [createButton(TEXT.continueHere, "", resume, "primary")]);
    const line = allLinesFromStart(moves)[0].slice(0, played);
    return { card, draw: () => drawBoard(board, { game, options, fen: start, moves: line }) };
}

/** @param {GameInfo[]} games @returns {Promise<CardDrawing | null>} `null` if there are no problems. */
async function createProblemCard(games) {
    const daily = await findDailyProblem(games.map(({ word }) => word));
    if (!daily) return null;
    const { game, problem: { fen, options }, task } = daily;
    const name = games.find(({ word }) => word === game)?.name ?? game;
    const open = () => runAndShowError(() => openProblems(game, String(fen), true));
    const { scene } = await sendRequest({ game, options, fen, ask: "scene" });
    const { card, board } = createCard("section", TEXT.problemOfDay, `${name}. ${task(scene.turn ?? "")}`, open,
        [createButton(TEXT.solve, "", open)]);
    return { card, draw: () => drawBoard(board, { game, options, fen }) };
}

/** @param {GameInfo} game @returns {Promise<CardDrawing>} */
async function createLessonCard({ word: game, name }) {
    const { lesson: { options, tasks } } = await sendRequest({ game, ask: "lesson" });
    const open = () => runAndShowError(() => startLesson(game));
    const { card, board } = createCard("section", TEXT.lesson(name), TEXT.lessonTasks(tasks.length), open,
        [createButton(TEXT.startLesson, "", open)]);
    return { card, draw: () => drawBoard(board, { game, options, fen: tasks[0].fen }) };
}

/** Returns the game to continue: the game of this tab, or else the last game that no tab has open. */
async function lastGame() {
    const { saveInfo, tip } = state.game;
    if (saveInfo && tip.ply > 0 && !isGameOver()) return currentSavedGame();
    try {
        const [{ games }, openIds] = await Promise.all([getSavedGames(), gameIdsOpenInTabs()]);
        return games.find(({ id, outcome }) => outcome === ONGOING && !openIds.has(id));
    } catch {
        // The browser stores no games.
        return undefined;
    }
}

/**
 * Creates a card with a board, whose click does the same as its first button.
 *
 * @param {"li" | "section"} tag
 * @param {string} title
 * @param {string} text
 * @param {() => unknown} onclick
 * @param {HTMLElement[]} buttons
 */
function createCard(tag, title, text, onclick, buttons) {
    const board = svg("svg", { class: "board", "aria-hidden": "true", onclick });
    const card = html(tag, { class: "card" }, board, html("h2", {}, title), html("p", {}, text),
        html("div", { class: "buttons" }, ...buttons));
    return { card, board };
}

/**
 * @param {string} text
 * @param {string} name The game that the button applies to, if the page has another button with this text.
 * @param {() => unknown} onclick
 * @param {string} [level] The class of the button.
 */
const createButton = (text, name, onclick, level) => html("button",
    { type: "button", class: level, "aria-label": name ? `${text}: ${name}` : undefined, onclick }, text);

/**
 * Draws a position without the border of the board.
 *
 * @param {SVGSVGElement} element
 * @param {object} position The fields of a request.
 */
async function drawBoard(element, position) {
    const { board, scene } = await sendRequest({ ...position, ask: ["board", "scene"] });
    // A board must be on the page, because it measures its drawing.
    if (!element.isConnected || !isHomeShown()) return;
    const drawn = new Board(element, board);
    drawn.showScene(scene);
    const boxes = [drawn.layers.sites, drawn.layers.pieces].map((layer) => layer.getBBox());
    const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - left;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) - top;
    element.setAttribute("viewBox", [left - EDGE, top - EDGE, width + 2 * EDGE, height + 2 * EDGE].join(" "));
}
