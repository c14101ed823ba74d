/**
 * Gives the focus to the board when the element that has it is hidden or disabled. The browser would put it at the
 * beginning of the page, and whoever uses keys or a screen reader would have to find the way back.
 *
 * @param {() => void} focusBoard
 */
export function keepFocus(focusBoard) {
    /** @type {HTMLElement | null} What had the focus last. */
    let last = null;
    addEventListener("focusin", ({ target }) => (last = target instanceof HTMLElement ? target : null));
    // Whoever clicks beside everything has let go of the focus.
    addEventListener("pointerdown", ({ target }) => {
        if (!(target instanceof Node && last?.contains(target))) last = null;
    });
    new MutationObserver(() => {
        const { activeElement } = document;
        if (!last || (activeElement !== last && activeElement !== document.body)) return;
        if (last.checkVisibility() && !last.matches(":disabled")) return;
        last = null;
        focusBoard();
    }).observe(document.body, { subtree: true, attributeFilter: ["hidden", "disabled"] });
}
