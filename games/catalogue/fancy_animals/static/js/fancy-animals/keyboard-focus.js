// The focus on the desk: one stop for all tiles, arrows between them.

import { setAttribute } from "../table/write-changes.js";
import { desk } from "./desk-state.js";
import { parse } from "./melds.js";

const tiles = () =>
  [...document.querySelectorAll("#melds button.t, #wardrobe button.t, #hand button.t")].filter((tile) => !tile.hidden);
/** @param {HTMLElement} tile */
const groupOf = (tile) => tile.closest(".meld, #wardrobe, #hand");
/** @param {HTMLElement} tile */
export const nameOf = (tile) => parse(tile.dataset.w ?? "").name;

export function drawFocus() {
  const all = tiles();
  if (!all.some((tile) => nameOf(tile) === desk.focus)) {
    const first = all.find((tile) => tile.closest("#hand")) ?? all[0];
    desk.focus = first ? nameOf(first) : null;
  }
  for (const tile of all) setAttribute(tile, "tabindex", nameOf(tile) === desk.focus ? "0" : "-1");
}

/**
 * @param {string} name
 * @param {{ isStill?: boolean }} [way] isStill: nothing scrolls, as a finger is on it
 */
export function focusOn(name, { isStill = false } = {}) {
  desk.focus = name;
  drawFocus();
  const tile = tiles().find((each) => nameOf(each) === desk.focus);
  if (tile !== document.activeElement) tile?.focus({ preventScroll: isStill }); // costs a layout of the page
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
 * To the card nearest in the next group above or below.
 * @param {HTMLElement} tile
 * @param {number} by
 */
export function climb(tile, by) {
  const groups = [...new Set(tiles().map(groupOf))];
  const next = groups[groups.indexOf(groupOf(tile)) + by];
  if (!next) return;
  const box = tile.getBoundingClientRect();
  const near = (/** @type {HTMLElement} */ each) => Math.abs(each.getBoundingClientRect().left - box.left);
  focusOn(nameOf(tiles().filter((each) => groupOf(each) === next).sort((one, other) => near(one) - near(other))[0]));
}
