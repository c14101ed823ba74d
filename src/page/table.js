import { Board } from "./board.js";
import { animate } from "./board-animation.js";
import { byId, svg } from "./dom.js";
import { legend } from "./legend.js";
import { sentence } from "./move-list.js";
import { choices, isAstray, isCurrent, isEngineDue, isEngineDueHere, isOver, readyMove, scene, state, whenever }
    from "./state.js";
import { TEXT } from "./strings.js";

/** Draws the board with the selection, the status and the buttons of the game. @returns {Board} */
export function drawTable() {
    const board = new Board(byId("board", SVGSVGElement), state.geometry);
    whenever(() => [state.geometry], () => {
        const { name } = state.games.find(({ word }) => word === state.setup.game) ?? { name: state.setup.game };
        byId("title").textContent = name;
        document.title = TEXT.title(name);
        byId("move", HTMLInputElement).value = "";
        board.element.setAttribute("aria-label", TEXT.board(name));
        if (board.geometry !== state.geometry) board.shape(state.geometry);
    });
    whenever(() => [state.root, state.flipped, state.here, scene()], ([root, flipped, from, before]) => {
        const { here } = state;
        board.flip(state.flipped);
        if (root !== state.root || flipped !== state.flipped) {
            board.show(scene());
            return;
        }
        const back = from.parent === here;
        const details = here.parent === from ? here.details : back ? from.details : null;
        animate(board, before, scene(), details, back);
    });
    whenever(() => [state.geometry, state.flipped, scene(), state.chosen, choices(), state.premove],
        () => drawChoices(board));
    whenever(() => [state.geometry, state.flipped, scene(), ...ghost()], () => board.ghost(...ghost()));
    whenever(() => [state.geometry, state.flipped, scene(), state.leads], () => drawLeads(board));
    whenever(() => [state.note, state.loading], () => {
        byId("note").textContent = `${state.note} ${state.loading}`.trim();
    });
    whenever(() => [state.chosen, state.pending, state.premove, readyMove()], () => {
        const [button, ready] = [byId("confirm"), readyMove()];
        button.hidden = ready === null;
        button.textContent = ready === null ? "" : TEXT.play(ready);
        byId("cancel").hidden = state.chosen.length === 0 && !state.pending && !state.premove;
    });
    whenever(() => [state.here, scene(), state.tip, state.end, state.version, isEngineDue(), state.offline],
        drawOffers);
    return board;
}

/** Returns the move whose effects the board previews, and its class. @returns {Parameters<Board["ghost"]>} */
function ghost() {
    const { chosen, hint, hovered, pending, soFar } = state;
    if (pending) return [pending.details, "pending"];
    if (hovered) return [hovered, ""];
    if (soFar) return [soFar, "pending"];
    return [chosen.length === 0 ? hint : null, "hint"];
}

/** Draws the sites that can follow the hovered one, or the paths to them. @param {Board} board */
function drawLeads(board) {
    board.layers.leads.replaceChildren(...state.leads.flatMap(({ site, details }) => {
        const place = board.sites.get(site);
        return details ? board.ways(details) : place ? [board.outline(place, "area")] : [];
    }));
}

/** Draws the selected and the selectable sites. @param {Board} board */
function drawChoices(board) {
    const drawn = (/** @type {string} */ id, /** @type {string} */ name) => {
        const site = board.sites.get(id);
        if (!site) return [];
        const taken = board.pieces.has(id) ? "taken" : "free";
        const [cx, cy] = board.at(site.x, site.y);
        return [svg("g", { class: `${name} ${taken} ${site.class}` },
            board.outline(site, "area"), svg("circle", { class: "dot", cx, cy, r: 0.13 }))];
    };
    const name = state.chosen.length === 0 ? "choice first" : "choice";
    const ahead = state.premove?.sites ?? [];
    board.layers.next.replaceChildren(
        ...choices().next.flatMap((id) => drawn(id, name)),
        ...state.chosen.flatMap((id) => drawn(id, "chosen")),
        ...ahead.flatMap((id) => drawn(id, "chosen ahead")),
        ...ahead.slice(1).map((id, index) => board.arrow(ahead[index], id, "arrow ahead")),
    );
}

/** Shows the status of the game, and the buttons that apply. */
function drawOffers() {
    const isPast = !isCurrent();
    const status = byId("status");
    status.textContent = sentence();
    status.classList.toggle("over", !isPast && isOver());
    byId("legend").replaceChildren(...legend(scene()));
    byId("thinking").hidden = !isEngineDueHere() || state.offline !== null;
    const playOn = byId("play-on");
    playOn.hidden = !isPast;
    playOn.textContent = isOver() ? TEXT.tryAgain : TEXT.playOn;
    for (const id of ["promote", "delete"]) byId(id).hidden = !isAstray();
    const offers = /** @type {[string, boolean, boolean][]} */ ([
        ["undo", true, state.tip.ply > 0 || state.end !== null || isAstray()],
        ["hint", true, !isPast && !isOver() && !isEngineDue()],
        ["resign", state.may.resign.length > 0, !isOver()],
        ["draw", state.may.agree, !isOver()],
    ]);
    for (const [id, isShown, isEnabled] of offers) {
        const button = byId(id, HTMLButtonElement);
        button.hidden = !isShown;
        button.disabled = !isEnabled || state.offline !== null;
    }
}
