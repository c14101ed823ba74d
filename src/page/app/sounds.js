import { elementById, isGameOver, isGameSuspended, state, subscribe } from "../core/index.js";
import { timeLeft } from "../game/index.js";
import { changeSettings } from "./settings.js";

/**
 * Computed sounds. They are off until the user turns them on. The page asks once, after the first
 * move of a person. The question disappears after the person's second move. If the system is set to
 * reduced motion, the page does not ask. The user can then turn the sounds on only in the settings.
 */

/** The remaining time that counts as low, in milliseconds. */
const LOW_TIME = 10_000;

/** @typedef {[frequency: number, start: number, length: number]} Tone In hertz and seconds. */

/** @type {Record<string, Tone[]>} */
const TONES = {
    move: [[420, 0, 0.06]],
    capture: [[420, 0, 0.05], [280, 0.06, 0.09]],
    end: [[392, 0, 0.14], [494, 0.15, 0.14], [587, 0.3, 0.3]],
    low: [[880, 0, 0.08], [880, 0.16, 0.08]],
};

/** @type {AudioContext | null} */
let audio = null;

/** Plays sounds for moves, the end of the game and low time. Asks whether sounds are welcome. */
export function setUpGameSounds() {
    const question = elementById("ask-sounds");
    let wasAsked = false;
    const choose = (/** @type {boolean} */ sounds) => {
        question.hidden = true;
        changeSettings({ sounds });
        if (sounds) playTones("move");
    };
    elementById("sounds-on").addEventListener("click", () => choose(true));
    elementById("sounds-off").addEventListener("click", () => choose(false));
    // In another game, a lesson or an exercise, the question can wait.
    subscribe(() => [state.game.root], () => (question.hidden = true));
    subscribe(() => [state.game.tip, isGameOver(), state.app.settings.sounds], ([old, wasOver]) => {
        const { tip, setup: { players } } = state.game;
        const { settings: { sounds } } = state.app;
        if (sounds !== null) question.hidden = true;
        if (!old || (tip.parent !== old && tip !== old)) return;
        if (isGameOver() && !wasOver) playTones("end");
        else if (tip !== old) playTones((tip.details?.removed.length ?? 0) > 0 ? "capture" : "move");
        const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (tip === old || sounds !== null || players[tip.mover] !== "person" || isGameSuspended() || isStill) return;
        question.hidden = wasAsked;
        wasAsked = true;
    });
    let timer = 0;
    subscribe(() => [state.game.clocks], () => {
        clearTimeout(timer);
        const { clocks, clocks: { running } } = state.game;
        const left = running < 0 ? 0 : timeLeft(clocks, running) - LOW_TIME;
        const isPerson = state.game.setup.players[running] === "person";
        if (left > 0 && isPerson) timer = setTimeout(() => playTones("low"), left);
    });
}

/** Turns the sounds on or off. */
export function toggleSounds() {
    changeSettings({ sounds: state.app.settings.sounds !== true });
    playTones("move");
}

/** @param {string} name */
function playTones(name) {
    if (state.app.settings.sounds !== true) return;
    audio ??= new AudioContext();
    void audio.resume();
    const now = audio.currentTime;
    for (const [frequency, start, length] of TONES[name]) {
        const tone = audio.createOscillator();
        const volume = audio.createGain();
        tone.type = "triangle";
        tone.frequency.value = frequency;
        volume.gain.setValueAtTime(0.15, now + start);
        volume.gain.exponentialRampToValueAtTime(0.001, now + start + length);
        tone.connect(volume).connect(audio.destination);
        tone.start(now + start);
        tone.stop(now + start + length);
    }
}
