import { elementById, html } from "../core/index.js";
import { sendConsoleLine, setConsoleListener } from "./requests.js";
import { HAS_SERVER } from "./transport.js";

/** The maximum number of lines in the log. */
const MAX_LOG_LINES = 500;

/** Draws the lines of the console's session with the engine, and sends typed lines. */
export function mountEngineConsole() {
    const panel = elementById("console", HTMLDetailsElement);
    const log = elementById("console-log");
    panel.hidden = !HAS_SERVER;
    const field = elementById("console-line", HTMLInputElement);
    /** @type {{ line: string, sent: boolean }[]} The lines that are not in the log yet. */
    let waiting = [];
    const draw = () => {
        if (!panel.open) return;
        log.append(...waiting.map(({ line, sent }) => html("div", { class: sent ? "sent" : "received" }, line)));
        waiting = [];
        while (log.childElementCount > MAX_LOG_LINES) log.firstElementChild?.remove();
        log.scrollTop = log.scrollHeight;
    };
    const add = (/** @type {string} */ line, /** @type {boolean} */ sent) => {
        waiting.push({ line, sent });
        waiting.splice(0, waiting.length - MAX_LOG_LINES);
        if (waiting.length === 1) requestAnimationFrame(draw);
    };
    setConsoleListener((line) => add(line, false));
    elementById("console-form").addEventListener("submit", (event) => {
        event.preventDefault();
        const line = field.value.trim();
        field.value = "";
        if (line === "") return;
        add(line, true);
        sendConsoleLine(line);
    });
    panel.addEventListener("toggle", draw);
}
