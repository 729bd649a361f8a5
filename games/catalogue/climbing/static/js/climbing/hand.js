// My hand in a climbing game: choosing cards of one number, with jokers, by finger and by keyboard. The server decides
// what is legal. This script dims cards that cannot be played, and says why.

import { explain, forgetSent, GUARD_MS, isSending, onSendingChange, sendMove, whyWait } from "../table/moves.js";
import { fill, find, words as tableWords } from "../table/words.js";
import { setAttribute, setText } from "../table/write-changes.js";

/**
 * The texts of a climbing game.
 * @typedef {object} ClimbingWords
 * @property {string} wild the name of the joker
 * @property {boolean} wild_beats_wild
 * @property {Record<string, string[]>} cards by number, what 1, 2, … of them are called
 * @property {string} play
 * @property {string} both
 * @property {string} as
 * @property {string} pass
 * @property {string} choose
 * @property {string} ready
 * @property {string} chosen
 * @property {string} low
 * @property {string} few
 * @property {string} many
 * @property {string} top
 * @property {string} jokers
 * @property {string} lead
 */

const words = /** @type {import("../table/words.js").TableWords & ClimbingWords} */ (tableWords);

/** @typedef {[cards: number, jokers: number]} Way a way to play a number now */

/** @type {string | null} the number chosen */
let card = null;
let count = 0; // cards of that number
let wild = 0; // jokers with them, or alone
/** @type {string | null | undefined} the number of the stack that Tab leads to */
let focus = null;
/** @type {{ id?: string, n?: string, at?: number, wasMine?: boolean } | null} the focus before a region is replaced */
let held = null;
let mineSince = 0; // when my turn began, in ms of performance.now()

const buttons = () => [...document.querySelectorAll("#hand .s")];
const isMine = () => find("action")?.classList.contains("mine") ?? false;
const canPass = () => find("action")?.dataset.pass === "1";
const need = () => Number(find("middle")?.dataset.count ?? 0);
const over = () => Number(find("middle")?.dataset.number ?? 0);
/** @param {string | undefined} name */
const countOf = (name) => buttons().find((button) => button.dataset.n === name)?.children.length ?? 0;
const wilds = () => countOf(words.wild);
const chosen = () => count + wild;

// --- what can be chosen ----------------------------------------------------------------------------

/**
 * All ways to play this number now; those with fewer jokers first.
 * @param {string} name
 * @returns {Way[]}
 */
function ways(name) {
  const have = countOf(name);
  /** @type {Way[]} */
  const found = [];
  if (!need()) {
    for (let k = have; k > 0; k -= 1) found.push([k, 0]);
  } else if (Number(name) > over()) {
    for (let k = Math.min(have, need()); k > 0 && need() - k <= wilds(); k -= 1) found.push([k, need() - k]);
  }
  return found;
}

/**
 * All ways to play jokers alone.
 * @returns {Way[]}
 */
function wildWays() {
  if (!need()) return Array.from({ length: wilds() }, (_, i) => [0, i + 1]);
  const beats = words.wild_beats_wild || over() < 14;
  return beats && wilds() >= need() ? [[0, need()]] : [];
}

/** @param {string} name */
function whyNot(name) {
  if (name !== words.wild && Number(name) <= over() && over() > 13) return isWildOnTop() ? words.top : words.jokers;
  if (name !== words.wild && Number(name) <= over()) return fill(words.low, { number: name, table: over() });
  if (name === words.wild && isWildOnTop()) return words.top;
  return fill(words.few, { count: need() });
}

const findNameField = () => /** @type {HTMLInputElement | null} */ (find("name-as"));
const isWildOnTop = () => over() > 13 && !words.wild_beats_wild;

/** @param {string} name */
function tap(name) {
  explain("");
  if (isSending()) return;
  if (name === words.wild && card) addWild();
  else cycle(name);
  focus = name;
  render();
}

