// Choosing the tiles to split from a group, or a whole group to take, by finger, by dragging and by keyboard.
// The server decides what is legal. This script shows what the button will do, and why something is not possible.

import { explain, forgetSent, GUARD_MS, isSending, onSendingChange, sendMove, whyWait } from "../table/moves.js";
import { fill, find, words as tableWords } from "../table/words.js";
import { setAttribute, setText } from "../table/write-changes.js";
import { renderRaft, isAfloat, isEndOfDrag, listenForRafts } from "./raft.js";

/**
 * The texts of Animals on Board.
 * @typedef {object} AnimalsOnBoardWords
 * @property {Record<string, string>} animals
 * @property {string} tile
 * @property {string} face_down
 * @property {string} keep
 * @property {string} choose_keep
 * @property {string} choose
 * @property {string} choose_split
 * @property {string} choose_take
 * @property {string} split
 * @property {string} split_full
 * @property {string[]} take by size of the group
 * @property {string} price
 * @property {string[]} prices by size of the group
 * @property {string} dear
 * @property {string} single
 * @property {string} own_group
 * @property {string} ready
 * @property {string} forfeit
 */

const words = /** @type {import("../table/words.js").TableWords & AnimalsOnBoardWords} */ (tableWords);

/** @type {string | null} the group of the chosen tiles */
let group = null;
/** @type {Set<string>} the chosen tiles, or the one to keep, e.g. "tiger-3" */
let chosen = new Set();
/** @type {string | null} the tile that Tab leads to */
let focus = null;
/**
 * @type {{ id?: string, word?: string | null, price?: string | null, wasMine?: boolean } | null}
 *   the focus before a region is replaced
 */
let held = null;
let mineSince = 0; // when my turn began, in ms of performance.now()

const board = () => find("board");
const isPlayer = () => (board()?.dataset.seat ?? "") !== "";
const islands = () => [...document.querySelectorAll("#islands .island")];
const tiles = () => [...document.querySelectorAll("#islands .island .t, #choice .t")];
const isMine = () => find("action")?.classList.contains("mine") ?? false;
const phase = () => find("action")?.dataset.phase ?? "";
const crates = () => Number(find("action")?.dataset.crates ?? 0);
/** @param {HTMLElement} tile */
const wordOf = (tile) => tile.dataset.t ?? tile.dataset.keep ?? "";
/** @param {HTMLElement} tile */
const groupOf = (tile) => tile.closest(".island")?.dataset.group ?? null;
/** @param {string | null} number */
const sizeOf = (number) => islands()
  .find((island) => island.dataset.group === number)?.querySelectorAll(".t").length ?? 0;

/** @param {string} word */
function nameOf(word) {
  if (word === "?") return words.face_down;
  const [animal, number] = word.split("-");
  return fill(words.tile, { animal: words.animals[animal], number });
}

// --- choosing -------------------------------------------------------------------------------------

/** @param {HTMLElement} tile */
function toggle(tile) {
  explain("");
  if (isSending()) return;
  focus = wordOf(tile);
  if (tile.dataset.keep) {
    chosen = new Set([focus]);
    group = null;
  } else {
    if (groupOf(tile) !== group) drop();
    group = groupOf(tile);
    if (!chosen.delete(focus)) chosen.add(focus);
    if (!chosen.size) drop();
    if (isMine() && sizeOf(group) === 1 && crates() === 0) explain(words.single);
  }
  render();
}

/** @param {string | null} number */
function toggleAll(number) {
  if (isSending()) return;
  explain("");
  const all = islands().find((island) => island.dataset.group === number);
  const isAll = group === number && chosen.size === sizeOf(number);
  drop();
  if (!isAll && all) {
    group = number;
    chosen = new Set([...all.querySelectorAll(".t")].map(wordOf));
    if (isMine()) explain(whyNot());
  }
  render();
}

/** The chosen tiles in the order in which they lie. */
function listLeaving() {
  const all = tiles().filter((tile) => groupOf(tile) === group).map(wordOf);
  return group === null ? [] : all.filter((word) => chosen.has(word));
}

function drop() {
  group = null;
  chosen = new Set();
}

