/** @import { Settings } from "../core/types.js" */
import { elementById, html, state, subscribe, TEXT } from "../core/index.js";
import { BOARD_THEMES, changeSettings } from "./settings.js";

/** The settings that are on or off, by the ids of their fields. */
const SWITCHES = /** @type {Record<string, "large" | "confirmTap" | "premove" | "sounds">} */ ({
    "set-large": "large", "set-confirm": "confirmTap", "set-premove": "premove", "set-sounds": "sounds",
});

/** Creates the dialog of the settings. Changes apply at once. @returns {() => void} A function that opens it. */
export function createSettingsDialog() {
    const theme = elementById("set-theme", HTMLSelectElement);
    theme.append(...BOARD_THEMES.map((value) => html("option", { value }, TEXT.themes[value])));
    theme.addEventListener("change", () => changeSettings({ theme: /** @type {Settings["theme"]} */ (theme.value) }));
    for (const [id, name] of Object.entries(SWITCHES)) {
        const field = elementById(id, HTMLInputElement);
        field.addEventListener("change", () => changeSettings({ [name]: field.checked }));
    }
    subscribe(() => [state.app.settings], () => {
        theme.value = state.app.settings.theme;
        for (const [id, name] of Object.entries(SWITCHES)) {
            elementById(id, HTMLInputElement).checked = state.app.settings[name] === true;
        }
    });
    return () => elementById("settings", HTMLDialogElement).showModal();
}
