/** The keys that move the focus within a group of buttons. */
const NAVIGATION_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/**
 * Lets arrow keys move the focus within a group of buttons. The Tab key reaches one button of the
 * group.
 *
 * @param {HTMLElement} group
 * @param {string} row A selector of the rows of buttons, for the keys up and down.
 * @param {string[]} keys The keys that move the focus.
 */
export function addRovingFocus(group, row, keys = NAVIGATION_KEYS) {
    group.addEventListener("keydown", (event) => {
        const focusedButton = event.target;
        if (!(focusedButton instanceof HTMLButtonElement) || !keys.includes(event.key)) return;
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        const all = buttons(group);
        const rows = [...group.querySelectorAll(row)].map((element) => all.filter((button) => element.contains(button)))
            .filter((found) => found.length > 0);
        const at = rows.findIndex((found) => found.includes(focusedButton));
        const buttonInRow = (/** @type {number} */ step) => {
            const next = rows[at + step];
            return next?.[Math.min(rows[at].indexOf(focusedButton), next.length - 1)];
        };
        const index = all.indexOf(focusedButton);
        const goal = /** @type {Record<string, HTMLButtonElement | undefined>} */ ({
            ArrowLeft: all[index - 1], ArrowRight: all[index + 1], ArrowUp: buttonInRow(-1), ArrowDown: buttonInRow(1),
            Home: all[0], End: all.at(-1),
        })[event.key];
        if (!goal) return;
        setTabStop(group, goal);
        goal.focus();
    });
    group.addEventListener("focusin", (event) => {
        if (event.target instanceof HTMLButtonElement) setTabStop(group, event.target);
    });
}

/**
 * Sets the button of a group that the Tab key reaches.
 *
 * @param {HTMLElement} group
 * @param {HTMLButtonElement | null | undefined} chosen The button. If it is not in the group, the first visible button
 * is used.
 */
export function setTabStop(group, chosen) {
    const all = buttons(group);
    const reached = chosen && all.includes(chosen) ? chosen : all[0];
    for (const button of all) button.tabIndex = button === reached ? 0 : -1;
}

/** Returns the visible buttons of a group. @param {HTMLElement} group */
function buttons(group) {
    return [...group.querySelectorAll("button")].filter((button) => !button.hidden && !button.closest("[hidden]"));
}
