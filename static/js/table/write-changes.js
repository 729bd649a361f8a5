// Writes to the page what is not there already: the same again costs as much as a change, as parts of the page are styled
// and laid out anew.

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {HTMLElement | null | undefined} element
 * @param {string} name of a custom property
 * @param {string} value
 */
export function setProperty(element, name, value) {
  if (element && element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}
