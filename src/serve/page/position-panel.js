import { Board } from "./board.js";
import { byId, html } from "./dom.js";
import { begin, load } from "./game.js";
import { ask, askAbout, Refused } from "./requests.js";
import { change, scene, state, whenever } from "./state.js";
import { TEXT } from "./strings.js";

/** Draws the position that is looked at as a text that can be changed, drawn at each change; and the record. */
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
    /** What was last written into the field, and not typed. */
    let given = text.value;
    /** Counts the texts that were asked about, so that only the last answer is shown. */
    let request = 0;
    const judge = (/** @type {string} */ words, /** @type {boolean} */ isRight) => {
        verdict.textContent = words;
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
            // What the position that is looked at shows is known.
            const found = fen === scene().fen ? scene() : (await ask({ game, options, fen, ask: "scene" })).scene;
            if (mine !== request) return;
            board.show(found);
            judge(`${found.turn === null ? TEXT.decided : TEXT.setUp} ${found.sentence}.`, true);
        } catch (error) {
            if (mine === request && error instanceof Refused) judge(TEXT.refused(error.column, error.message), false);
        }
    };
    // Takes over the position that is looked at, unless another one is being typed.
    const show = () => {
        if (!panel.open) return;
        const { fen } = scene();
        const isOther = board !== null && board.geometry !== state.geometry;
        if (text.value === given || text.value.trim() === fen) {
            given = text.value = fen;
            void draw();
        } else if (isOther) {
            // Other rules judge what is being typed.
            play.disabled = true;
            void draw();
        }
    };
    text.addEventListener("input", () => {
        // Only what has been judged can be played.
        play.disabled = true;
        void draw();
    });
    panel.addEventListener("toggle", () => {
        given = text.value;
        show();
    });
    play.addEventListener("click", () => void attempt(begin(state.setup, { start: text.value.trim() })));
    byId("fen-copy").addEventListener("click", () => void copy(text));
    byId("picture-save").addEventListener("click", async () => {
        const picture = await askAbout(state.here, "diagram", { flip: state.flipped });
        give(picture, "image/svg+xml", "svg");
    });
    whenever(() => [state.geometry, scene(), state.offline], show);
}

/** @param {HTMLDetailsElement} panel */
function drawRecord(panel) {
    const record = byId("record", HTMLTextAreaElement);
    const write = async () => {
        if (!panel.open) return;
        byId("record-note").hidden = !state.root.branches;
        const { tip, end } = state;
        const text = await askAbout(tip, "record");
        if (tip === state.tip && end === state.end) record.value = text;
    };
    const read = async (/** @type {string} */ text) => attempt(load(text).then(() => change({ note: TEXT.loaded })));
    byId("record-copy").addEventListener("click", () => void copy(record));
    byId("record-load").addEventListener("click", () => void read(record.value));
    byId("record-save").addEventListener("click", () => give(`${record.value}\n`, "text/plain", "txt"));
    const share = byId("record-share");
    share.hidden = !("share" in navigator);
    // Whoever changes their mind has shared nothing, and need not be told.
    share.addEventListener("click", () => void navigator.share({ text: record.value }).catch(() => {}));
    const file = byId("record-file", HTMLInputElement);
    file.addEventListener("change", async () => {
        const text = await file.files?.[0]?.text();
        file.value = "";
        if (text === undefined) return;
        record.value = text;
        await read(text);
    });
    panel.addEventListener("toggle", () => void write());
    whenever(() => [state.tip, state.end, state.version, state.offline], () => void write());
}

/**
 * Waits for another game to begin. If it is refused, it is said why, and the old one goes on.
 *
 * @param {Promise<void>} game
 */
export async function attempt(game) {
    try {
        await game;
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        change({ renewals: state.renewals + 1, note: error.message });
    }
}

/** Gives the browser a file to keep. @param {string} text @param {string} type @param {string} ending */
function give(text, type, ending) {
    const href = URL.createObjectURL(new Blob([text], { type }));
    html("a", { href, download: `${state.setup.game}.${ending}` }).click();
    URL.revokeObjectURL(href);
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
async function copy(field) {
    field.select();
    await navigator.clipboard.writeText(field.value);
    change({ note: TEXT.copied });
}
