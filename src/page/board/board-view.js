import { currentClickChoices, elementById, isEngineToMove, isEngineToMoveHere, isGameOver, isInVariation,
    isViewingCurrentPosition, moveReadyToMake, state, subscribe, svg, TEXT, viewedScene } from "../core/index.js";
import { describePosition } from "../game/index.js";
import { animateMove } from "./board-animation.js";
import { Board } from "./board.js";
import { createBoardLegend } from "./legend.js";

/** Draws the board with the selection, the status and the buttons of the game. @returns {Board} */
export function mountBoardView() {
    const board = new Board(elementById("board", SVGSVGElement), state.game.geometry);
    subscribe(() => [state.game.geometry], () => {
        const { game } = state.game.setup;
        const { name } = state.engine.games.find(({ word }) => word === game) ?? { name: game };
        elementById("title").textContent = name;
        document.title = TEXT.title(name);
        elementById("move", HTMLInputElement).value = "";
        board.element.setAttribute("aria-label", TEXT.board(name));
        if (board.geometry !== state.game.geometry) board.setGeometry(state.game.geometry);
    });
    subscribe(() => [state.game.root, state.board.flipped, state.game.viewedNode,
        viewedScene()], ([root, flipped, from, before]) => {
        const { viewedNode } = state.game;
        board.setFlipped(state.board.flipped);
        if (root !== state.game.root || flipped !== state.board.flipped) {
            board.showScene(viewedScene());
            return;
        }
        const back = from.parent === viewedNode;
        const details = viewedNode.parent === from ? viewedNode.details : back ? from.details : null;
        animateMove(board, before, viewedScene(), details, back);
    });
    subscribe(() => [state.game.geometry, state.board.flipped, viewedScene(), state.board.chosenSites,
        currentClickChoices(), state.board.premove],
        () => drawChoices(board));
    subscribe(() => [state.game.geometry, state.board.flipped, viewedScene(), state.board.chosenSites,
        state.board.hoveredSite], () => {
        const { chosenSites, hoveredSite } = state.board;
        board.layers.glow.replaceChildren(...chosenSites.flatMap((id) => board.createGlow(id, "selected")),
            ...(hoveredSite === null ? [] : board.createGlow(hoveredSite, "hovered")));
    });
    subscribe(() => [state.game.geometry, state.board.flipped, viewedScene(), ...ghostArguments()],
        () => board.showGhost(...ghostArguments()));
    subscribe(() => [state.game.geometry, state.board.flipped, viewedScene(),
        state.board.hoverTargets], () => drawHoverTargets(board));
    subscribe(() => [state.app.note, state.engine.loading], () => {
        elementById("note").textContent = `${state.app.note} ${state.engine.loading}`.trim();
    });
    subscribe(() => [state.board.chosenSites, state.board.pendingMove, state.board.premove, moveReadyToMake()], () => {
        const button = elementById("confirm");
        const ready = moveReadyToMake();
        button.hidden = ready === null;
        button.textContent = ready === null ? "" : TEXT.play(ready);
        const { chosenSites, pendingMove, premove } = state.board;
        elementById("cancel").hidden = chosenSites.length === 0 && !pendingMove && !premove;
    });
    subscribe(() => [state.game.viewedNode, viewedScene(), state.game.tip, state.game.end, state.game.treeVersion,
        isEngineToMove(), state.engine.offlineReason], drawStatus);
    return board;
}

/** Returns the move whose effects the board previews, and its class. @returns {Parameters<Board["showGhost"]>} */
function ghostArguments() {
    const { chosenSites, hint, hoveredMove, pendingMove, partialMove } = state.board;
    if (pendingMove) return [pendingMove.details, "pending"];
    if (hoveredMove) return [hoveredMove, ""];
    if (partialMove) return [partialMove, "pending"];
    return [chosenSites.length === 0 ? hint : null, "hint"];
}

/** Draws the sites that can follow the hovered site, or the paths to these sites. @param {Board} board */
function drawHoverTargets(board) {
    board.layers.continuations.replaceChildren(...state.board.hoverTargets.flatMap(({ site, details }) => {
        const place = board.sites.get(site);
        return details ? board.createMoveShapes(details) : place ? [board.createOutline(place, "area")] : [];
    }));
}

/**
 * Draws the selected sites and the targets of the move. Pieces that can move have no mark: they glow under the pointer
 * and with the focus. Grooves have none either, because there are too many.
 *
 * @param {Board} board
 */
function drawChoices(board) {
    const isFirst = state.board.chosenSites.length === 0;
    const createTarget = (/** @type {string} */ id) => {
        const site = board.sites.get(id);
        const isTaken = board.pieces.has(id);
        if (!site || (isTaken && isFirst)) return [];
        const [cx, cy] = board.toSvg(site.x, site.y);
        const name = `choice ${site.class}`;
        // A dot would have no space on a long and thin site, and would cover a piece.
        if (/slot/.test(site.class)) return [board.createOutline(site, name)];
        if (/groove/.test(site.class)) return [];
        return [svg("circle", { class: `${name} ${isTaken ? "ring" : "dot"}`, cx, cy, r: isTaken ? 0.43 : 0.13 })];
    };
    const createChosen = (/** @type {string} */ name) => (/** @type {string} */ id) => {
        const site = board.sites.get(id);
        return site ? [board.createOutline(site, `${name} ${site.class}`)] : [];
    };
    const premoveSites = state.board.premove?.sites ?? [];
    board.layers.next.replaceChildren(
        ...currentClickChoices().next.flatMap(createTarget),
        ...state.board.chosenSites.flatMap(createChosen("chosen")),
        ...premoveSites.flatMap(createChosen("chosen ahead")),
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
    elementById("thinking").hidden = !isEngineToMoveHere() || state.engine.offlineReason !== null;
    const playOn = elementById("play-on");
    playOn.hidden = !isPast;
    playOn.textContent = isGameOver() ? TEXT.tryAgain : TEXT.playOn;
    for (const id of ["promote", "delete"]) elementById(id).hidden = !isInVariation();
    const offers = /** @type {[string, boolean, boolean][]} */ ([
        ["undo", true, state.game.tip.ply > 0 || state.game.end !== null || isInVariation()],
        ["hint", true, !isPast && !isGameOver() && !isEngineToMove()],
        ["resign", state.game.allowedEndings.resign.length > 0, !isGameOver()],
        ["draw", state.game.allowedEndings.agree, !isGameOver()],
    ]);
    for (const [id, isShown, isEnabled] of offers) {
        const button = elementById(id, HTMLButtonElement);
        button.hidden = !isShown;
        button.disabled = !isEnabled || state.engine.offlineReason !== null;
    }
}
