/** @import { Analysis } from "./analysis.js" */
/** @import { Engine } from "./engine.js" */
/** @import { Game } from "./game.js" */
/** @import { Play } from "./play.js" */
import { note } from "./note.js";
import { TEXT } from "./strings.js";
import { mover } from "./turns.js";

/**
 * Takes back the last move, or against the engine all moves after and with the last one of the person. In a variation
 * it takes back that one's last move, and no move of the game.
 *
 * @param {Game} game
 */
export async function takeBack(game) {
    const { here } = game;
    if (game.astray) {
        await (here.children.length > 0 ? game.look(here.parent) : game.delete(here));
        return;
    }
    const { players } = game.setup;
    const { moves } = game;
    const count = moves.length;
    const byEngine = (/** @type {number} */ index) => players[mover(game, moves[index])] === "engine";
    let back = 1;
    if (players.includes("person")) {
        while (back < count && byEngine(count - back)) back += 1;
        // The engine has moved first, and nobody else has moved yet.
        if (game.end === null && count > 0 && byEngine(count - back)) return;
    } else {
        // The engine would make the same move again: it stops playing with itself.
        players.fill("person");
    }
    await game.undo(back);
}

/**
 * Plays on from the position that is looked at. Whoever plays against the engine does so without its advice.
 *
 * @param {Game} game
 * @param {Analysis} analysis
 */
export async function playOn(game, analysis) {
    if (game.current) return;
    if (game.setup.players.includes("engine")) analysis.switch(false);
    await game.playOn();
}

/**
 * Makes the variation that is looked at the main line, and against the engine plays on there without its advice.
 *
 * @param {Game} game
 * @param {Analysis} analysis
 */
export async function promote(game, analysis) {
    const { tip } = game;
    await game.promote();
    if (game.tip !== tip && game.setup.players.includes("engine")) analysis.switch(false);
}

/**
 * Deletes the move that led to the position that is looked at, and what follows it.
 *
 * @param {Game} game
 */
export async function deleteMoves(game) {
    const { here, tip } = game;
    if (!game.astray && here.parent && !confirm(TEXT.confirmDelete(tip.ply - here.ply + 1))) return;
    await game.delete(here);
}

/**
 * Shows what the engine would play.
 *
 * @param {Game} game
 * @param {Engine} engine
 * @param {Play} play
 */
export async function hint(game, engine, play) {
    if (!game.current || game.over || !play.allowed) return;
    note(TEXT.thinking);
    const found = await engine.hint();
    if (!found || !game.current) return;
    note(TEXT.hint(found.move, found.score ? TEXT.hintScore(found.score) : ""));
    const details = await game.fresh(game.session.json(`details ${found.move}`));
    if (details && game.current) play.propose(details);
}

/**
 * Gives the game up for the side to move, or in the engine's turn for the first person who plays, if there is one.
 *
 * @param {Game} game
 */
export async function resign(game) {
    const { players } = game.setup;
    const person = players[game.turn] === "person" ? -1 : players.indexOf("person");
    const side = game.geometry.sides[person < 0 ? game.turn : person];
    if (confirm(TEXT.confirmResign(side))) await game.finish(`resign ${side}`);
}

/**
 * Ends the game as a draw if the engine accepts, or both people do.
 *
 * @param {Game} game
 */
export async function offerDraw(game) {
    const asked = game.setup.players.includes("engine");
    if (!asked && !confirm(TEXT.confirmDraw)) return;
    const answer = asked ? await game.fresh(game.session.response("drawoffer")) : "accept";
    if (answer === "accept") await game.finish("agree");
    else if (answer !== undefined) note(TEXT.drawDeclined);
}

/** The commands that change nothing. */
const QUESTIONS = /^(query|legal|d|eval|help|games|isready|perft|bench|ugi|uci|record|stop|drawoffer)\b/;

/**
 * Sends a line that somebody has typed, and takes over what it has changed.
 *
 * @param {Game} game
 * @param {string} line
 */
export async function send(game, line) {
    const { session } = game;
    if (/^go\b(?! perft)/.test(line)) {
        // Why a search is refused stands among the lines.
        await session.go(line.slice("go".length).trim()).catch(() => {});
        return;
    }
    const answer = game.fresh(session.ask(line));
    if (await answer && !QUESTIONS.test(line)) await game.adopt();
}
