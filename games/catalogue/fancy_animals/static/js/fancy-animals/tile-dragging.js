// Dragging tiles of the tailor's table: to a meld, to a new one, back to the hand.

import { listenForDrags } from "../table/dragging.js";
import { desk } from "./desk-state.js";
import { nameOf } from "./keyboard-focus.js";

export { isEndOfDrag } from "../table/dragging.js";

const GOALS = "[data-drop], #hand, #melds";

/**
 * What becomes of the tiles picked up: they go to a meld (its number), a new one (null) or back to the hand, or stay.
 * @typedef {object} Goals
 * @property {(target: number | "hand" | null) => void} move
 * @property {() => void} drop
 */

/** @type {HTMLElement | null} what follows the finger */
let ghost = null;

/**
 * @param {Goals} goals
 */
export function listenForTileDrags({ move, drop }) {
  listenForDrags({
    find: (element) => (desk.draft && !desk.isSending ? element.closest("button.t") : null),
    lift,
    move: (way, at) => {
      if (ghost) ghost.style.translate = `${way.x}px ${way.y}px`;
      light(document.elementFromPoint(at.x, at.y)?.closest(GOALS));
    },
    drop: (tile, under) => {
      end(tile);
      const goal = under?.closest(GOALS);
      land(goal?.dataset.drop ?? goal?.id, { move, drop });
    },
    cancel: (tile) => (end(tile), drop()),
    tap: () => {},
  });
}

/**
 * @param {string | undefined} target
 * @param {Goals} goals
 */
function land(target, { move, drop }) {
  if (target === "hand") move("hand");
  else if (target === "melds" || target === "new") move(null);
  else if (target !== undefined) move(Number(target));
  else drop();
}

/** @param {HTMLElement} tile */
function lift(tile) {
  const name = nameOf(tile);
  if (!desk.picked.includes(name)) desk.picked = [name];
  const box = tile.getBoundingClientRect();
  ghost = /** @type {HTMLElement} */ (tile.cloneNode(true));
  ghost.classList.add("flying", "ghost");
  Object.assign(
    ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(ghost);
  tile.classList.add("lifted");
}

/** @param {Element | null | undefined} goal */
function light(goal) {
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
  goal?.classList.add("target");
}

/** @param {HTMLElement} tile */
function end(tile) {
  ghost?.remove();
  ghost = null;
  tile.classList.remove("lifted");
  light(null);
}
