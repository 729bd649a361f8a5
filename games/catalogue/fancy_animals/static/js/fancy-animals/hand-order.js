// The order of my hand: by number or by material. The choice is stored on this device.

import { recallText, remember } from "../page/device-settings.js";
import { setAttribute, setProperty } from "../table/write-changes.js";
import { desk, find, say, tool, words } from "./desk-state.js";
import { compareNumbers, compareSuits } from "./melds.js";

const WISH = "fancy-hand";

const isBySuit = () => recallText(WISH) === "suit";

/** Sorts the cards of the hand, and sets their number (--n), by which the style sheet decides how much they overlap. */
export function renderOrder() {
  const hand = find("hand");
  if (!hand) return;
  const tiles = /** @type {HTMLElement[]} */ ([...hand.querySelectorAll(".t")]);
  const compare = isBySuit() ? compareSuits : compareNumbers;
  const sorted = [...tiles].sort((first, second) => compare(first.dataset.w ?? "", second.dataset.w ?? ""));
  if (sorted.some((tile, index) => tile !== tiles[index])) hand.append(...sorted);
  // Set on the parent: htmx would copy a style attribute of the hand when it is swapped.
  setProperty(hand.parentElement, "--n", String(Math.max(2, tiles.filter((tile) => !tile.hidden).length)));
  const button = tool("sort");
  if (!button) return;
  button.disabled = tiles.length < 2;
  setAttribute(button, "title", isBySuit() ? words.sort_number : words.sort_suit);
  setAttribute(button, "aria-label", button.title);
  setAttribute(button, "data-next", isBySuit() ? "number" : "suit");
}

export function turnOrder() {
  const focused = document.activeElement;
  remember(WISH, isBySuit() ? "number" : "suit");
  renderOrder();
  if (focused instanceof HTMLElement && document.activeElement !== focused) focused.focus({ preventScroll: true });
  say(isBySuit() ? words.sorted_suit : words.sorted_number);
  desk.focus = null;
}
