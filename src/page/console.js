import { byId, html } from "./dom.js";
import { listenToConsole, tellConsole } from "./requests.js";
import { HAS_SERVER } from "./transport.js";

/** The most lines that are shown. */
const LINES = 500;

/** Draws the lines to and from the console's session with the engine, and sends what is typed. */
export function drawConsole() {
    const [panel, log] = [byId("console", HTMLDetailsElement), byId("console-log")];
    panel.hidden = !HAS_SERVER;
    const field = byId("console-line", HTMLInputElement);
    /** @type {{ line: string, sent: boolean }[]} What has not been shown yet. */
    let waiting = [];
    const draw = () => {
        if (!panel.open) return;
        log.append(...waiting.map(({ line, sent }) => html("div", { class: sent ? "sent" : "received" }, line)));
        waiting = [];
        while (log.childElementCount > LINES) log.firstElementChild?.remove();
        log.scrollTop = log.scrollHeight;
    };
    const add = (/** @type {string} */ line, /** @type {boolean} */ sent) => {
        waiting.push({ line, sent });
        waiting.splice(0, waiting.length - LINES);
        if (waiting.length === 1) requestAnimationFrame(draw);
    };
    listenToConsole((line) => add(line, false));
    byId("console-form").addEventListener("submit", (event) => {
        event.preventDefault();
        const line = field.value.trim();
        field.value = "";
        if (line === "") return;
        add(line, true);
        tellConsole(line);
    });
    panel.addEventListener("toggle", draw);
}
