import { elementById, html, isGameSuspended, nextPositionInLine, setState, state } from "../core/index.js";
import { runAndShowError } from "../engine/index.js";
import { continueGameFromViewed, deleteFromViewedMove, offerDraw, promoteVariation, resignGame, showEngineHint,
    takeBackMove, viewPosition } from "../game/index.js";
import { cancelMoveInput, clearUserShapes, confirmMove, playTypedMove, toggleCounts } from "../board/index.js";
import { analyseInfinitely, focusAnalysisLines, MAX_ANALYSIS_LINES, setAnalysisLineCount,
    toggleReview } from "../analysis/index.js";
import { openProblems, showSolutionHint, showLessonHint, startLesson } from "../learn/index.js";
import { closeEndCard } from "./end-card.js";
import { startRematch } from "./game-over-buttons.js";
import { isHomeShown } from "./home.js";
import { toggleSounds } from "./sounds.js";

/** The distance that a wheel turns for one move, in pixels. */
const WHEEL_STEP = 60;
/** The pause after which a turn of the wheel is a new one, in milliseconds. */
const WHEEL_PAUSE = 300;

/** The keys that work in lessons and in exercises. */
const EXERCISE_KEYS = ["b", "f", "h", "?", "escape"];
/** The keys that work at home. */
const HOME_KEYS = ["n", "o", "e", "s", "q", "?"];

/**
 * Binds the buttons and keys of the page to their actions.
 *
 * @param {Record<"openSetup" | "openGames" | "openSettings" | "focusBoard", () => void>} openers
 */
export function bindControls({ openSetup, openGames, openSettings, focusBoard }) {
    const keys = elementById("keys", HTMLDialogElement);
    const field = elementById("move", HTMLInputElement);
    const actionsByKey = /** @type {Record<string, () => unknown>} */ ({
        n: openSetup,
        o: openGames,
        u: takeBackMove,
        h: () => (state.learn.lesson ? showLessonHint() : state.learn.practice ? showSolutionHint() : showEngineHint()),
        f: () => setState({ board: { flipped: !state.board.flipped } }),
        e: openSettings,
        s: toggleSounds,
        m: () => field.focus(),
        b: focusBoard,
        "?": () => keys.showModal(),
        ",": viewPreviousPosition,
        ArrowLeft: viewPreviousPosition,
        ".": viewNextPosition,
        ArrowRight: viewNextPosition,
        "[": () => viewPosition(state.game.targetNode.siblingAt(-1)),
        "]": () => viewPosition(state.game.targetNode.siblingAt(1)),
        t: continueGameFromViewed,
        p: promoteVariation,
        Delete: deleteFromViewedMove,
        a: () => {
            setState({ analysis: { isOn: !state.analysis.isOn } });
            if (state.analysis.isOn) openAnalysisPanel();
        },
        c: toggleCounts,
        d: analyseInfinitely,
        l: focusAnalysisLines,
        r: toggleReview,
        q: () => openProblems(),
        g: () => elementById("graph", SVGSVGElement).focus(),
        Escape: () => {
            clearUserShapes();
            cancelMoveInput();
            closeEndCard();
        },
    });
    for (let count = 1; count <= MAX_ANALYSIS_LINES; count += 1) actionsByKey[count] = () =>
        setAnalysisLineCount(count);
    const keysByButton = {
        new: "n", "show-games": "o", "show-settings": "e", undo: "u", hint: "h", flip: "f", "show-keys": "?",
        cancel: "Escape", problems: "q", "end-new": "n",
        "play-on": "t", promote: "p", delete: "Delete", deeper: "d", review: "r",
    };
    for (const [id, key] of Object.entries(keysByButton)) {
        elementById(id).addEventListener("click", () => runAndShowError(actionsByKey[key]));
    }
    const actionsByButton = {
        confirm: confirmMove, resign: resignGame, draw: offerDraw, rematch: startRematch, "end-rematch": startRematch,
        "end-review": reviewFromEndCard, learn: () => startLesson(),
        "learn-first": () => startLesson(), "lesson-hint": showLessonHint,
    };
    for (const [id, action] of Object.entries(actionsByButton)) {
        elementById(id).addEventListener("click", () => runAndShowError(action));
    }
    const analysing = elementById("analysing", HTMLInputElement);
    analysing.addEventListener("change", () => setState({ analysis: { isOn: analysing.checked } }));
    const count = elementById("line-count", HTMLSelectElement);
    for (let lines = 1; lines <= MAX_ANALYSIS_LINES; lines += 1) count.append(html("option", {}, String(lines)));
    count.addEventListener("change", () => setAnalysisLineCount(Number(count.value)));
    // The message about the previous text no longer applies.
    field.addEventListener("input", () => state.app.note !== "" && setState({ app: { note: "" } }));
    elementById("move-form").addEventListener("submit", (event) => {
        event.preventDefault();
        void runAndShowError(async () => {
            if (await playTypedMove(field.value.trim())) field.value = "";
        });
    });
    // The menu of a phone closes with each choice.
    elementById("menu").addEventListener("click", ({ currentTarget }) => {
        const menu = /** @type {HTMLElement} */ (currentTarget);
        if (menu.matches(":popover-open")) menu.hidePopover();
    });
    bindWheel();
    document.addEventListener("keydown", (event) => {
        const target = event.target instanceof Element ? event.target : null;
        const isInField = target?.closest("input, textarea, select, dialog[open]");
        const action = actionsByKey[event.key] ?? actionsByKey[event.key.toLowerCase()];
        if (isInField || event.ctrlKey || event.altKey || event.metaKey || !action) return;
        const keyNames = isGameSuspended() ? EXERCISE_KEYS : isHomeShown() ? HOME_KEYS : null;
        if (keyNames?.includes(event.key.toLowerCase()) === false) return;
        event.preventDefault();
        void runAndShowError(action);
    });
}

