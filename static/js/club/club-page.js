// What a club plans, who is in it and whom it has invited is fetched anew again and again; its reader keeps his place, what he
// has unfolded, and what he is about to choose.

import { holdPosition, noteOpenDetails } from "../page/reading-position.js";

const PARTS = ["programme", "people", "invited"];
let back = null;

const isChanged = (option) => option.selected !== option.defaultSelected;

/** Whether somebody is choosing something here, or has a link marked to copy it. */
function isInUse(part) {
  const focused = document.activeElement;
  const isAtField = part.contains(focused) && focused.matches("select, input");
  return isAtField || [...part.querySelectorAll("option")].some(isChanged);
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap || !PARTS.includes(detail.target.id)) return;
  if (isInUse(detail.target)) detail.shouldSwap = false;
  else back = holdPosition(detail.target);
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  back?.(document.getElementById(detail.target.id));
  back = null;
});
for (const id of PARTS) {
  const part = document.getElementById(id);
  if (part) noteOpenDetails(part);
}
