// Keyboard focus on the table: Tab reaches one tile of all, arrow keys move between tiles.

import { setAttribute } from "../table/write-changes.js";
import { desk } from "./desk-state.js";
import { parse } from "./melds.js";

const tiles = () =>
  [...document.querySelectorAll("#melds button.t, #wardrobe button.t, #hand button.t")].filter((tile) => !tile.hidden);
/** @param {HTMLElement} tile */
const groupOf = (tile) => tile.closest(".meld, #wardrobe, #hand");
/** @param {HTMLElement} tile */
export const nameOf = (tile) => parse(tile.dataset.w ?? "").name;

export function renderFocus() {
  const all = tiles();
  if (!all.some((tile) => nameOf(tile) === desk.focus)) {
    const first = all.find((tile) => tile.closest("#hand")) ?? all[0];
    desk.focus = first ? nameOf(first) : null;
  }
  for (const tile of all) setAttribute(tile, "tabindex", nameOf(tile) === desk.focus ? "0" : "-1");
}

/**
 * @param {string} name
 * @param {{ isStill?: boolean }} [way] isStill: does not scroll, because a finger is on the tile
 */
export function focusOn(name, { isStill = false } = {}) {
  desk.focus = name;
  renderFocus();
  const tile = tiles().find((each) => nameOf(each) === desk.focus);
  if (tile !== document.activeElement) tile?.focus({ preventScroll: isStill }); // each call costs a layout
}

/**
 * @param {HTMLElement} tile
 * @param {number} by
 */
export function walk(tile, by) {
  const all = tiles();
  focusOn(nameOf(all[Math.max(0, Math.min(all.length - 1, all.indexOf(tile) + by))]));
}

/**
 * Moves the focus to the nearest card in the next group above or below.
 * @param {HTMLElement} tile
 * @param {number} by
 */
export function climb(tile, by) {
  const groups = [...new Set(tiles().map(groupOf))];
  const next = groups[groups.indexOf(groupOf(tile)) + by];
  if (!next) return;
  const box = tile.getBoundingClientRect();
  const near = (/** @type {HTMLElement} */ each) => Math.abs(each.getBoundingClientRect().left - box.left);
  const [nearest] = tiles().filter((each) => groupOf(each) === next).sort((a, b) => near(a) - near(b));
  focusOn(nameOf(nearest));
}
