import { Board } from "./board.js";
import { animate } from "./board-animation.js";
import { byId, svg } from "./dom.js";
import { legend } from "./legend.js";
import { sentence } from "./move-list.js";
import { choices, isAstray, isCurrent, isEngineDue, isEngineDueHere, isOver, readyMove, scene, state, whenever }
    from "./state.js";
import { TEXT } from "./strings.js";

/** Draws the board with what is chosen, and what is said and offered beside it. @returns {Board} */
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

/** What the board shows of a move not made yet, and the class for that. @returns {Parameters<Board["ghost"]>} */
function ghost() {
    const { chosen, hint, hovered, pending, soFar } = state;
    if (pending) return [pending.details, "pending"];
    if (hovered) return [hovered, ""];
    if (soFar) return [soFar, "pending"];
    return [chosen.length === 0 ? hint : null, "hint"];
}

/** Shows where moves go that begin with a site. @param {Board} board */
function drawLeads(board) {
    board.layers.leads.replaceChildren(...state.leads.flatMap(({ site, details }) => {
        const place = board.sites.get(site);
        return details ? board.ways(details) : place ? [board.outline(place, "area")] : [];
    }));
}

/** Marks what is chosen and what may be. @param {Board} board */
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

/** Says whose turn it is, or how the game has ended, and offers what can be done. */
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
