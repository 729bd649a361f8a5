// Marks what has changed on the table and scrolls it into view: the others' plays, a hint, my own step.

import { find } from "./desk-state.js";
import { nameOf } from "./keyboard-focus.js";

const MARGIN_PX = 10; // between a meld scrolled into view and the edge of the table

/** @type {Set<string>} the names of the cards on the table that I have seen or laid */
let known = new Set();
/** @type {Set<string>} the names of the cards that are marked */
let marked = new Set();

/** The table, if it scrolls by itself, as on an upright phone in my turn; otherwise null. */
export function findTable() {
  const table = find("melds");
  return table && getComputedStyle(table).overflowY === "auto" ? table : null;
}

const list = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#melds .t")]);

/**
 * Notes the cards on the table. Those that I have not seen are marked until my next step.
 * @param {string[]} names of all cards on the table
 * @param {boolean} isFirst the page has just loaded, so nothing is new
 */
export function noteTable(names, isFirst) {
  marked = new Set(isFirst ? [] : names.filter((name) => marked.has(name) || !known.has(name)));
  known = new Set(names);
}

/**
 * Notes the table that I am about to send, so that nothing on it is new when it comes back.
 * @param {string[]} names
 */
export function expectTable(names) {
  known = new Set([...known, ...names]);
  marked.clear();
}

/** @param {Iterable<string>} names */
export const markChanged = (names) => (marked = new Set(names));

export const forgetChanged = () => marked.clear();

export function renderMarks() {
  for (const tile of list()) tile.classList.toggle("fresh", marked.has(nameOf(tile)));
}

/** Scrolls the melds with marked cards into view, all of them if there is room. */
export function showChanged() {
  const melds = [...new Set(list().filter((tile) => marked.has(nameOf(tile))).map((tile) => tile.closest(".meld")))];
  show(melds.filter((meld) => meld !== null));
}

/**
 * Scrolls a card into view, with its whole meld.
 * @param {string} name
 */
export function showTile(name) {
  const meld = list().find((tile) => nameOf(tile) === name)?.closest(".meld");
  if (meld) show([meld]);
}

/** @param {Element[]} parts */
function show(parts) {
  if (!parts.length) return;
  const table = findTable();
  if (!table) {
    for (const part of [...parts].reverse()) part.scrollIntoView({ block: "nearest" });
    return;
  }
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const { top, bottom } = table.getBoundingClientRect();
  const [first, last] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  table.scrollBy(0, findWay({ top: first, bottom: last }, { top, bottom }));
}

/**
 * By how many pixels to scroll so that a part is in view; the beginning of a part that is too long.
 * @param {{ top: number, bottom: number }} part
 * @param {{ top: number, bottom: number }} view
 */
export function findWay(part, view) {
  const [above, below] = [part.top - MARGIN_PX - view.top, part.bottom + MARGIN_PX - view.bottom];
  if (above < 0) return above;
  return below > 0 ? Math.min(below, above) : 0;
}
