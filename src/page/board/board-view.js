import { Board } from "./board.js";
import { animateMove } from "./board-animation.js";
import { elementById, svg } from "../core/dom.js";
import { createBoardLegend } from "./legend.js";
import { describePosition } from "../game/move-list.js";
import { currentClickChoices, isViewingCurrentPosition, isEngineToMove, isEngineToMoveHere, isGameOver, isInVariation,
    moveReadyToMake, state, subscribe, viewedScene } from "../core/state.js";
import { TEXT } from "../core/strings.js";

/** Draws the board with the selection, the status and the buttons of the game. @returns {Board} */
export function mountBoardView() {
    const board = new Board(elementById("board", SVGSVGElement), state.geometry);
    subscribe(() => [state.geometry], () => {
        const { name } = state.games.find(({ word }) => word === state.setup.game) ?? { name: state.setup.game };
        elementById("title").textContent = name;
        document.title = TEXT.title(name);
        elementById("move", HTMLInputElement).value = "";
        board.element.setAttribute("aria-label", TEXT.board(name));
        if (board.geometry !== state.geometry) board.setGeometry(state.geometry);
    });
    subscribe(() => [state.root, state.flipped, state.viewedNode, viewedScene()], ([root, flipped, from, before]) => {
        const { viewedNode } = state;
        board.setFlipped(state.flipped);
        if (root !== state.root || flipped !== state.flipped) {
            board.showScene(viewedScene());
            return;
        }
        const back = from.parent === viewedNode;
        const details = viewedNode.parent === from ? viewedNode.details : back ? from.details : null;
        animateMove(board, before, viewedScene(), details, back);
    });
    subscribe(() => [state.geometry, state.flipped, viewedScene(), state.chosenSites, currentClickChoices(),
        state.premove],
        () => drawChoices(board));
    subscribe(() => [state.geometry, state.flipped, viewedScene(), ...ghostArguments()],
        () => board.showGhost(...ghostArguments()));
    subscribe(() => [state.geometry, state.flipped, viewedScene(), state.hoverTargets], () => drawHoverTargets(board));
    subscribe(() => [state.note, state.loading], () => {
        elementById("note").textContent = `${state.note} ${state.loading}`.trim();
    });
    subscribe(() => [state.chosenSites, state.pendingMove, state.premove, moveReadyToMake()], () => {
        const button = elementById("confirm");
        const ready = moveReadyToMake();
        button.hidden = ready === null;
        button.textContent = ready === null ? "" : TEXT.play(ready);
        elementById("cancel").hidden = state.chosenSites.length === 0 && !state.pendingMove && !state.premove;
    });
    subscribe(() => [state.viewedNode, viewedScene(), state.tip, state.end, state.treeVersion, isEngineToMove(),
        state.offlineReason], drawStatus);
    return board;
}

/** Returns the move whose effects the board previews, and its class. @returns {Parameters<Board["showGhost"]>} */
function ghostArguments() {
    const { chosenSites, hint, hoveredMove, pendingMove, partialMove } = state;
    if (pendingMove) return [pendingMove.details, "pending"];
    if (hoveredMove) return [hoveredMove, ""];
    if (partialMove) return [partialMove, "pending"];
    return [chosenSites.length === 0 ? hint : null, "hint"];
}

/** Draws the sites that can follow the hovered site, or the paths to these sites. @param {Board} board */
function drawHoverTargets(board) {
    board.layers.continuations.replaceChildren(...state.hoverTargets.flatMap(({ site, details }) => {
        const place = board.sites.get(site);
        return details ? board.createMoveShapes(details) : place ? [board.createOutline(place, "area")] : [];
    }));
}

/** Draws the selected and the selectable sites. @param {Board} board */
function drawChoices(board) {
    const createChoice = (/** @type {string} */ id, /** @type {string} */ name) => {
        const site = board.sites.get(id);
        if (!site) return [];
        const occupancy = board.pieces.has(id) ? "taken" : "free";
        const [cx, cy] = board.toSvg(site.x, site.y);
        return [svg("g", { class: `${name} ${occupancy} ${site.class}` },
            board.createOutline(site, "area"), svg("circle", { class: "dot", cx, cy, r: 0.13 }))];
    };
    const name = state.chosenSites.length === 0 ? "choice first" : "choice";
    const premoveSites = state.premove?.sites ?? [];
    board.layers.next.replaceChildren(
        ...currentClickChoices().next.flatMap((id) => createChoice(id, name)),
        ...state.chosenSites.flatMap((id) => createChoice(id, "chosen")),
        ...premoveSites.flatMap((id) => createChoice(id, "chosen ahead")),
        ...premoveSites.slice(1).map((id, index) => board.createArrow(premoveSites[index], id, "arrow ahead")),
    );
}

/** Shows the status of the game, and the buttons that apply. */
function drawStatus() {
    const isPast = !isViewingCurrentPosition();
    const status = elementById("status");
    status.textContent = describePosition();
    status.classList.toggle("over", !isPast && isGameOver());
    elementById("legend").replaceChildren(...createBoardLegend(viewedScene()));
    elementById("thinking").hidden = !isEngineToMoveHere() || state.offlineReason !== null;
    const playOn = elementById("play-on");
    playOn.hidden = !isPast;
    playOn.textContent = isGameOver() ? TEXT.tryAgain : TEXT.playOn;
    for (const id of ["promote", "delete"]) elementById(id).hidden = !isInVariation();
    const offers = /** @type {[string, boolean, boolean][]} */ ([
        ["undo", true, state.tip.ply > 0 || state.end !== null || isInVariation()],
        ["hint", true, !isPast && !isGameOver() && !isEngineToMove()],
        ["resign", state.allowedEndings.resign.length > 0, !isGameOver()],
        ["draw", state.allowedEndings.agree, !isGameOver()],
    ]);
    for (const [id, isShown, isEnabled] of offers) {
        const button = elementById(id, HTMLButtonElement);
        button.hidden = !isShown;
        button.disabled = !isEnabled || state.offlineReason !== null;
    }
}
