// Tiles that leave their island by hand: on a raft they follow the finger, and let go on the water they lie beside
// the islands until the split is confirmed. Dragged onto my ark the whole island is taken; dragged back they stay.

import { isDragging, listenForDrags } from "../table/dragging.js";

export { isEndOfDrag } from "../table/dragging.js";

/**
 * What can be done with the tiles of the islands.
 * @typedef {object} Quay
 * @property {() => boolean} isOpen
 * @property {(tile: HTMLElement) => boolean} isChosen
 * @property {(tile: HTMLElement, isOn: boolean) => void} choose
 * @property {() => void} leave
 * @property {(group: string | null) => void} take
 * @property {() => string[]} listLeaving
 * @property {() => void} refuse
 * @property {() => void} draw
 */

/** @type {HTMLElement | null} what follows the finger */
let raft = null;
/** Where it was picked up, and whether the tile was chosen before. */
let start = { x: 0, y: 0, wasChosen: false };
let isMoored = false; // the raft lies on the water

const moored = () => document.querySelector("#islands > .raft");
/** @param {string} word */
const sourceOf = (word) => /** @type {HTMLElement} */ (document.querySelector(`#islands .island .t[data-t="${word}"]`));
/**
 * The tile of an island that is meant: itself, or the one it stands for on the raft.
 * @param {HTMLElement} tile
 */
const homeOf = (tile) => (tile.dataset.raft ? sourceOf(tile.dataset.raft) : tile);
export const isAfloat = () => Boolean(raft) || isMoored;

/**
 * The raft with these tiles, in their order.
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
 * Moors the raft, if one lies on the water, beside the islands: as it will be. Without tiles that leave there is none.
 * @param {string[]} list
 */
export function drawRaft(list) {
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
      quay.draw();
    },
    cancel: () => (end(), quay.draw()),
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
  moored()?.classList.add("lifted"); // removed, it would take the finger with it
  quay.draw();
}

function end() {
  raft?.remove();
  raft = null;
}

/**
 * What letting go here means.
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
