import { downloadFile, elementById, html, setFieldValue, setState, state, subscribe, TEXT,
    viewedScene } from "../core/index.js";
import { askAboutPosition, isConnected, MAX_REQUEST_BYTES, RequestError, runAndShowError,
    sendRequest } from "../engine/index.js";
import { currentSavedGame, decodeGameFile, formatRecord, startGame, startGameFromRecord } from "../game/index.js";
import { Board } from "../board/index.js";

/** Draws the record, and the viewed position as a FEN that can be edited, with its board. */
export function mountPositionPanel() {
    drawPositionEditor(elementById("position", HTMLDetailsElement));
    drawRecordEditor(elementById("position", HTMLDetailsElement));
}

/** @param {HTMLDetailsElement} panel */
function drawPositionEditor(panel) {
    const text = elementById("fen", HTMLInputElement);
    const play = elementById("fen-play", HTMLButtonElement);
    const verdict = elementById("fen-verdict");
    const drawing = elementById("fen-board", SVGSVGElement);
    /** @type {Board | null} */
    let board = null;
    /** The last value of the field that the user has not typed. */
    let lastWritten = text.value;
    /** The number of the latest request. Responses for earlier requests are dropped. */
    let request = 0;
    /** @param {string} words @param {boolean} isRight @param {(Node | string)[]} place The place of the fault. */
    const showVerdict = (words, isRight, ...place) => {
        verdict.replaceChildren(words, ...place);
        play.disabled = !isRight;
        text.setAttribute("aria-invalid", String(!isRight));
        drawing.classList.toggle("stale", !isRight);
    };
    const draw = async () => {
        const thisRequest = ++request;
        const { geometry, setup: { game, options } } = state.game;
        if (board?.geometry !== geometry) board = new Board(drawing, geometry, 1.7);
        const fen = text.value.trim();
        if (fen === "") {
            showVerdict(TEXT.noPosition, false);
            return;
        }
        try {
            // The scene of the viewed position is known.
            const scene = fen === viewedScene().fen ? viewedScene()
                : (await sendRequest({ game, options, fen, ask: "scene" })).scene;
            if (thisRequest !== request) return;
            board.showScene(scene);
            const kind = scene.turn === null ? TEXT.positionDecided : TEXT.positionPlayable;
            showVerdict(`${kind} ${scene.sentence}.`, true);
        } catch (error) {
            if (thisRequest !== request || !(error instanceof RequestError)) return;
            const at = (error.column ?? fen.length + 1) - 1;
            // A copy below the field shows the fault, because the cursor must stay in the field
            // while somebody types.
            const markedCopy = html("code", {}, fen.slice(0, at), html("mark", {}, fen.slice(at) || TEXT.atEnd));
            showVerdict(TEXT.invalidPosition(error.reason), false, " ", markedCopy);
        }
    };
    // Updates the field to the viewed position, unless a position is being typed.
    const updateField = () => {
        if (!panel.open) return;
        const { fen } = viewedScene();
        const isOther = board !== null && board.geometry !== state.game.geometry;
        if (text.value === lastWritten || text.value.trim() === fen) {
            lastWritten = fen;
            setFieldValue(text, fen);
            void draw();
        } else if (isOther) {
            // The rules have changed since the typed position was checked.
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
        if (!panel.open) lastWritten = text.value;
        updateField();
    });
    play.addEventListener("click", () => void tryStartGame(() =>
        startGame(state.game.setup, { start: text.value.trim() })));
    elementById("fen-copy").addEventListener("click", () => void copyField(text));
    elementById("picture-save").addEventListener("click", async () => {
        const diagram = await askAboutPosition(state.game.viewedNode, "diagram", { flip: state.board.flipped });
        downloadFile(diagram, "image/svg+xml", `${state.game.setup.game}.svg`);
    });
    subscribe(() => [state.game.geometry, viewedScene(), state.engine.offlineReason], updateField);
}

