// Dragging tiles off their island: they follow the finger on a raft. Dropped on the water, the raft lies beside the
// islands until the split is confirmed. Dropped on my ark, the whole island is taken; dropped on the island, they stay.

import { isDragging, listenForDrags } from "../table/dragging.js";

export { isEndOfDrag } from "../table/dragging.js";

/**
 * Callbacks of islands.js for dragged tiles.
 * @typedef {object} Quay
 * @property {() => boolean} isOpen
 * @property {(tile: HTMLElement) => boolean} isChosen
 * @property {(tile: HTMLElement, isOn: boolean) => void} choose
 * @property {() => void} leave
 * @property {(group: string | null) => void} take
 * @property {() => string[]} listLeaving
 * @property {() => void} refuse
 * @property {() => void} render
 */

/** @type {HTMLElement | null} the raft that follows the finger */
let raft = null;
/** The centre of the tile when it was picked up, in CSS pixels, and whether it was chosen before. */
let start = { x: 0, y: 0, wasChosen: false };
let isMoored = false; // the raft lies on the water

const moored = () => document.querySelector("#islands > .raft");
/** @param {string} word */
const sourceOf = (word) => /** @type {HTMLElement} */ (document.querySelector(`#islands .island .t[data-t="${word}"]`));
/**
 * The tile on the island that a tile stands for: itself, or for a copy on the raft its original.
 * @param {HTMLElement} tile
 */
const homeOf = (tile) => (tile.dataset.raft ? sourceOf(tile.dataset.raft) : tile);
export const isAfloat = () => Boolean(raft) || isMoored;

/**
 * Builds a raft with copies of these tiles, in this order.
 * @param {"div" | "li"} kind
 * @param {string[]} list
 * @returns {HTMLElement}
 */
function build(kind, list) {
  const made = Object.assign(document.createElement(kind), { className: "raft" });
  made.setAttribute("aria-hidden", "true");
  for (const word of list) {
    const source = sourceOf(word);
    const tile = Object.assign(document.createElement("i"), { textContent: source.textContent });
    tile.className = [...source.classList].filter((name) => !["up", "off", "held"].includes(name)).join(" ");
    tile.dataset.raft = word;
    made.append(tile);
  }
  return made;
}

/**
 * Renders the raft that lies on the water beside the islands, as the new island will be. Without tiles there is none.
 * @param {string[]} list
 */
export function renderRaft(list) {
  if (isDragging()) return;
  moored()?.remove();
  isMoored &&= list.length > 0;
  if (isMoored) document.getElementById("islands")?.append(build("li", list));
}

/** @param {Quay} quay */
export function listenForRafts(quay) {
  listenForDrags({
    find: (element) => (quay.isOpen() ? element.closest("#islands .t") : null),
    lift: (tile) => lift(quay, tile),
    move: (way) => {
      if (raft) raft.style.translate = `calc(${start.x + way.x}px - 50%) calc(${start.y + way.y}px - 50%)`;
    },
    drop: (tile, under) => {
      end();
      settle(quay, tile, under);
      quay.render();
    },
    cancel: () => (end(), quay.render()),
    // A tap on a tile of the raft puts it back
    tap: (tile) => void (tile.dataset.raft && quay.choose(homeOf(tile), false)),
  });
}

/**
 * @param {Quay} quay
 * @param {HTMLElement} tile
 */
function lift(quay, tile) {
  const home = homeOf(tile);
  const box = tile.getBoundingClientRect();
  start = { x: box.left + box.width / 2, y: box.top + box.height / 2, wasChosen: quay.isChosen(home) };
  if (!start.wasChosen) quay.choose(home, true);
  raft = build("div", quay.listLeaving());
  raft.classList.add("flying");
  document.body.append(raft);
  moored()?.classList.add("lifted"); // not removed, because that would end the drag
  quay.render();
}

function end() {
  raft?.remove();
  raft = null;
}

/**
 * Does what dropping the tile here means.
 * @param {Quay} quay
 * @param {HTMLElement} tile
 * @param {Element | null} under
 */
function settle(quay, tile, under) {
  const isFromRaft = Boolean(tile.dataset.raft);
  const source = homeOf(tile);
  const [home, island] = [source.closest(".island"), under?.closest(".island")];
  if (island && island === home) return isFromRaft ? quay.leave() : quay.choose(source, false);
  if (island) return (quay.choose(source, start.wasChosen), quay.refuse());
  if (under?.closest("#ark, .seats li.at-0")) return quay.take(home?.dataset.group ?? null);
  isMoored = true;
}
