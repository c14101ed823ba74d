import { timesLeft } from "./clock.js";
import { make } from "./game.js";
import { askAbout, explained, placeOf, search } from "./requests.js";
import { inView, inWords, view } from "./score.js";
import { change, hindrance, isCurrent, isEngineDue, isOver, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** The minimum time between two moves in milliseconds, so that people can follow them. */
const PAUSE = 700;

/** @type {ReturnType<typeof search> | null} The search for the engine's move. */
let running = null;

/** Plays the engine's moves when it is to move. */
export function playEngine() {
    whenever(() => [isEngineDue(), state.tip, state.end, state.setup, state.offline, state.renewals], () => {
        running?.stop();
        running = null;
        if (isEngineDue() && state.offline === null) {
            move().catch((error) => change({ note: explained(error) }));
        }
    });
}

async function move() {
    const { tip, clocks, setup: { level, seconds } } = state;
    const increments = [1000 * (clocks.setting?.increment ?? 0)];
    const times = timesLeft(clocks).map(Math.round);
    const limits = clocks.setting ? { clock: { times, increments } } : { movetime: seconds * 1000 };
    const pause = new Promise((done) => setTimeout(done, PAUSE));
    const mine = running = search({ ...placeOf(tip), ask: "play", level, priority: 1, ...limits });
    const [{ play }] = await Promise.all([mine.answer, pause]);
    if (mine === running && play.move !== null) await make(play.move, tip);
}

/** Shows the move that the engine would play at full strength, with its score. */
export async function giveHint() {
    if (!isCurrent() || isOver() || hindrance() !== null) return;
    const { tip } = state;
    change({ note: TEXT.thinking });
    const limits = { ask: "play", level: "champion", movetime: 1000, priority: 1 };
    const { play } = await search({ ...placeOf(tip), ...limits }).answer;
    if (tip !== state.here || tip !== state.tip || isOver()) return;
    const [line] = play.analysis.lines;
    const { names, turned } = view();
    const score = line.chance === null ? "" : TEXT.hintScore(inWords(inView(line, turned), names));
    change({ note: TEXT.hint(play.move, score) });
    const hint = await askAbout(tip, "details", { move: play.move });
    if (tip === state.here && tip === state.tip) change({ hint });
}
