import { isEngineToMove, isGameOver, isViewingCurrentPosition, moveBlockedReason, playerToMove, setState, state,
    subscribe, TEXT, viewOfNode } from "../core/index.js";
import { askAboutPosition, describeError, requestFieldsOfPosition, sendSearchRequest } from "../engine/index.js";
import { levelOfMove } from "./auto-level.js";
import { timeLeft, timeLeftPerSide } from "./clock.js";
import { canSwapSides, swapSides } from "./fair-start.js";
import { makeMove } from "./game.js";

/** The shortest and the longest time of a move in milliseconds, so that people can follow the moves. */
const MIN_MOVE_TIME = 300;
const MAX_MOVE_TIME = 2000;
/** The milliseconds that a doubling of the choices adds. */
const TIME_PER_DOUBLING = 170;
/** The part of the remaining time on a clock that a move may take for its pace. */
const PACE_SHARE_OF_CLOCK = 1 / 60;

/** @type {ReturnType<typeof sendSearchRequest> | null} The search for the engine's move. */
let running = null;

/** Plays the engine's moves when it is to move. Nobody has begun the game behind the home. */
export function setUpEnginePlayer() {
    subscribe(() => [isEngineToMove(), state.game.tip, state.game.end, state.game.setup, state.engine.offlineReason,
        state.engine.retries, state.app.isHome], () => {
        running?.stop();
        running = null;
        const isBegun = !state.app.isHome || state.game.tip.ply > 0;
        if (isEngineToMove() && isBegun && state.engine.offlineReason === null) {
            playEngineMove().catch((error) => setState({ app: { note: describeError(error) } }));
        }
    });
}

/** Returns the minimum time of the engine's move in milliseconds. The more choices there are, the longer. */
function paceTime() {
    const { tip, clocks } = state.game;
    if (!state.app.settings.pace) return 0;
    const choices = Math.max(1, viewOfNode(tip).clicks.next.length);
    const time = Math.min(MIN_MOVE_TIME + TIME_PER_DOUBLING * Math.log2(choices), MAX_MOVE_TIME);
    return clocks.setting ? Math.min(time, timeLeft(clocks, playerToMove()) * PACE_SHARE_OF_CLOCK) : time;
}

async function playEngineMove() {
    const { tip, clocks, setup: { game, level: chosen, seconds, players } } = state.game;
    const level = levelOfMove(chosen, game, Math.floor(tip.ply / players.length));
    const increments = [1000 * (clocks.setting?.increment ?? 0)];
    const times = timeLeftPerSide(clocks).map(Math.round);
    const limits = clocks.setting ? { clock: { times, increments } } : { movetime: seconds * 1000 };
    const minimum = new Promise((done) => setTimeout(done, paceTime()));
    const ask = canSwapSides() ? ["swap", "play"] : "play";
    const current = running = sendSearchRequest({ ...requestFieldsOfPosition(tip), ask, level, priority: 1,
        ...limits });
    const [{ play, swap }] = await Promise.all([current.response, minimum]);
    if (current !== running) return;
    if (swap) swapSides();
    else if (play.move !== null) await makeMove(play.move, tip);
}

/** Shows the move that the engine would play at full strength. */
export async function showEngineHint() {
    if (!isViewingCurrentPosition() || isGameOver() || moveBlockedReason() !== null) return;
    const { tip } = state.game;
    setState({ app: { note: TEXT.thinking } });
    const limits = { ask: "play", level: "champion", movetime: 1000, priority: 1 };
    const { play } = await sendSearchRequest({ ...requestFieldsOfPosition(tip), ...limits }).response;
    if (tip !== state.game.viewedNode || tip !== state.game.tip || isGameOver()) return;
    setState({ app: { note: TEXT.hint(play.move) } });
    const hint = await askAboutPosition(tip, "details", { move: play.move });
    if (tip === state.game.viewedNode && tip === state.game.tip) setState({ board: { hint } });
}
