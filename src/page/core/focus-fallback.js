/**
 * Moves the focus to the board when the focused element is hidden or disabled. Browsers would move
 * the focus to the beginning of the page. This is far away for users of keys or screen readers.
 *
 * @param {() => void} focusBoard
 */
export function setUpFocusFallbackToBoard(focusBoard) {
    /** @type {HTMLElement | null} The element that had the focus last. */
    let lastFocused = null;
    addEventListener("focusin", ({ target }) => (lastFocused = target instanceof HTMLElement ? target : null));
    // A click outside the focused element gives up the focus.
    addEventListener("pointerdown", ({ target }) => {
        if (!(target instanceof Node && lastFocused?.contains(target))) lastFocused = null;
    });
    new MutationObserver(() => {
        const { activeElement } = document;
        if (!lastFocused || (activeElement !== lastFocused && activeElement !== document.body)) return;
        if (lastFocused.checkVisibility() && !lastFocused.matches(":disabled")) return;
        lastFocused = null;
        focusBoard();
    }).observe(document.body, { subtree: true, attributeFilter: ["hidden", "disabled"] });
}
