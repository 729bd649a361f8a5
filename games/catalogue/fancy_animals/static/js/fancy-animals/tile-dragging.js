// Dragging tiles to a meld, to a new one, or back to the hand.

import { listenForDrags } from "../table/dragging.js";
import { lift as copyTile } from "../table/travel.js";
import { build, desk, find } from "./desk-state.js";
import { nameOf } from "./keyboard-focus.js";
import { findTable } from "./reveal.js";

export { isEndOfDrag } from "../table/dragging.js";

const GOALS = "[data-drop], #hand, #melds, #go";
const GRIP = 0.82; // where the finger is on the copy, as a share of its height: the card is seen above the finger
const LARGER = 1.2; // the size of the copy, as a multiple of the card's
const MARGIN_PX = 4; // between the copy and the edge of the window

/**
 * Callbacks for the tiles picked up: `move` to a meld (its number), a new one (null) or the hand; `drop` in place.
 * @typedef {object} Goals
 * @property {(target: number | "hand" | null) => void} move
 * @property {() => void} drop
 * @property {() => void} pick called when a drag has picked tiles up
 */

/** @type {HTMLElement | null} the copy that follows the finger */
let ghost = null;

/**
 * @param {Goals} goals
 */
export function listenForTileDrags({ move, drop, pick }) {
  listenForDrags({
    find: (element) => (desk.draft && !desk.isSending ? element.closest("button.t") : null),
    lift: (tile) => (lift(tile), pick()),
    move: (_, pointer) => {
      follow(pointer);
      highlight(document.elementFromPoint(pointer.x, pointer.y)?.closest(GOALS));
    },
    drop: (tile, under) => {
      end(tile);
      const goal = under?.closest(GOALS);
      land(goal?.dataset.drop ?? goal?.id, { move, drop });
    },
    cancel: (tile) => (end(tile), drop()),
    tap: () => {},
    findEdges,
  });
}

/**
 * @param {string | undefined} target
 * @param {Pick<Goals, "move" | "drop">} goals
 */
function land(target, { move, drop }) {
  if (target === "hand") move("hand");
  else if (target === "melds" || target === "new" || target === "go") move(null);
  else if (target !== undefined) move(Number(target));
  else drop();
}

/** The edges that scroll: those of the table, or, if it does not scroll by itself, of the page above my hand. */
function findEdges() {
  const table = find("melds")?.getBoundingClientRect();
  if (!table) return null;
  const own = findTable();
  if (own) return { top: table.top, bottom: table.bottom, scroll: (/** @type {number} */ by) => own.scrollBy(0, by) };
  const tray = document.querySelector(".tray")?.getBoundingClientRect();
  const isBelow = tray && tray.top > innerHeight / 4 && tray.top < innerHeight;
  return isBelow ? { top: 0, bottom: tray.top, scroll: (/** @type {number} */ by) => scrollBy(0, by) } : null;
}

/** @param {HTMLElement} tile */
function lift(tile) {
  const name = nameOf(tile);
  if (!desk.picked.includes(name)) desk.picked = [name];
  const size = parseFloat(getComputedStyle(tile).width) * LARGER;
  ghost = copyTile(tile, "--tw");
  ghost.classList.remove("held", "picked");
  ghost.classList.add("ghost");
  ghost.tabIndex = -1;
  ghost.style.setProperty("--tw", `${size}px`);
  Object.assign(ghost.style, { left: "0", top: "0", width: `${size}px`, height: `${size * 1.4}px`, margin: "0" });
  if (desk.picked.length > 1) ghost.append(build("em", { textContent: String(desk.picked.length) }));
  for (const each of document.querySelectorAll("#melds .t, #hand .t, #wardrobe .t"))
    each.classList.toggle("lifted", desk.picked.includes(nameOf(each)));
}

/**
 * Moves the copy above the finger, inside the window.
 * @param {import("../table/dragging.js").Point} pointer
 */
function follow(pointer) {
  if (!ghost) return;
  const { offsetWidth: width, offsetHeight: height } = ghost;
  const { x, y } = placeCopy(pointer, { width, height }, { width: innerWidth, height: innerHeight });
  ghost.style.translate = `${x}px ${y}px`;
}

/** @typedef {{ width: number, height: number }} Size */

/**
 * The upper left corner of a copy of this size, for a finger at this point of the window; all in CSS pixels.
 * @param {{ x: number, y: number }} pointer
 * @param {Size} copy
 * @param {Size} room
 */
export function placeCopy(pointer, copy, room) {
  const clamp = (/** @type {number} */ wish, /** @type {number} */ most) =>
    Math.max(MARGIN_PX, Math.min(wish, most - MARGIN_PX));
  return {
    x: clamp(pointer.x - copy.width / 2, room.width - copy.width),
    y: clamp(pointer.y - copy.height * GRIP, room.height - copy.height),
  };
}

/** @param {Element | null | undefined} goal */
function highlight(goal) {
  for (const each of document.querySelectorAll(".target")) if (each !== goal) each.classList.remove("target");
  goal?.classList.add("target");
}

/** @param {HTMLElement} tile */
function end(tile) {
  ghost?.remove();
  ghost = null;
  tile.classList.remove("lifted");
  for (const each of document.querySelectorAll(".lifted")) each.classList.remove("lifted");
  highlight(null);
}
