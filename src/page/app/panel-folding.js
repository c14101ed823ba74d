/** Folded panels, which the browser remembers. */

const STORAGE_KEY = "panels";

/** Unfolds the panels that were unfolded last, and remembers each change. */
export function setUpPanelFolding() {
    const panels = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("#panel > details")]);
    const open = storedPanels();
    for (const panel of panels) {
        if (open.includes(panel.id)) panel.open = true;
        panel.addEventListener("toggle", () => {
            try {
                const ids = panels.filter((other) => other.open).map(({ id }) => id);
                localStorage.setItem(STORAGE_KEY, JSON.stringify(ids));
            } catch {
                // The browser stores nothing. All panels are folded at the next visit.
            }
        });
    }
}

/** @returns {unknown[]} The ids of the panels that were unfolded last. */
function storedPanels() {
    try {
        const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
        return Array.isArray(stored) ? stored : [];
    } catch {
        return [];
    }
}