/** @param {HTMLDetailsElement} panel */
function drawRecordEditor(panel) {
    const record = elementById("record", HTMLTextAreaElement);
    /** The last value of the field that the user has not typed. */
    let lastWritten = record.value;
    const updateRecord = async () => {
        if (!panel.open) return;
        const { tip, end, treeVersion } = state.game;
        elementById("record-note").hidden = tip.children.length === 0;
        const { record: text } = await sendRequest({ record: formatRecord(currentSavedGame()), ask: "record" });
        const isCurrent = tip === state.game.tip && end === state.game.end && treeVersion === state.game.treeVersion;
        // A typed record is not overwritten.
        if (!isCurrent || record.value !== lastWritten) return;
        lastWritten = text;
        setFieldValue(record, text);
    };
    const verdict = elementById("record-verdict");
    const showVerdict = (/** @type {string} */ words) => {
        verdict.textContent = words;
        record.setAttribute("aria-invalid", String(words !== ""));
    };
    const readRecord = async (/** @type {string} */ text, /** @type {string | null} */ fileWarning = null) => {
        showVerdict(isConnected() ? "" : TEXT.cannotStartGame);
        if (!isConnected()) return;
        // The message about another record no longer applies.
        setState({ app: { note: "" } });
        try {
            const warnings = await startGameFromRecord(text);
            // From here on the field follows the game again.
            lastWritten = text;
            const all = fileWarning === null ? warnings : [fileWarning, ...warnings];
            setState({ app: { note: [TEXT.loaded, ...all.map(TEXT.recordWarning)].join(" ") } });
        } catch (error) {
            if (!(error instanceof RequestError)) throw error;
            showVerdict(TEXT.invalidRecord(error.reason));
            record.focus();
            record.setSelectionRange(...faultTextRange(record.value, error));
        }
    };
    const readFile = async (/** @type {Uint8Array} */ bytes) => {
        try {
            const { text, warning } = decodeGameFile(bytes);
            record.value = text;
            await readRecord(text, warning);
        } catch (error) {
            showVerdict(TEXT.invalidRecord(/** @type {Error} */ (error).message));
        }
    };
    record.addEventListener("input", () => showVerdict(""));
    elementById("record-copy").addEventListener("click", () => void copyField(record));
    elementById("record-load").addEventListener("click", () => void readRecord(record.value));
    elementById("record-save").addEventListener("click", () =>
        downloadFile(`${record.value}\n`, "text/plain", `${state.game.setup.game}.txt`));
    const share = elementById("record-share");
    share.hidden = !("share" in navigator);
    // If the user cancels, the promise is rejected. This needs no message.
    share.addEventListener("click", () => void navigator.share({ text: record.value }).catch(() => {}));
    const file = elementById("record-file", HTMLInputElement);
    file.addEventListener("change", async () => {
        const found = file.files?.[0];
        if (!found) return;
        if (found.size > MAX_REQUEST_BYTES) {
            showVerdict(TEXT.invalidRecord(TEXT.tooLong));
        } else {
            await readFile(new Uint8Array(await found.arrayBuffer()));
        }
        file.value = "";
    });
    panel.addEventListener("toggle", () => {
        // A typed record stays until the panel is closed.
        if (!panel.open) lastWritten = record.value;
        void updateRecord();
    });
    subscribe(() => [state.game.tip, state.game.end, state.game.treeVersion,
        state.engine.offlineReason], () => void updateRecord());
}

/** The tokens of a record; the group has the moves. */
const RECORD_TOKENS = /^\s*\[.*\]\s*$|\{[^}]*\}|;.*|^\s*[%#].*|\$\d+|\d*[.…]+|(?<move>[^\s{};,]+)/gm;

/**
 * Returns the range of the fault in a record that the engine rejects. The engine names a line or a
 * move.
 *
 * @param {string} text
 * @param {{ line: number | null, move: number | null, column: number | null }} fault
 * @returns {[number, number]} The start and the end; 0 and 0 if the fault has no place.
 */
export function faultTextRange(text, { line, move, column }) {
    if (move !== null) {
        const found = [...text.matchAll(RECORD_TOKENS)].filter(({ groups }) => groups?.move)[move - 1];
        return found ? [found.index, found.index + found[0].length] : [0, 0];
    }
    if (line === null || column === null) return [0, 0];
    const before = text.split("\n").slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    const end = text.indexOf("\n", before);
    return [before + column - 1, end < 0 ? text.length : end];
}

/**
 * Starts another game. If the engine rejects the game or is not connected, shows the reason, and
 * the current game continues.
 *
 * @param {() => Promise<void>} start
 */
export async function tryStartGame(start) {
    // Without this check the new game would start later, in the middle of the current game.
    if (!isConnected()) {
        setState({ app: { note: TEXT.cannotStartGame } });
        return;
    }
    await runAndShowError(start);
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
async function copyField(field) {
    field.select();
    await navigator.clipboard.writeText(field.value);
    setState({ app: { note: TEXT.copied } });
}
