import { Board } from "./board.js";
import { byId, download, html, write } from "./dom.js";
import { begin, load } from "./game.js";
import { recordOf } from "./game-file.js";
import { ask, askAbout, attempt, isConnected, MOST_BYTES, Refused } from "./requests.js";
import { gameInPlay } from "./saved-game.js";
import { change, scene, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** Draws the viewed position as a FEN that can be edited, with its board; and the record. */
export function drawPositionPanel() {
    drawPosition(byId("position", HTMLDetailsElement));
    drawRecord(byId("position", HTMLDetailsElement));
}

/** @param {HTMLDetailsElement} panel */
function drawPosition(panel) {
    const [text, play] = [byId("fen", HTMLInputElement), byId("fen-play", HTMLButtonElement)];
    const [verdict, drawing] = [byId("fen-verdict"), byId("fen-board", SVGSVGElement)];
    /** @type {Board | null} */
    let board = null;
    /** The last value of the field that was not typed. */
    let given = text.value;
    /** The number of the latest request; earlier responses are dropped. */
    let request = 0;
    /** @param {string} words @param {boolean} isRight @param {(Node | string)[]} place The place of the fault. */
    const judge = (words, isRight, ...place) => {
        verdict.replaceChildren(words, ...place);
        play.disabled = !isRight;
        text.setAttribute("aria-invalid", String(!isRight));
        drawing.classList.toggle("stale", !isRight);
    };
    const draw = async () => {
        const mine = ++request;
        const { geometry, setup: { game, options } } = state;
        if (board?.geometry !== geometry) board = new Board(drawing, geometry, 1.7);
        const fen = text.value.trim();
        if (fen === "") {
            judge(TEXT.noPosition, false);
            return;
        }
        try {
            // The scene of the viewed position is known.
            const found = fen === scene().fen ? scene() : (await ask({ game, options, fen, ask: "scene" })).scene;
            if (mine !== request) return;
            board.show(found);
            judge(`${found.turn === null ? TEXT.decided : TEXT.setUp} ${found.sentence}.`, true);
        } catch (error) {
            if (mine !== request || !(error instanceof Refused)) return;
            const at = (error.column ?? fen.length + 1) - 1;
            // The cursor stays in the field while somebody types, so that a copy below shows the fault.
            const copied = html("code", {}, fen.slice(0, at), html("mark", {}, fen.slice(at) || TEXT.atEnd));
            judge(TEXT.noPositionText(error.reason), false, " ", copied);
        }
    };
    // Updates the field to the viewed position, unless another one is being typed.
    const show = () => {
        if (!panel.open) return;
        const { fen } = scene();
        const isOther = board !== null && board.geometry !== state.geometry;
        if (text.value === given || text.value.trim() === fen) {
            given = fen;
            write(text, fen);
            void draw();
        } else if (isOther) {
            // Other rules apply to the typed position.
            play.disabled = true;
            void draw();
        }
    };
    text.addEventListener("input", () => {
        // Only a checked position can be played.
        play.disabled = true;
        void draw();
    });
    panel.addEventListener("toggle", () => {
        // A typed position stays until the panel is closed.
        if (!panel.open) given = text.value;
        show();
    });
    play.addEventListener("click", () => void beginOther(() =>
        begin(state.setup, { start: text.value.trim() })));
    byId("fen-copy").addEventListener("click", () => void copy(text));
    byId("picture-save").addEventListener("click", async () => {
        const picture = await askAbout(state.here, "diagram", { flip: state.flipped });
        download(picture, "image/svg+xml", `${state.setup.game}.svg`);
    });
    whenever(() => [state.geometry, scene(), state.offline], show);
}

/** @param {HTMLDetailsElement} panel */
function drawRecord(panel) {
    const record = byId("record", HTMLTextAreaElement);
    /** The last value of the field that was not typed. */
    let given = record.value;
    const follow = async () => {
        if (!panel.open) return;
        const { tip, end, version } = state;
        byId("record-note").hidden = tip.children.length === 0;
        const { record: text } = await ask({ record: recordOf(gameInPlay()), ask: "record" });
        const isCurrent = tip === state.tip && end === state.end && version === state.version;
        // A typed record is not overwritten.
        if (!isCurrent || record.value !== given) return;
        given = text;
        write(record, text);
    };
    const verdict = byId("record-verdict");
    const judge = (/** @type {string} */ words) => {
        verdict.textContent = words;
        record.setAttribute("aria-invalid", String(words !== ""));
    };
    const read = async (/** @type {string} */ text) => {
        judge(isConnected() ? "" : TEXT.noGameNow);
        if (!isConnected()) return;
        // The message about another record no longer applies.
        change({ note: "" });
        try {
            await load(text);
            // From here on the field follows the game again.
            given = text;
            change({ note: TEXT.loaded });
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            judge(TEXT.noRecord(error.reason));
            record.focus();
            record.setSelectionRange(...faultIn(record.value, error));
        }
    };
    record.addEventListener("input", () => judge(""));
    byId("record-copy").addEventListener("click", () => void copy(record));
    byId("record-load").addEventListener("click", () => void read(record.value));
    byId("record-save").addEventListener("click", () =>
        download(`${record.value}\n`, "text/plain", `${state.setup.game}.txt`));
    const share = byId("record-share");
    share.hidden = !("share" in navigator);
    // The promise is rejected if the user cancels, which needs no message.
    share.addEventListener("click", () => void navigator.share({ text: record.value }).catch(() => {}));
    const file = byId("record-file", HTMLInputElement);
    file.addEventListener("change", async () => {
        const found = file.files?.[0];
        if (!found) return;
        if (found.size > MOST_BYTES) {
            judge(TEXT.noRecord(TEXT.tooLong));
        } else {
            record.value = await found.text();
            await read(record.value);
        }
        file.value = "";
    });
    panel.addEventListener("toggle", () => {
        // A typed record stays until the panel is closed.
        if (!panel.open) given = record.value;
        void follow();
    });
    whenever(() => [state.tip, state.end, state.version, state.offline], () => void follow());
}

/** The tokens of a record; the group has the moves. */
const WORDS = /^\s*\[.*\]\s*$|\{[^}]*\}|;.*|\$\d+|\d+\.+|(?<move>[^\s{};]+)/gm;

/**
 * Returns the range of the fault in a record that the engine rejects, which names a line or a move.
 *
 * @param {string} text
 * @param {{ line: number | null, move: number | null, column: number | null }} refusal
 * @returns {[number, number]} The start and the end; 0 and 0 if the fault has no place.
 */
export function faultIn(text, { line, move, column }) {
    if (move !== null) {
        const found = [...text.matchAll(WORDS)].filter(({ groups }) => groups?.move)[move - 1];
        return found ? [found.index, found.index + found[0].length] : [0, 0];
    }
    if (line === null || column === null) return [0, 0];
    const before = text.split("\n").slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    const end = text.indexOf("\n", before);
    return [before + column - 1, end < 0 ? text.length : end];
}

/**
 * Starts another game. If the engine rejects it or is not connected, shows the reason; the current
 * game then continues.
 *
 * @param {() => Promise<void>} beginning
 */
export async function beginOther(beginning) {
    // Without this check the game would start later, in the middle of the current one.
    if (!isConnected()) {
        change({ note: TEXT.noGameNow });
        return;
    }
    await attempt(beginning);
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
async function copy(field) {
    field.select();
    await navigator.clipboard.writeText(field.value);
    change({ note: TEXT.copied });
}
