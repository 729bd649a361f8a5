// The order of my hand: by number or by material. The browser remembers it.

import { recallText, remember } from "../page/device-settings.js";
import { setAttribute, setProperty } from "../table/write-changes.js";
import { desk, find, say, tool, words } from "./desk-state.js";
import { compareNumbers, compareSuits } from "./melds.js";

const WISH = "fancy-hand";

const isBySuit = () => recallText(WISH) === "suit";

/** Puts the cards of the hand in the order of my wish; how many of them are shown decides how closely they lie. */
export function drawOrder() {
  const hand = find("hand");
  if (!hand) return;
  const tiles = /** @type {HTMLElement[]} */ ([...hand.querySelectorAll(".t")]);
  const compare = isBySuit() ? compareSuits : compareNumbers;
  const sorted = [...tiles].sort((one, other) => compare(one.dataset.w ?? "", other.dataset.w ?? ""));
  if (sorted.some((tile, at) => tile !== tiles[at])) hand.append(...sorted);
  // Not on the hand itself: what is swapped by its id may not have a style of its own
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
  drawOrder();
  if (focused instanceof HTMLElement && document.activeElement !== focused) focused.focus({ preventScroll: true });
  say(isBySuit() ? words.sorted_suit : words.sorted_number);
  desk.focus = null;
}
