// Replaces regions of the page by those that the server sends, found by their id.

/**
 * @template {keyof TableEvents} K
 * @param {K} type
 * @param {TableEvents[K]["detail"]} detail
 */
export const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

/** @param {HTMLElement} part */
export function swapRegion(part) {
  const old = document.getElementById(part.id);
  if (!old) return;
  const html = part.outerHTML;
  tell("menagerie:before", { id: part.id, element: old, html });
  if ("append" in part.dataset) {
    old.append(...part.children);
  } else if (old.outerHTML !== html) {
    window.htmx.swap(old, html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
  }
  tell("menagerie:swapped", { id: part.id, element: document.getElementById(part.id) });
}

/**
 * Parses an update. Returns the element that holds its regions, with the version and ply as attributes.
 * @param {string} html
 */
export function parseUpdate(html) {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  return /** @type {HTMLElement | null} */ (parsed.content.firstElementChild);
}