/**
 * Opens the panel of the analysis, and scrolls the parts next to the board so that the lines are visible. If these
 * parts are below the board, nothing is scrolled, because the board would leave the screen.
 */
function openAnalysisPanel() {
    const analysis = elementById("analysis", HTMLDetailsElement);
    analysis.open = true;
    const parts = elementById("panel");
    parts.scrollTop += Math.max(0, analysis.getBoundingClientRect().bottom - parts.getBoundingClientRect().bottom);
}

/** Starts the review. Its results are below the card. */
function reviewFromEndCard() {
    closeEndCard();
    elementById("review").focus();
    return toggleReview();
}

const viewPreviousPosition = () => viewPosition(state.game.targetNode.parent);
const viewNextPosition = () => viewPosition(nextPositionInLine());

/** Returns whether the page, or a panel around an element, can be scrolled. @param {Element} element */
function canScroll(element) {
    for (let place = /** @type {Element | null} */ (element); place; place = place.parentElement) {
        const isPanel = place === document.documentElement || getComputedStyle(place).overflowY === "auto";
        if (isPanel && place.scrollHeight > place.clientHeight) return true;
    }
    return false;
}

/** Lets the wheel over the board go through the moves. If the page or a panel can be scrolled, the wheel scrolls it. */
function bindWheel() {
    let distance = 0;
    let last = 0;
    elementById("boards").addEventListener("wheel", (event) => {
        if (event.ctrlKey || isGameSuspended() || state.board.chosenSites.length > 0) return;
        if (event.target instanceof Element && canScroll(event.target)) return;
        event.preventDefault();
        const isNew = event.timeStamp - last > WHEEL_PAUSE || distance * event.deltaY < 0;
        distance = event.deltaY + (isNew ? 0 : distance);
        last = event.timeStamp;
        if (Math.abs(distance) < WHEEL_STEP) return;
        void runAndShowError(distance < 0 ? viewPreviousPosition : viewNextPosition);
        distance = 0;
    }, { passive: false });
}
