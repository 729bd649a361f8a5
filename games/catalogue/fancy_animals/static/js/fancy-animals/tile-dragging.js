// Dragging tiles of the tailor's table: to a meld, to a new one, back to the hand.

import { listenForDrags } from "../table/dragging.js";
import { lift as copyTile } from "../table/travel.js";
import { build, desk, find } from "./desk-state.js";
import { nameOf } from "./keyboard-focus.js";
import { findTable } from "./reveal.js";

export { isEndOfDrag } from "../table/dragging.js";

const GOALS = "[data-drop], #hand, #melds, #go";
const GRIP = 0.82; // how far down the copy the finger is, so that the card is seen above it
const LARGER = 1.2; // than the card that is dragged
const MARGIN_PX = 4; // between the copy and the edge of the window

/**
 * What becomes of the tiles picked up: they go to a meld (its number), a new one (null) or back to the hand, or stay.
 * @typedef {object} Goals
 * @property {(target: number | "hand" | null) => void} move
 * @property {() => void} drop
 * @property {() => void} pick something is picked up by dragging
 */

/** @type {HTMLElement | null} what follows the finger */
let ghost = null;

/**
 * @param {Goals} goals
 */
export function listenForTileDrags({ move, drop, pick }) {
  listenForDrags({
    find: (element) => (desk.draft && !desk.isSending ? element.closest("button.t") : null),
    lift: (tile) => (lift(tile), pick()),
    move: (_, at) => {
      follow(at);
      light(document.elementFromPoint(at.x, at.y)?.closest(GOALS));
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

/** The table scrolls at its own edges; where it does not scroll by itself, the page does, above what I hold. */
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
 * The copy lies above the finger, and never outside the window.
 * @param {import("../table/dragging.js").Point} at
 */
function follow(at) {
  if (!ghost) return;
  const { offsetWidth: width, offsetHeight: height } = ghost;
  const { x, y } = placeCopy(at, { width, height }, { width: innerWidth, height: innerHeight });
  ghost.style.translate = `${x}px ${y}px`;
}

/** @typedef {{ width: number, height: number }} Size */

/**
 * Where the upper left corner of a copy of this size is drawn, for a finger at this point of the window.
 * @param {{ x: number, y: number }} at
 * @param {Size} copy
 * @param {Size} room
 */
export function placeCopy(at, copy, room) {
  const clamp = (/** @type {number} */ wish, /** @type {number} */ most) =>
    Math.max(MARGIN_PX, Math.min(wish, most - MARGIN_PX));
  return {
    x: clamp(at.x - copy.width / 2, room.width - copy.width),
    y: clamp(at.y - copy.height * GRIP, room.height - copy.height),
  };
}

/** @param {Element | null | undefined} goal */
function light(goal) {
  for (const each of document.querySelectorAll(".target")) if (each !== goal) each.classList.remove("target");
  goal?.classList.add("target");
}

/** @param {HTMLElement} tile */
function end(tile) {
  ghost?.remove();
  ghost = null;
  tile.classList.remove("lifted");
  for (const each of document.querySelectorAll(".lifted")) each.classList.remove("lifted");
  light(null);
}
