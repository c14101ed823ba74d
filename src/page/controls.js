import { deepen, MOST_LINES, showLines } from "./analysis.js";
import { focusLines } from "./analysis-lines.js";
import { byId, html } from "./dom.js";
import { rematch, reviewFromEnd } from "./end.js";
import { giveHint } from "./engine-player.js";
import { look, offerDraw, playOn, promote, removeFromHere, resign, takeBack } from "./game.js";
import { hintAtTask, learn } from "./lesson.js";
import { cancel, confirm, type } from "./move-input.js";
import { clearOwn } from "./own-marks.js";
import { hintAtSolution, openProblems } from "./problems.js";
import { attempt } from "./requests.js";
import { review } from "./review.js";
import { toggleSounds } from "./sounds.js";
import { change, isAside, nextWanted, state } from "./state.js";

/** The keys that work in a lesson and while problems are solved. */
const OF_TASKS = ["b", "f", "h", "?", "escape"];

/**
 * Binds the buttons and keys of the page to their actions.
 *
 * @param {Record<"openSetup" | "openGames" | "openSettings" | "focusBoard", () => void>} openers
 */
export function controls({ openSetup, openGames, openSettings, focusBoard }) {
    const keys = byId("keys", HTMLDialogElement);
    const field = byId("move", HTMLInputElement);
    const actions = /** @type {Record<string, () => unknown>} */ ({
        n: openSetup,
        o: openGames,
        u: takeBack,
        h: () => (state.lesson ? hintAtTask() : state.solving ? hintAtSolution() : giveHint()),
        f: () => change({ flipped: !state.flipped }),
        e: openSettings,
        s: toggleSounds,
        m: () => field.focus(),
        b: focusBoard,
        "?": () => keys.showModal(),
        ",": () => look(state.wanted.parent),
        ".": () => look(nextWanted()),
        "[": () => look(state.wanted.sibling(-1)),
        "]": () => look(state.wanted.sibling(1)),
        t: playOn,
        p: promote,
        Delete: removeFromHere,
        a: () => {
            change({ analysing: !state.analysing });
            if (state.analysing) byId("analysis", HTMLDetailsElement).open = true;
        },
        d: deepen,
        l: focusLines,
        r: review,
        q: () => openProblems(),
        g: () => byId("graph", SVGSVGElement).focus(),
        Escape: () => {
            clearOwn();
            cancel();
        },
    });
    for (let count = 1; count <= MOST_LINES; count += 1) actions[count] = () => showLines(count);
    const buttons = {
        new: "n", "show-games": "o", "show-settings": "e", undo: "u", hint: "h", flip: "f", "show-keys": "?",
        cancel: "Escape", problems: "q",
        "play-on": "t", promote: "p", delete: "Delete", deeper: "d", review: "r",
    };
    for (const [id, key] of Object.entries(buttons)) byId(id).addEventListener("click", () => attempt(actions[key]));
    for (const [id, action] of Object.entries({ confirm, resign, draw: offerDraw, rematch, "review-end": reviewFromEnd,
        learn, "learn-first": learn, "lesson-hint": hintAtTask })) {
        byId(id).addEventListener("click", () => attempt(action));
    }
    const analysing = byId("analysing", HTMLInputElement);
    analysing.addEventListener("change", () => change({ analysing: analysing.checked }));
    const count = byId("line-count", HTMLSelectElement);
    for (let lines = 1; lines <= MOST_LINES; lines += 1) count.append(html("option", {}, String(lines)));
    count.addEventListener("change", () => showLines(Number(count.value)));
    // The message about the text before no longer applies.
    field.addEventListener("input", () => state.note !== "" && change({ note: "" }));
    byId("move-form").addEventListener("submit", (event) => {
        event.preventDefault();
        void attempt(async () => {
            if (await type(field.value.trim())) field.value = "";
        });
    });
    document.addEventListener("keydown", (event) => {
        const target = event.target instanceof Element ? event.target : null;
        const elsewhere = target?.closest("input, textarea, select, dialog[open]");
        const action = actions[event.key] ?? actions[event.key.toLowerCase()];
        if (elsewhere || event.ctrlKey || event.altKey || event.metaKey || !action) return;
        if (isAside() && !OF_TASKS.includes(event.key.toLowerCase())) return;
        event.preventDefault();
        void attempt(action);
    });
}
