/** @import { Change } from "./game.js" */
/** @import { Catalogue } from "./options.js" */
/** @import { Setup } from "./types.js" */
import { send } from "./actions.js";
import { Advice } from "./advice.js";
import { Analysis } from "./analysis.js";
import { change } from "./animation.js";
import { showAnalysis } from "./bar.js";
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
import { Lines } from "./lines.js";
import { Moves, sentence } from "./moves.js";
import { siteNames } from "./names.js";
import { note } from "./note.js";
import { catalogue } from "./options.js";
import { Play } from "./play.js";
import { listen } from "./pointer.js";
import { Rules } from "./rules.js";
import { Preview } from "./preview.js";
import { Review } from "./review.js";
import { Refused, Session } from "./session.js";
import { chosen, defaults, SetupDialog } from "./setup.js";
import { Sides } from "./sides.js";
import { keep, kept } from "./store.js";
import { TEXT, write } from "./strings.js";
import { connect } from "./transport.js";
import { mover } from "./turns.js";

/** The code of a connection that the server ends because it has no session left. */
const TRY_AGAIN_LATER = 1013;

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
    /** @type {Analysis} */
    analysis;
    /** @type {Review} */
    review;
    /** @type {Advice} */
    advice;
    /** @type {Preview} */
    preview;
    /** @type {Sides} */
    sides;
    clock = new Clock();
    console = new Console();
    /** Whether the same game is being told once more, so that it keeps its clocks. */
    #goesOn = false;
    /** How many moves the game had when its clocks were last set going. */
    #timed = 0;

    /**
     * @param {Session} session
     * @param {Catalogue} found
     */
    constructor(session, found) {
        this.catalogue = found;
        this.game = new Game(session, defaults(found, chosen(found)));
        this.#follow(session);
    }

    /** Begins the game that the tab has kept, or a new one. */
    async start() {
        const old = kept();
        this.game.listen((event) => this.#changed(event));
        addEventListener("pagehide", () => {
            if (this.board) keep(this.game, this.clock);
        });
        try {
            if (old) {
                await this.game.begin(old.setup, old.start, old.moves, old.end, old.lines);
                this.clock.times = old.times;
            }
        } catch (error) {
            // What was kept is of another version of the engine.
            if (!(error instanceof Refused)) throw error;
        }
        if (!this.board) await this.game.begin(this.game.setup);
    }

    /** @param {Session} session */
    #follow(session) {
        this.console.follow(session);
        session.ended = (code) => {
            this.clock.run(-1);
            offline(code === TRY_AGAIN_LATER ? TEXT.full : TEXT.lost);
        };
    }

    /** Connects again, and goes on with the game. */
    async reconnect() {
        try {
            const session = new Session(await connect());
            this.#follow(session);
            byId("offline", HTMLElement).hidden = true;
            await this.#again(session);
        } catch {
            offline(TEXT.failed);
        }
    }

    /**
     * Goes on with the same game and its clocks in another session, or once more in the same.
     *
     * @param {Session} session
     */
    async #again(session) {
        this.#goesOn = true;
        try {
            await this.game.move(session);
        } finally {
            this.#goesOn = false;
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
        this.analysis = new Analysis(game);
        this.review = new Review(game);
        const moves = new Moves(game);
        const rules = new Rules(this.catalogue, () => game.setup.game);
        const editor = new Editor(game, () => this.board.flipped);
        this.shown = () => {
            moves.show();
            editor.show();
            void rules.show();
        };
        this.play.hindrance = () => {
            if (game.scene.turn === null) return TEXT.gameOver;
            return game.current && (game.busy || this.engine.due) ? TEXT.notYourTurn : null;
        };
        this.play.changed = () => this.#offer();
        this.sides.changed = () => game.renew();
        this.clock.expired = (side) => {
            const word = game.geometry.sides[side];
            if (game.winners.has(word)) void game.finish(`flag ${word}`);
            else note(TEXT.timeIsUp(word));
        };
        this.console.typed = (line) => void send(game, line);
        listen(this.board, this.play);
        const { play, engine, analysis, review, keyboard } = this;
        const lines = this.#analyse(moves);
        const dialog = new SetupDialog(this.catalogue);
        dialog.begin = (setup) => void this.#begin(setup);
        controls({ game, play, engine, analysis, review, lines, keyboard, dialog, flip: () => this.#turnRound() });
    }

    /**
     * Builds the analysis.
     *
     * @param {Moves} moves
     */
    #analyse(moves) {
        const { analysis, board, game, review } = this;
        this.preview = new Preview(game, board);
        const lines = new Lines(game, analysis, this.preview);
        this.advice = new Advice(game, board);
        const failed = () => {
            note(TEXT.noAnalysis);
            if (!game.current) this.play.drop();
            analysis.switch(false);
        };
        game.study.ended = failed;
        analysis.failed = failed;
        analysis.busy = () => game.current && this.engine.due;
        analysis.changed = () => {
            this.advice.show(analysis.lines);
            lines.show();
            showAnalysis(analysis, game, board);
        };
        review.changed = () => {
            moves.show();
            review.show();
        };
        return lines;
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
        keep(game, this.clock);
        this.play.propose(null);
        if (kind === "begun") this.play.restart();
        else this.play.reset();
        this.sides.show();
        this.shown();
        this.analysis.act();
        this.review.show();
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
        // A person alone sits below, if the sides face each other.
        const { players } = game.setup;
        this.#flip(players[0] === "engine" && players[players.length / 2] === "person");
        if (!this.#goesOn) this.clock.set(game.setup.clock, game.geometry.sides.length);
        if (!this.#goesOn && players.includes("engine")) this.analysis.switch(false);
        this.#timed = game.moves.length;
    }

    /** @param {boolean} flipped */
    #flip(flipped) {
        this.board.flip(flipped);
        this.advice.forget();
        this.preview.end();
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
        if (count > this.#timed && !back) this.clock.moved(mover(game, game.tip));
        this.#timed = count;
        const { over, turn, winners, geometry: { sides } } = game;
        const canLose = !over && winners.has(sides[turn]);
        // A game that goes on after a loss on time has new clocks.
        if (canLose && this.clock.out) this.clock.set(game.setup.clock, sides.length);
        // Where nobody loses by time, a clock that has run out stands still.
        const isUp = !over && this.clock.left(turn) === 0 && !canLose;
        this.clock.run(over || count === 0 || isUp ? -1 : turn);
    }

    /** Says whose turn it is, or how the game has ended. */
    #say() {
        const { game } = this;
        const status = byId("status", HTMLElement);
        status.textContent = sentence(game);
        status.classList.toggle("over", game.current && game.over);
        byId("legend", HTMLElement).replaceChildren(...legend(game.scene));
        byId("thinking", HTMLElement).hidden = !(game.current && this.engine.due);
        const playOn = byId("play-on", HTMLElement);
        playOn.hidden = game.current;
        playOn.textContent = game.over ? TEXT.tryAgain : TEXT.playOn;
        for (const id of ["promote", "delete"]) byId(id, HTMLElement).hidden = !game.astray;
        byId("undo", HTMLButtonElement).disabled =
            game.moves.length === 0 && game.end === null && !game.astray;
        byId("hint", HTMLButtonElement).disabled = !game.current || game.over || this.engine.due;
        const resign = byId("resign", HTMLButtonElement);
        resign.hidden = game.winners.size === 0;
        resign.disabled = game.over;
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
            this.analysis.on = false;
            await this.game.begin(setup);
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            await this.#again(this.game.session);
            note(error.message);
        }
    }

    #turnRound() {
        this.#flip(!this.board.flipped);
        this.board.show(this.game.scene);
        this.sides.show();
        this.analysis.changed();
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
    first.ended = (code) => offline(code === TRY_AGAIN_LATER ? TEXT.full : TEXT.lost);
    page = new Page(first, await catalogue(first));
    await page.start();
}
