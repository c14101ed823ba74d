const SVG = "http://www.w3.org/2000/svg";

/**
 * Adds attributes, event listeners (`onclick`) and children to an element.
 *
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any>} attributes A value of `undefined` or `false` omits the attribute.
 * @param {(Node | string)[]} children
 * @returns {E}
 */
function fillElement(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children);
    return element;
}

/**
 * Creates an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, ...children) {
    return fillElement(document.createElement(tag), attributes, children);
}

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
    return fillElement(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Returns the element of the page with this id.
 *
 * @template {Element} [E=HTMLElement]
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function elementById(id, type = /** @type {new () => any} */ (HTMLElement)) {
    const element = document.getElementById(id);
    if (!(element instanceof type)) throw new Error(`The page has no ${type.name} ${id}.`);
    return element;
}

/** Sets the text of an element if it changes, because screen readers read each change. @param {Element} element */
export function setText(element, /** @type {string} */ text) {
    if (element.textContent !== text) element.textContent = text;
}

/**
 * Replaces the text of a field. If the whole text was selected, the new text is also selected,
 * because the user probably wants to paste over it.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} text
 */
export function setFieldValue(field, text) {
    const { selectionStart, selectionEnd, value } = field;
    const isSelected = document.activeElement === field && selectionStart === 0 && selectionEnd === value.length;
    field.value = text;
    if (isSelected) field.select();
}

/** Offers a file for download. @param {string} text @param {string} type @param {string} name */
export function downloadFile(text, type, name) {
    const href = URL.createObjectURL(new Blob([text], { type }));
    html("a", { href, download: name }).click();
    URL.revokeObjectURL(href);
}
