/** @import { Change } from "./game.js" */
/** @import { Catalogue } from "./options.js" */
/** @import { Setup } from "./types.js" */
import { send } from "./actions.js";
import { change } from "./animation.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { Console } from "./console.js";
import { controls } from "./controls.js";
import { byId } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { Keyboard } from "./keyboard.js";
import { legend } from "./legend.js";
import { Moves, sentence } from "./moves.js";
import { siteNames } from "./names.js";
import { note } from "./note.js";
import { catalogue } from "./options.js";
import { Play } from "./play.js";
import { listen } from "./pointer.js";
import { Rules } from "./rules.js";
import { Refused, Session } from "./session.js";
import { defaults, SetupDialog } from "./setup.js";
import { Sides } from "./sides.js";
import { keep, kept } from "./store.js";
import { TEXT, write } from "./strings.js";
import { connect } from "./transport.js";

/** @param {string} text Why the page has no engine. */
function offline(text) {
    byId("offline-text", HTMLElement).textContent = text;
    byId("offline", HTMLElement).hidden = false;
}

/** Everything on the page, tied together. */
class Page {
    /** @type {Game} */
    game;
    /** @type {Catalogue} */
    catalogue;
    /** @type {Board} */
    board;
    /** @type {Play} */
    play;
    /** @type {Keyboard} */
    keyboard;
    /** @type {Engine} */
    engine;
    /** @type {Sides} */
    sides;
    clock = new Clock();
    console = new Console();
    /** @type {Setup | null} What the clocks were set by. */
    #clocked = null;
    /** How many moves the game had when its clocks were last set going. */
    #timed = 0;

    /**
     * @param {Session} session
     * @param {Catalogue} found
     */
    constructor(session, found) {
        this.catalogue = found;
        this.game = new Game(session, defaults(found, found.games[0].word));
        this.#follow(session);
    }

    /** Begins the game that the tab has kept, or a new one. */
    async start() {
        const old = kept();
        this.game.listen((event) => this.#changed(event));
        try {
            if (old) await this.game.begin(old.setup, old.start, old.moves, old.end);
        } catch (error) {
            // What was kept is of another version of the engine.
            if (!(error instanceof Refused)) throw error;
        }
        if (!this.board) await this.game.begin(this.game.setup);
    }

    /** @param {Session} session */
    #follow(session) {
        this.console.follow(session);
        session.ended = () => {
            this.clock.run(-1);
            offline(TEXT.lost);
        };
    }

    /** Connects again, and goes on with the game. */
    async reconnect() {
        try {
            const session = new Session(await connect());
            this.#follow(session);
            byId("offline", HTMLElement).hidden = true;
            await this.game.move(session);
        } catch {
            offline(TEXT.failed);
        }
    }

    /** Builds what needs a board to be there, once. */
    #build() {
        const { game } = this;
        this.board = new Board(byId("board", SVGSVGElement), game.geometry);
        this.play = new Play(game, this.board);
        this.keyboard = new Keyboard(this.board, this.play);
        this.engine = new Engine(game, this.clock);
        this.sides = new Sides(this.board, game, this.clock);
        const moves = new Moves(game);
        const rules = new Rules(this.catalogue, () => game.setup.game);
        const editor = new Editor(game);
        this.shown = () => {
            moves.show();
            editor.show();
            void rules.show();
        };
        this.play.hindrance = () => {
            if (!game.current) return TEXT.lookingBack;
            if (game.over) return TEXT.gameOver;
            return game.busy || this.engine.due ? TEXT.notYourTurn : null;
        };
        this.play.changed = () => this.#offer();
        this.sides.changed = () => game.renew();
        this.clock.expired = (side) => void game.finish(`flag ${game.geometry.sides[side]}`);
        this.engine.report = (report) => void this.#report(report);
        this.console.typed = (line) => void send(game, line);
        listen(this.board, this.play);
        const { play, engine, keyboard } = this;
        const dialog = new SetupDialog(this.catalogue);
        dialog.begin = (setup) => void this.#begin(setup);
        controls({ game, play, engine, keyboard, dialog, flip: () => this.#turnRound() });
    }

    /** Shows the moves, the rules and so on of the position that is looked at. */
    shown = () => {};

    /** @param {Change} event */
    #changed({ kind, details, back }) {
        const { game } = this;
        const before = this.board ? this.#drawn : null;
        if (!this.board) this.#build();
        if (kind === "begun") this.#begun();
        const scene = game.scene;
        if (kind === "begun" || !before) this.board.show(scene);
        else change(this.board, before, scene, details, back);
        this.#drawn = scene;
        note("");
        if (kind !== "view") this.#time(back);
        keep(game);
        void this.#report(null);
        this.play.propose(null);
        if (kind === "begun") this.play.restart();
        else this.play.reset();
        this.sides.show();
        this.shown();
        this.#say();
        if (kind !== "view") this.engine.act().catch((error) => note(String(error.message)));
    }

