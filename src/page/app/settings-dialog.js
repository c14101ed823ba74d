/** @import { Settings } from "../core/types.js" */
import { elementById, html, state, subscribe, TEXT } from "../core/index.js";
import { BOARD_THEMES, changeSettings } from "./settings.js";

/** The settings that are on or off, by the ids of their fields. */
const SWITCHES = /** @type {Record<string, Exclude<keyof Settings, "theme">>} */ ({
    "set-large": "large", "set-plain": "plain", "set-confirm": "confirmTap", "set-premove": "premove",
    "set-pace": "pace", "set-sounds": "sounds",
});

/** Creates the dialog of the settings. Changes apply at once. @returns {() => void} A function that opens it. */
export function createSettingsDialog() {
    const themes = BOARD_THEMES.map((value) => html("input", {
        type: "radio", name: "theme", value, onchange: () => changeSettings({ theme: value }),
    }));
    elementById("set-theme").append(...themes.map((input) => html("label", {}, input,
        html("span", { class: "thumbnail", "data-theme": input.value, "aria-hidden": "true" }),
        TEXT.themes[/** @type {Settings["theme"]} */ (input.value)])));
    for (const [id, name] of Object.entries(SWITCHES)) {
        const field = elementById(id, HTMLInputElement);
        field.addEventListener("change", () => changeSettings({ [name]: field.checked }));
    }
    subscribe(() => [state.app.settings], () => {
        for (const input of themes) input.checked = input.value === state.app.settings.theme;
        for (const [id, name] of Object.entries(SWITCHES)) {
            elementById(id, HTMLInputElement).checked = state.app.settings[name] === true;
        }
    });
    return () => elementById("settings", HTMLDialogElement).showModal();
}
