/** @import { Session } from "./session.js" */
import { byId, html } from "./dom.js";

/** The most lines that are kept. */
const LINES = 500;

/** The lines that go to the engine and come from it, and a field for lines of one's own. */
export class Console {
    /** @type {(line: string) => void} Called with a line that was typed. */
    typed = () => {};
    #panel = byId("console", HTMLDetailsElement);
    #log = byId("console-log", HTMLElement);
    /** @type {{ line: string, sent: boolean }[]} What has not been shown yet. */
    #waiting = [];

    constructor() {
        const field = byId("console-line", HTMLInputElement);
        byId("console-form", HTMLFormElement).addEventListener("submit", (event) => {
            event.preventDefault();
            if (field.value.trim() !== "") this.typed(field.value.trim());
            field.value = "";
        });
        this.#panel.addEventListener("toggle", () => this.#show());
    }

    /** @param {Session} session Whose lines are shown from now on. */
    follow(session) {
        session.log = (line, sent) => {
            // The page asks for these after each line, to find the end of its answer.
            if (line === "isready" || line === "readyok") return;
            this.#waiting.push({ line, sent });
            this.#waiting.splice(0, this.#waiting.length - LINES);
            if (this.#waiting.length === 1) requestAnimationFrame(() => this.#show());
        };
    }

    #show() {
        if (!this.#panel.open) return;
        const lines = this.#waiting.map(({ line, sent }) => html("div", { class: sent ? "sent" : "received" }, line));
        this.#waiting = [];
        const log = this.#log;
        log.append(...lines);
        while (log.childElementCount > LINES) log.firstElementChild?.remove();
        log.scrollTop = log.scrollHeight;
    }
}