    /** @type {import("./types.js").Scene | null} The scene that the board shows. */
    #drawn = null;

    #begun() {
        const { game, board } = this;
        const title = this.catalogue.games.find(({ word }) => word === game.setup.game)?.title ?? game.setup.game;
        byId("title", HTMLElement).textContent = title;
        document.title = TEXT.title(title);
        byId("move", HTMLInputElement).value = "";
        board.element.setAttribute("aria-label", TEXT.board(title));
        board.shape(game.geometry);
        this.#flip(game.setup.players.join() === "engine,person");
        // A game that goes on in another session keeps its clocks.
        if (this.#clocked !== game.setup) this.clock.set(game.setup.clock);
        this.#clocked = game.setup;
        this.#timed = game.moves.length;
    }

    /** @param {boolean} flipped */
    #flip(flipped) {
        this.board.flip(flipped);
        this.keyboard.build();
    }

    /**
     * Lets the clock of the side to move run.
     *
     * @param {boolean} back Whether moves were taken back.
     */
    #time(back) {
        const { game } = this;
        const count = game.moves.length;
        if (count > this.#timed && !back) this.clock.moved((game.opener + count - 1) % 2);
        this.#timed = count;
        this.clock.run(game.over || count === 0 ? -1 : game.turn);
    }

    /** @type {string | undefined} The move that the analysis has found best so far. */
    #best;

    /**
     * Shows what the analysis has found, and its move on the board.
     *
     * @param {import("./engine.js").Report | null} report
     */
    async #report(report) {
        const { game } = this;
        const side = game.geometry.sides[game.turn] ?? "";
        const score = report ? TEXT.analysis(side, report.score, report.depth) : "";
        byId("analysis-score", HTMLElement).textContent = score;
        byId("analysis-line", HTMLElement).textContent = report?.line.join(" ") ?? "";
        const best = report?.line[0];
        const known = best === this.#best;
        this.#best = best;
        if (!best || known) return;
        const details = await game.fresh(game.session.json(`details ${best}`));
        if (details && game.current && best === this.#best) this.play.propose(details);
    }

    /** Says whose turn it is, or how the game has ended. */
    #say() {
        const { game } = this;
        const status = byId("status", HTMLElement);
        status.textContent = sentence(game);
        status.classList.toggle("over", game.current && game.over);
        byId("legend", HTMLElement).replaceChildren(...legend(game.scene));
        byId("thinking", HTMLElement).hidden = !(game.current && this.engine.due);
        byId("play-on", HTMLElement).hidden = game.current;
        byId("undo", HTMLButtonElement).disabled = game.moves.length === 0 && game.end === null;
        byId("hint", HTMLButtonElement).disabled = !game.current || game.over || this.engine.due;
        byId("resign", HTMLButtonElement).disabled = game.over;
        const draw = byId("draw", HTMLButtonElement);
        draw.hidden = !game.agreement;
        draw.disabled = game.over;
    }

    /** Offers what the half-made move allows. */
    #offer() {
        const button = byId("confirm", HTMLButtonElement);
        const { ready } = this.play;
        button.hidden = ready === null;
        button.textContent = ready === null ? "" : TEXT.play(ready);
        byId("cancel", HTMLButtonElement).hidden = this.play.chosen.length === 0 && !this.play.pending;
        this.keyboard.describe(siteNames(this.game.geometry, this.game.scene));
    }

    /** @param {Setup} setup */
    async #begin(setup) {
        try {
            await this.game.begin(setup);
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            await this.game.move(this.game.session);
            note(error.message);
        }
    }

    #turnRound() {
        this.#flip(!this.board.flipped);
        this.board.show(this.game.scene);
        this.sides.show();
        this.play.reset();
    }
}

write();
/** @type {Page | null} */
let page = null;
byId("reconnect", HTMLButtonElement).addEventListener("click", () => {
    if (page) void page.reconnect();
    else location.reload();
});
const first = await connect().then((transport) => new Session(transport), () => null);
if (first === null) {
    offline(TEXT.failed);
} else {
    first.ended = () => offline(TEXT.lost);
    page = new Page(first, await catalogue(first));
    await page.start();
}
