// Tiles and melds as the desk draws them, and what they are called.

import { setAttribute } from "../table/write-changes.js";
import { build, desk, fill, words } from "./desk-state.js";
import { findFault, parse } from "./melds.js";

/** @typedef {import("./melds.js").Piece} Piece */

/**
 * A fault in words.
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
 * The outside of a tile: its suits as two halves, or the clothing that is a wild.
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
 * A tile that can be picked up.
 * @param {Piece} piece
 */
export function buildTile(piece) {
  const tile = face(build("button", { type: "button" }), piece);
  if (desk.draft?.isOwn(piece.name)) tile.classList.add("own");
  mark(tile, piece);
  return tile;
}

/**
 * What it is called, and whether it is picked up.
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
 * A meld of the draft: its tiles, and what is wrong with it.
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
 * What may change while the meld stays: its number, which of its tiles are picked up, a place to put those of others.
 * @param {HTMLElement} box
 * @param {string[]} meld
 * @param {number} at
 */
export function updateMeld(box, meld, at) {
  const pieces = meld.map(parse);
  box.dataset.drop = String(at);
  for (const tile of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".t")))
    mark(tile, parse(tile.dataset.w ?? ""));
  box.querySelector(".drop")?.remove();
  if (desk.picked.length && !pieces.every((piece) => desk.picked.includes(piece.name)))
    box.append(buildDrop(at, pieces));
}

/**
 * @param {number} at
 * @param {Piece[]} pieces
 */
function buildDrop(at, pieces) {
  const drop = build("button", { className: "drop", type: "button", title: words.here });
  const { draft, picked } = desk;
  const added = draft?.now && picked.length ? draft.preview(picked, at) : null;
  drop.classList.toggle("fits", Boolean(added && draft && !findFault(added, draft.rules)));
  drop.dataset.drop = String(at);
  drop.setAttribute("aria-label", `${words.here}: ${nameMeld(pieces)}`);
  return drop;
}
