/** @import { Board } from "./board.js" */
import { currentClickChoices, elementById, state, subscribe, svg, viewedScene } from "../core/index.js";
import { setHoveredSite } from "./hover-preview.js";
import { chooseSite } from "./move-input.js";
import { createSiteDescriber } from "./site-names.js";
import { toggleUserArrow, toggleUserMark } from "./user-shapes.js";

/** The directions of the arrow keys on the screen. */
const ARROW_DIRECTIONS = /** @type {Record<string, [number, number]>} */ ({
    ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
});

/**
 * The sites of the board as buttons. The Tab key reaches one of the buttons. Arrow keys lead from
 * there to the others.
 */
export class BoardKeys {
    /** @type {Board} */
    #board;
    /** @type {Map<string, SVGGElement>} */
    #buttons = new Map();
    /** @type {string | null} The site that the Tab key reaches. */
    #tabSite = null;
    /** Whether a key, and not the pointer, has moved the focus to the board. */
    #isFocusedByKey = false;

    /** @param {Board} board */
    constructor(board) {
        this.#board = board;
        board.layers.targets.addEventListener("keydown", (event) => this.#onKeyDown(event));
        // In Chromium, an SVG element with these listeners would be a stop of the Tab key.
        const boards = elementById("boards");
        boards.addEventListener("focusin", (event) => {
            const site = event.target instanceof Element ? event.target.getAttribute("data-site") : null;
            if (site === null) return;
            this.#setTabSite(site);
            // For keyboard users, the focused site shows its move. For mouse users, the site under
            // the pointer does.
            this.#isFocusedByKey = event.target instanceof Element && event.target.matches(":focus-visible");
            if (this.#isFocusedByKey) setHoveredSite(currentClickChoices().next.includes(site) ? site : null);
        });
        boards.addEventListener("focusout", () => setHoveredSite(null));
        subscribe(() => [state.game.geometry, state.board.flipped], () => this.#createButtons());
        subscribe(() => [state.game.geometry, state.board.flipped, viewedScene(), state.board.chosenSites,
            currentClickChoices(), state.board.premove], () => this.#updateButtons());
    }

    /** Creates the buttons for a redrawn board. */
    #createButtons() {
        const board = this.#board;
        const focused = board.layers.targets.contains(document.activeElement);
        this.#buttons = new Map();
        for (const site of board.sites.values()) {
            const attributes = { class: `target ${site.class}`, role: "button", tabindex: -1, "data-site": site.id };
            this.#buttons.set(site.id, svg("g", attributes, board.createOutline(site, "area")));
        }
        board.layers.targets.replaceChildren(...this.#buttons.values());
        const old = this.#tabSite;
        this.#tabSite = null;
        this.#setTabSite(old !== null && this.#buttons.has(old) ? old : [...this.#buttons.keys()][0]);
        if (focused) this.focus();
    }

    /** Updates the name of each site, and whether the site can be chosen. */
    #updateButtons() {
        const name = createSiteDescriber(state.game.geometry, viewedScene());
        const next = new Set(currentClickChoices().next);
        for (const [id, button] of this.#buttons) {
            updateAttribute(button, "aria-label", name(id));
            const isChosen = state.board.chosenSites.includes(id) || state.board.premove?.sites.includes(id) === true;
            updateAttribute(button, "aria-disabled", String(!next.has(id) && !isChosen));
            updateAttribute(button, "aria-pressed", String(isChosen));
        }
        const focused = this.#board.layers.targets.contains(document.activeElement);
        const here = this.#tabSite ?? "";
        if (!focused && next.size > 0 && !next.has(here)) this.#setTabSite(this.#entrySite([...next]));
    }

    /**
     * Returns the site at which the Tab key enters the board: a piece of the side to move, if
     * possible one that can be chosen. A wall can be placed at a hundred other sites.
     *
     * @param {string[]} next The sites that can be chosen.
     */
    #entrySite(next) {
        const { pieces, turn } = viewedScene();
        const own = pieces.filter(({ side }) => side !== null && state.game.geometry.sides[side] === turn)
            .map(({ site }) => site);
        return next.find((site) => own.includes(site)) ?? own[0] ?? next[0];
    }

    /** Moves the focus to the board. After a key, the focus is that of a key, even if a click had focused the site. */
    focus() {
        const button = this.#buttons.get(this.#tabSite ?? "");
        if (button === document.activeElement) button?.blur();
        button?.focus();
    }

    /** @param {string} site */
    #setTabSite(site) {
        this.#buttons.get(this.#tabSite ?? "")?.setAttribute("tabindex", "-1");
        this.#buttons.get(site)?.setAttribute("tabindex", "0");
        this.#tabSite = site;
    }

    /** @param {KeyboardEvent} event */
    #onKeyDown(event) {
        const here = this.#tabSite;
        if (here === null || event.ctrlKey || event.altKey || event.metaKey) return;
        const next = currentClickChoices().next;
        const all = event.shiftKey || next.length === 0 ? [...this.#board.sites.keys()] : next;
        const arrow = ARROW_DIRECTIONS[event.key];
        // Without a chosen piece, the arrow keys of mouse users go through the moves.
        if (arrow && !this.#isFocusedByKey && state.board.chosenSites.length === 0) return;
        if (arrow) {
            this.#focusSite(this.#neighbour(here, all, arrow));
        } else if (event.key === "PageDown" || event.key === "PageUp") {
            const index = all.indexOf(here) + (event.key === "PageDown" ? 1 : -1);
            this.#focusSite(all.at(index < all.length ? index : 0));
        } else if (event.key.toLowerCase() === "x") {
            const from = state.board.userShapes.marks.at(-1);
            if (!event.shiftKey || from === undefined || from === here) toggleUserMark(here);
            else toggleUserArrow(from, here);
        } else if (event.key === "Enter" || event.key === " ") {
            void chooseSite(here, false);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {string | undefined} site */
    #focusSite(site) {
        if (site !== undefined) this.#buttons.get(site)?.focus();
    }

    /**
     * Returns the nearest site in a direction. The distance to the side counts double. Sites within
     * 45 degrees of the direction come first.
     *
     * @param {string} here
     * @param {string[]} sites
     * @param {[number, number]} direction
     */
    #neighbour(here, sites, [right, down]) {
        const centre = (/** @type {string} */ id) => {
            const site = this.#board.sites.get(id);
            return site ? this.#board.toSvg(site.x, site.y) : [0, 0];
        };
        const [x, y] = centre(here);
        const candidates = sites.filter((id) => id !== here).map((id) => {
            const dx = centre(id)[0] - x;
            const dy = centre(id)[1] - y;
            return { id, ahead: dx * right + dy * down, sideways: Math.abs(dx * down - dy * right) };
        }).filter(({ ahead }) => ahead > 0.01);
        const straight = candidates.filter(({ ahead, sideways }) => sideways <= ahead);
        const cost = (/** @type {typeof candidates[number]} */ candidate) => candidate.ahead + 2 * candidate.sideways;
        return (straight.length > 0 ? straight : candidates).sort((one, other) => cost(one) - cost(other))[0]?.id;
    }
}

/** Sets an attribute if its value changes, because each change costs the browser time. */
function updateAttribute(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ value) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
