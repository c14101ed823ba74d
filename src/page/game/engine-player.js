import { isEngineToMove, isGameOver, isViewingCurrentPosition, moveBlockedReason, setState, state, subscribe,
    TEXT } from "../core/index.js";
import { askAboutPosition, describeError, requestFieldsOfPosition, sendSearchRequest } from "../engine/index.js";
import { timeLeftPerSide } from "./clock.js";
import { makeMove } from "./game.js";

/** The minimum time between two moves in milliseconds, so that people can follow them. */
const MIN_MOVE_TIME = 700;

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

async function playEngineMove() {
    const { tip, clocks, setup: { level, seconds } } = state.game;
    const increments = [1000 * (clocks.setting?.increment ?? 0)];
    const times = timeLeftPerSide(clocks).map(Math.round);
    const limits = clocks.setting ? { clock: { times, increments } } : { movetime: seconds * 1000 };
    const minimum = new Promise((done) => setTimeout(done, MIN_MOVE_TIME));
    const current = running = sendSearchRequest({ ...requestFieldsOfPosition(tip), ask: "play", level, priority: 1,
        ...limits });
    const [{ play }] = await Promise.all([current.response, minimum]);
    if (current === running && play.move !== null) await makeMove(play.move, tip);
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
