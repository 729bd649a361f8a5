// Builds the elements of tiles and melds, and their names for screen readers.

import { setAttribute } from "../table/write-changes.js";
import { build, desk, fill, words } from "./desk-state.js";
import { findFault, parse } from "./melds.js";

/** @typedef {import("./melds.js").Piece} Piece */

/**
 * The sentence for a fault.
 * @param {import("./melds.js").Fault} fault
 */
export const tell = (fault) =>
  fill(words.faults[fault.fault], { ...fault, suit: words.suits[fault.suit ?? ""], card: fault.card });

/** @param {Piece[]} pieces */
export function nameMeld(pieces) {
  if (new Set(pieces.map((piece) => piece.number)).size === 1) return fill(words.set, { number: pieces[0].number });
  return fill(
    words.run, { suit: words.suits[pieces[0].suit], from: pieces[0].number, to: pieces[pieces.length - 1].number });
}

/**
 * Fills a tile: two halves for the suits of a card, or the picture of clothing that is a wild.
 * @param {HTMLButtonElement} tile
 * @param {Piece} piece
 */
function face(tile, piece) {
  const other = piece.suits.find((suit) => suit !== piece.suit);
  tile.dataset.w = piece.word;
  tile.className = `t a${piece.suit} ${piece.wild ? "wild" : `b${other}`}`;
  tile.append(build("b", { textContent: String(piece.number || "?") }));
  if (piece.wild) tile.append(build("i", { className: `w ${piece.name.split("-")[0]} m${piece.suit}` }));
  return tile;
}

/**
 * Builds a tile that can be picked up.
 * @param {Piece} piece
 */
export function buildTile(piece) {
  const tile = face(build("button", { type: "button" }), piece);
  if (desk.draft?.isOwn(piece.name)) tile.classList.add("own");
  mark(tile, piece);
  return tile;
}

/**
 * Sets a tile's name, and marks whether it is picked up.
 * @param {HTMLElement} tile
 * @param {Piece} piece
 */
export function mark(tile, piece) {
  const isPicked = desk.picked.includes(piece.name);
  const suit = words.suits[piece.suit];
  const other = words.suits[piece.suits.find((each) => each !== piece.suit) ?? ""];
  const wild = () => fill(words.wild, { clothing: words.clothing[piece.name].name, number: piece.number, suit });
  const plain = piece.wild ? wild() : fill(words.card, { number: piece.number, suit, other });
  const label = desk.draft?.isOwn(piece.name) && tile.closest("#melds") ? fill(words.mine, { card: plain }) : plain;
  tile.classList.toggle("picked", isPicked);
  setAttribute(tile, "aria-pressed", String(isPicked));
  setAttribute(tile, "aria-label", isPicked ? fill(words.picked, { card: label }) : label);
}

/**
 * Builds a meld of the draft: its tiles, and what is wrong with it.
 * @param {string[]} meld
 * @param {string} why
 */
export function buildMeld(meld, why) {
  const pieces = meld.map(parse);
  const box = build("div", { className: "meld" });
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", why ? fill(words.broken, { fault: why }) : nameMeld(pieces));
  box.classList.toggle("changed", !desk.draft?.first.melds.some((first) => first.join() === meld.join()));
  box.classList.toggle("bad", Boolean(why));
  box.append(...pieces.map(buildTile));
  if (why) box.append(build("p", { className: "fault", textContent: why }));
  return box;
}

/**
 * Updates a meld whose tiles have not changed: its number, which tiles are picked up, and the place to drop others.
 * @param {HTMLElement} box
 * @param {string[]} meld
 * @param {number} number its index in the draft
 */
export function updateMeld(box, meld, number) {
  const pieces = meld.map(parse);
  box.dataset.drop = String(number);
  for (const tile of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".t")))
    mark(tile, parse(tile.dataset.w ?? ""));
  box.querySelector(".drop")?.remove();
  if (desk.picked.length && !pieces.every((piece) => desk.picked.includes(piece.name)))
    box.append(buildDrop(number, pieces));
}

/**
 * @param {number} number index of the meld in the draft
 * @param {Piece[]} pieces
 */
function buildDrop(number, pieces) {
  const drop = build("button", { className: "drop", type: "button", title: words.here });
  const { draft, picked } = desk;
  const added = draft?.now && picked.length ? draft.preview(picked, number) : null;
  drop.classList.toggle("fits", Boolean(added && draft && !findFault(added, draft.rules)));
  drop.dataset.drop = String(number);
  drop.setAttribute("aria-label", `${words.here}: ${nameMeld(pieces)}`);
  return drop;
}