/** Why the chosen group cannot be taken; "" if it can. */
function whyNot() {
  const size = sizeOf(group);
  if (phase() === "keep" || chosen.size < size || size <= crates()) return "";
  return fill(words.dear, { count: size, crates: crates() });
}

/**
 * The move that the chosen tiles make, and the label of the button; null if they make none.
 * @returns {{ move: Move, label: string } | null}
 */
function plan() {
  if (!chosen.size) return phase() === "forfeit" ? { move: { forfeit: true }, label: words.forfeit } : null;
  if (group === null)
    return { move: { keep: [...chosen][0] }, label: fill(words.keep, { tile: nameOf([...chosen][0]) }) };
  const size = sizeOf(group);
  if (chosen.size === size) {
    return size > crates() ? null : { move: { take: Number(group) }, label: words.take[size - 1] };
  }
  const label = fill(crates() === 5 ? words.split_full : words.split, { rest: size - chosen.size, off: chosen.size });
  return { move: { split: Number(group), off: [...chosen] }, label };
}

/** Drops chosen tiles that are no longer in the group. */
function revise() {
  const left = new Set(tiles().filter((tile) => groupOf(tile) === group).map(wordOf));
  chosen = new Set([...chosen].filter((word) => left.has(word)));
  if (!chosen.size) drop();
}

// --- showing it --------------------------------------------------------------------------------------

/** Makes the tiles that the server rendered choosable, and adds a button with its price to each group. */
function equip() {
  if (!isPlayer()) return;
  for (const island of islands()) {
    const heap = /** @type {HTMLElement} */ (island.querySelector(".tiles"));
    const title = /** @type {HTMLElement} */ (island.querySelector(".v"));
    heap.removeAttribute("aria-hidden");
    heap.setAttribute("role", "group");
    heap.setAttribute("aria-label", title.textContent?.split(":")[0] ?? "");
    title.hidden = true;
    if (island.querySelector(".price")) continue;
    const price = Object.assign(document.createElement("button"), { className: "price", type: "button" });
    const size = heap.children.length;
    price.setAttribute("aria-label", fill(words.price, { group: island.dataset.group, price: words.prices[size - 1] }));
    price.innerHTML = `<i class="crate"></i> ${size}`;
    island.append(price);
  }
}

function render() {
  if (!isPlayer()) return;
  const all = tiles();
  const leaving = listLeaving();
  renderRaft(leaving.length < sizeOf(group) ? leaving : []);
  if (!all.some((tile) => wordOf(tile) === focus)) focus = all.length ? wordOf(all[0]) : null;
  for (const tile of all) {
    const word = wordOf(tile);
    const isUp = chosen.has(word) && groupOf(tile) === group;
    setAttribute(tile, "role", "button");
    setAttribute(tile, "aria-pressed", String(isUp));
    setAttribute(tile, "aria-label", nameOf(word));
    tile.classList.toggle("up", isUp);
    tile.classList.toggle("off", isUp && isAfloat());
    setAttribute(tile, "tabindex", word === focus ? "0" : "-1");
  }
  for (const island of islands()) {
    const number = island.dataset.group ?? null;
    island.classList.toggle("whole", number === group && chosen.size === sizeOf(number));
    const price = island.querySelector(".price");
    price?.classList.toggle("dear", isMine() && sizeOf(number) > crates());
    if (price) setAttribute(price, "aria-pressed", String(number === group && chosen.size === sizeOf(number)));
  }
  renderButton();
}

function idle() {
  /** @type {Record<string, string>} */
  const asked = { keep: words.choose_keep, both: words.choose, split: words.choose_split, take: words.choose_take };
  return asked[phase()];
}

function renderButton() {
  const go = find("go");
  if (!go) return;
  go.dataset.label ??= go.textContent ?? "";
  const now = plan();
  const ready = now && isMine() ? now.label : now ? fill(words.ready, { plan: now.label }) : null;
  setText(go, isSending() ? words.sending
    : (go.dataset.still ?? ready ?? (isMine() ? idle() : null) ?? go.dataset.label));
  setAttribute(go, "aria-disabled", String(isSending() || !isMine() || !now));
}

