// What has changed on the table is marked, and brought into view: others' plays at my turn, a hint, my own step.

import { find } from "./desk-state.js";
import { nameOf } from "./keyboard-focus.js";

const MARGIN_PX = 10; // between what is shown and the edge of the table

/** @type {Set<string>} the names of the cards that lie on the table, as far as I have seen or laid them */
let known = new Set();
/** @type {Set<string>} those that are marked */
let marked = new Set();

/** The table, if it scrolls by itself: on an upright phone in my turn. */
export function findTable() {
  const table = find("melds");
  return table && getComputedStyle(table).overflowY === "auto" ? table : null;
}

const list = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#melds .t")]);

/**
 * What the server shows: the cards that I have not seen are marked until my next step.
 * @param {string[]} names all that lie on the table
 * @param {boolean} isFirst I have just come: nothing is news
 */
export function noteTable(names, isFirst) {
  marked = new Set(isFirst ? [] : names.filter((name) => marked.has(name) || !known.has(name)));
  known = new Set(names);
}

/**
 * What I am about to send: none of it is news when it comes back.
 * @param {string[]} names
 */
export function expectTable(names) {
  known = new Set([...known, ...names]);
  marked.clear();
}

/** @param {Iterable<string>} names */
export const markChanged = (names) => (marked = new Set(names));

export const forgetChanged = () => marked.clear();

export function drawMarks() {
  for (const tile of list()) tile.classList.toggle("fresh", marked.has(nameOf(tile)));
}

/** Brings what is marked into view, all of it if there is room. */
export function showChanged() {
  const melds = [...new Set(list().filter((tile) => marked.has(nameOf(tile))).map((tile) => tile.closest(".meld")))];
  show(melds.filter((meld) => meld !== null));
}

/**
 * Brings a card into view, with the whole meld in which it lies.
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
 * By how far a view scrolls so that a stretch lies in it; of one that is too long, its beginning.
 * @param {{ top: number, bottom: number }} part
 * @param {{ top: number, bottom: number }} view
 */
export function findWay(part, view) {
  const [above, below] = [part.top - MARGIN_PX - view.top, part.bottom + MARGIN_PX - view.bottom];
  if (above < 0) return above;
  return below > 0 ? Math.min(below, above) : 0;
}
