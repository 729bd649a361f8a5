// Keeps the reader's scroll position, open sections and pending choices while a club's programme, members and
// invitations are fetched again.

import { holdPosition, noteOpenDetails } from "../page/reading-position.js";

const PARTS = ["home", "programme", "people", "invited"];
/** @type {((fresh: HTMLElement) => void) | null} */
let back = null;

/** @param {HTMLOptionElement} option */
const isChanged = (option) => option.selected !== option.defaultSelected;

/**
 * Whether the reader is choosing something in this part, or has selected a link to copy it.
 * @param {HTMLElement} part
 */
function isInUse(part) {
  const focused = document.activeElement;
  const isAtField = focused && part.contains(focused) && focused.matches("select, input");
  return isAtField || [...part.querySelectorAll("option")].some(isChanged);
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap || !PARTS.includes(detail.target.id)) return;
  if (isInUse(detail.target)) detail.shouldSwap = false;
  else back = holdPosition(detail.target);
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  const fresh = document.getElementById(detail.target.id);
  if (fresh) back?.(fresh);
  back = null;
});
for (const id of PARTS) {
  const part = document.getElementById(id);
  if (part) noteOpenDetails(part);
}
