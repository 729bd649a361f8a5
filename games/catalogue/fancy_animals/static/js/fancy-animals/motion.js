// Animation that explains a move: cards travel from the picture of the player who laid them, clothing from the offer to
// the player who took it.

import { arrive, depart, findFace, isStill, lift } from "../table/travel.js";

/** @type {Map<string, HTMLElement>} copies of the clothing that was on offer, by name */
let offered = new Map();
/** @type {Map<string, number>} by id of a seat's region, how many pieces its animal wore */
const worn = new Map();
/** @type {Set<string> | null} the cards on the table before this update */
let lying = null;
/** @type {string | undefined} the seat whose turn it was before this update */
let mover;

/** @param {string} id of a seat's region */
const countWorn = (id) => document.getElementById(id)?.querySelectorAll(".spot").length ?? 0;
const tiles = () => [...document.querySelectorAll("#melds .t:not(.wild)")];
/**
 * The name of a card without its orientation: it stays the same when the card is turned.
 * @param {HTMLElement} tile
 */
const nameCard = (tile) => [...(tile.dataset.w ?? "").split(":")[0]].sort().join("");

document.addEventListener("menagerie:before", ({ detail: { id } }) => {
  if (isStill()) return;
  if (id.startsWith("seat-")) {
    worn.set(id, countWorn(id));
    mover = document.querySelector(".seats li:has(.seat.on)")?.dataset.seat ?? mover;
  }
  if (id === "offer") for (const piece of document.querySelectorAll("#offer .o"))
    offered.set(piece.dataset.w ?? "", lift(piece));
  if (id === "melds") lying = new Set(tiles().map(nameCard));
});

document.addEventListener("menagerie:swapped", ({ detail: { id } }) => {
  if (id !== "offer") return;
  for (const piece of document.querySelectorAll("#offer .o")) drop(piece.dataset.w ?? "");
  const [taker] = [...worn].find(([seat, before]) => countWorn(seat) > before) ?? [];
  const doll = taker ? document.querySelector(`#${taker} .doll`) : null;
  for (const copy of offered.values()) depart(copy, doll);
  offered = new Map();
});

/** @param {string} word */
function drop(word) {
  offered.get(word)?.remove();
  offered.delete(word);
}

// Runs after desk.js has rendered the table.
document.addEventListener("menagerie:updated", () => {
  const from = mover === document.getElementById("board")?.dataset.seat ? undefined
    : findFace(mover)?.getBoundingClientRect();
  if (lying?.size && from?.width && !isStill())
    for (const tile of tiles()) if (!lying.has(nameCard(tile))) arrive(tile, from);
  [lying, mover] = [null, undefined];
  worn.clear();
});
