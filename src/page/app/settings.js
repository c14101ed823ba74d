/** @import { Settings } from "../core/types.js" */
import { setState, state, subscribe } from "../core/index.js";

/** The settings for all games, which this browser stores. */

const STORAGE_KEY = "settings";
/** The board themes: the default theme and the themes of `styles/themes.css`. */
export const BOARD_THEMES = /** @type {const} */ (["wood", "stone", "sea"]);

/** @type {Settings} */
const DEFAULTS = {
    theme: "wood", large: false, plain: false, confirmTap: true, premove: true, pace: true, sounds: null,
};

/** Loads the stored settings, and applies the theme and the size of pieces. */
export function loadAndApplySettings() {
    setState({ app: { settings: storedSettings() } });
    const { dataset } = document.documentElement;
    subscribe(() => [state.app.settings], () => {
        dataset.theme = state.app.settings.theme;
        dataset.pieces = state.app.settings.large ? "large" : "usual";
        dataset.set = state.app.settings.plain ? "plain" : "usual";
    });
}

/** Changes settings and stores them. @param {Partial<Settings>} changes */
export function changeSettings(changes) {
    const settings = { ...state.app.settings, ...changes };
    setState({ app: { settings } });
    try {
        localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
    } catch {
        // The browser stores nothing. The settings then apply until the page is closed.
    }
}

/** @returns {Settings} The stored settings. Missing settings and unknown values have their defaults. */
function storedSettings() {
    try {
        const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
        const isKnown = (/** @type {[string, any]} */ [name, value]) =>
            (name === "theme" ? BOARD_THEMES.includes(value) : typeof value === "boolean");
        return { ...DEFAULTS, ...Object.fromEntries(Object.entries(stored).filter(isKnown)) };
    } catch {
        return DEFAULTS;
    }
}