// --- doing it ----------------------------------------------------------------------------------------

function play() {
  if (isSending()) return;
  if (!isMine()) return explain(whyWait());
  if (performance.now() - mineSince < GUARD_MS) return;
  const now = plan();
  if (now) sendMove(now.move, drop);
  else explain(chosen.size ? whyNot() : (idle() ?? ""));
}

/** @param {HTMLElement | null | undefined} tile */
function stepTo(tile) {
  if (!tile) return;
  focus = wordOf(tile);
  render();
  tile.focus();
}

/** @param {number} by */
function step(by) {
  const all = tiles();
  const current = all.findIndex((tile) => wordOf(tile) === focus);
  stepTo(all[Math.max(0, Math.min(all.length - 1, current + by))]);
}

/**
 * Moves the focus to the first tile of the next group, or of the one before.
 * @param {number} by
 */
function stepGroup(by) {
  const all = islands();
  const current = all.findIndex((island) => island.contains(document.activeElement));
  stepTo(all[Math.max(0, Math.min(all.length - 1, current + by))]?.querySelector(".t"));
}

document.addEventListener("click", (event) => {
  if (isEndOfDrag()) return;
  const tile = event.target.closest("#islands .island .t, #choice .t");
  const price = event.target.closest(".price");
  if (tile && isPlayer()) toggle(tile);
  else if (price) toggleAll(price.closest(".island")?.dataset.group ?? null);
  else if (event.target.closest("#go:not([data-command])")) play();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary, a"))
    return;
  const tile = event.target.closest("#islands .island .t, #choice .t");
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };
  /** @type {Record<string, number>} */
  const groups = { ArrowUp: -1, ArrowDown: 1 };
  if (tile && event.key in steps) step(steps[event.key]);
  else if (tile && event.key in groups) stepGroup(groups[event.key]);
  else if (tile && event.key === " ") toggle(tile);
  else if (tile && event.key === "Enter") play();
  else if (tile && event.key.toLowerCase() === "g" && groupOf(tile)) toggleAll(groupOf(tile));
  else if (event.key === "Escape") (drop(), explain(""), render());
  else return;
  event.preventDefault();
});

listenForRafts({
  isOpen: () => isPlayer() && !isSending(),
  isChosen: (tile) => groupOf(tile) === group && chosen.has(wordOf(tile)),
  choose: (tile, isOn) => (groupOf(tile) === group && chosen.has(wordOf(tile))) !== isOn && toggle(tile),
  leave: () => (drop(), explain(""), render()),
  take: (number) => (drop(), toggleAll(number)),
  refuse: () => explain(words.own_group),
  listLeaving,
  render,
});

// --- when the server sends an update --------------------------------------------------------------------

const REGIONS = ["islands", "choice", "action", "board"];

document.addEventListener("menagerie:before", ({ detail }) => {
  if (!REGIONS.includes(detail.id)) return;
  const active = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
  if (detail.element.contains(active) && active !== document.body) {
    const number = active.closest(".island")?.dataset.group;
    held = { id: active.id, word: active.matches(".t") ? wordOf(active) : null,
      price: active.matches(".price") ? (number ?? null) : null };
  } else {
    held = null;
  }
  if (detail.id === "action" || detail.id === "board") held = { ...held, wasMine: isMine() };
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (!REGIONS.includes(detail.id)) return;
  if (detail.id !== "islands") forgetSent();
  if (isMine() && !held?.wasMine) mineSince = performance.now();
  if (detail.id === "action" || detail.id === "board") explain("");
  equip();
  revise();
  const then = held;
  if (then?.word && tiles().some((tile) => wordOf(tile) === then.word)) focus = then.word;
  render();
  const price = then?.price && islands().find((island) => island.dataset.group === then.price)?.querySelector(".price");
  if (then?.word) (tiles().find((tile) => wordOf(tile) === focus) ?? find("go"))?.focus();
  else if (then?.price) (price || (tiles()[0] ?? find("go")))?.focus();
  else if (then?.id) (find(then.id) ?? find("go"))?.focus();
  held = null;
});

onSendingChange(() => words.animals && render());
if (words.animals) {
  equip();
  render();
}