/** @param {string} name */
function cycle(name) {
  const isWild = name === words.wild;
  const all = isWild ? wildWays() : ways(name);
  if (!all.length) {
    explain(whyNot(name));
    return;
  }
  const isOn = isWild ? !card && wild : card === name;
  const current = isOn ? all.findIndex(([k, j]) => k === count && j === wild) : -1;
  const next = all[current + 1];
  if (isOn && !next) clear();
  else choose(isWild ? null : name, ...(next ?? all[0]));
}

function addWild() {
  if (!card) return;
  if (!need()) {
    choose(card, count, wild < wilds() ? wild + 1 : 0);
    return;
  }
  const all = ways(card);
  const current = all.findIndex(([k, j]) => k === count && j === wild);
  choose(card, ...all[(current + 1) % all.length]);
  if (all.length === 1) explain(fill(words.many, { count: need() }));
}

/**
 * @param {string | null} name
 * @param {number} cards
 * @param {number} jokers
 */
function choose(name, cards, jokers) {
  [card, count, wild] = [cards || jokers ? name : null, cards, jokers];
}

function clear() {
  choose(null, 0, 0);
  const field = findNameField();
  if (field) field.value = ""; // the number was named for the jokers that are no longer chosen
}

/** Clears the choice, if the table or the hand no longer allows it. */
function revise() {
  if (!chosen()) return;
  const all = card ? ways(card) : wildWays();
  const free = card && !need() && count <= countOf(card) && wild <= wilds();
  if (!free && !all.some(([k, j]) => k === count && j === wild)) clear();
}

// --- showing it --------------------------------------------------------------------------------------

function render() {
  const all = buttons();
  if (!all.some((button) => button.dataset.n === focus)) focus = all[0]?.dataset.n ?? null;
  for (const button of all) {
    const name = button.dataset.n ?? "";
    const isWild = name === words.wild;
    const up = isWild ? wild : name === card ? count : 0;
    [...button.children].forEach((face, i) => face.classList.toggle("up", i < up));
    const isOpen = isWild ? wildWays().length || (card ? ways(card).some(([, j]) => j) || !need() : anyTakesWild())
      : ways(name).length;
    button.classList.toggle("dim", !isOpen);
    setAttribute(button, "tabindex", name === focus ? "0" : "-1");
    setAttribute(button, "aria-pressed", String(up > 0));
    const cards = words.cards[name][button.children.length - 1];
    setAttribute(button, "aria-label", up ? fill(words.chosen, { cards, chosen: up }) : cards);
  }
  renderButton();
}

const anyTakesWild = () => buttons()
  .some((button) => button.dataset.n !== words.wild && ways(button.dataset.n ?? "").some(([, j]) => j));

function say() {
  const jokers = wild ? words.cards[words.wild][wild - 1] : "";
  if (!card) {
    const number = readNumber();
    return number ? fill(words.as, { jokers, number }) : jokers;
  }
  const cards = words.cards[card][count - 1];
  return jokers ? fill(words.both, { cards, jokers }) : cards;
}

function renderButton() {
  const go = find("go");
  const naming = find("naming");
  if (naming) {
    naming.hidden = !(wild && !card);
    const field = findNameField();
    if (field) field.min = String(Math.max(14, over() + 1));
  }
  if (!go) return;
  const label = !isMine() ? (chosen() ? fill(words.ready, { cards: say() }) : null) : chosen()
    ? fill(words.play, { cards: say() }) : canPass() ? words.pass : words.choose;
  if (go.dataset.label === undefined) go.dataset.label = go.textContent ?? "";
  setText(go, isSending() ? words.sending : (go.dataset.still ?? label ?? go.dataset.label));
  setAttribute(go, "aria-disabled", String(isSending() || !isMine() || (!chosen() && !canPass())));
  renderPass();
}

/** Shows a button to pass while cards are chosen, when the main button plays them. */
function renderPass() {
  let pass = find("pass");
  const isWanted = isMine() && canPass() && chosen() > 0;
  if (isWanted && !pass) {
    pass = Object.assign(document.createElement("button"), { id: "pass", className: "btn", textContent: words.pass });
    find("go")?.after(pass);
  } else if (!isWanted) {
    pass?.remove();
  }
}

