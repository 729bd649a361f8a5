// Writes to the page only what differs: writing the same value again would make the browser compute styles and layout
// again.

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