// --- doing it ----------------------------------------------------------------------------------------

function readNumber() {
  const value = Number(findNameField()?.value);
  return wild && !card && Number.isInteger(value) && value > 13 ? value : null;
}

function play() {
  if (isSending()) return;
  if (!isMine()) return explain(whyWait());
  if (!chosen() && performance.now() - mineSince < GUARD_MS) return;
  if (!chosen()) return canPass() ? sendMove({ pass: true }) : explain(words.lead);
  const cards = [...Array(count).fill(card), ...Array(wild).fill(words.wild)];
  const number = readNumber();
  sendMove(number ? { play: cards, as: number } : { play: cards }, clear);
  find("gifts")?.removeAttribute("open");
}

function pass() {
  if (isSending() || performance.now() - mineSince < GUARD_MS) return;
  if (!isMine()) return explain(whyWait());
  if (!canPass()) return explain(words.lead);
  clear();
  sendMove({ pass: true });
}

/** @param {number} by */
function step(by) {
  const all = buttons();
  const current = all.findIndex((button) => button.dataset.n === focus);
  focus = all[Math.max(0, Math.min(all.length - 1, current + by))]?.dataset.n ?? null;
  render();
  all.find((button) => button.dataset.n === focus)?.focus();
}

document.addEventListener("click", (event) => {
  const stack = event.target.closest("#hand .s");
  if (stack) tap(stack.dataset.n ?? "");
  else if (event.target.closest("#go:not([data-command])")) play();
  else if (event.target.closest("#pass")) pass();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary, a")) {
    if (event.key === "Enter" && event.target.id === "name-as") play();
    return;
  }
  const isInHand = event.target.closest("#hand .s");
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };
  if (isInHand && event.key in steps) step(steps[event.key]);
  else if (isInHand && event.key === "Enter") play();
  else if (isInHand && /^[1-9]$/.test(event.key)) pick(isInHand.dataset.n ?? "", Number(event.key));
  else if (event.key === "Escape") (clear(), explain(""), render());
  else if (event.key.toLowerCase() === "p" && buttons().length) pass();
  else return;
  event.preventDefault();
});

/**
 * Chooses this many cards of the stack that has the focus, when its digit is pressed.
 * @param {string} name
 * @param {number} wanted
 */
function pick(name, wanted) {
  const all = name === words.wild ? wildWays() : ways(name);
  const way = all.find(([k, j]) => (k || j) === wanted);
  if (way) choose(name === words.wild ? null : name, ...way);
  else explain(all.length ? fill(words.few, { count: need() || countOf(name) }) : whyNot(name));
  render();
}

document.addEventListener("input", (event) => {
  if (event.target.id === "name-as") renderButton();
});

// --- when the server sends an update --------------------------------------------------------------------

document.addEventListener("menagerie:before", ({ detail }) => {
  const active = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
  held = detail.element.contains(active) ? { id: active.id, n: active.dataset.n, at: buttons().indexOf(active) } : null;
  if (detail.id === "action" || detail.id === "board") held = { ...held, wasMine: isMine() };
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (!["hand", "middle", "action", "board"].includes(detail.id)) return;
  if (detail.id !== "middle") forgetSent();
  if (isMine() && !held?.wasMine) mineSince = performance.now();
  if (detail.id !== "hand") explain(""); // the sentence was about the cards that lay there
  revise();
  if (held?.n)
    focus = (countOf(held.n) ? null : buttons()[Math.min(held.at ?? 0, buttons().length - 1)]?.dataset.n) ?? held.n;
  render();
  if (held?.n) buttons().find((button) => button.dataset.n === focus)?.focus();
  else if (held?.id) (find(held.id) ?? find("go"))?.focus();
  held = null;
});

onSendingChange(() => words.cards && render());
if (words.cards) render();
