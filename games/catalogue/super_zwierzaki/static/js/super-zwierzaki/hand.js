// Super Zwierzaki: choosing piles of identical cards, answering what a card asks, and the red button.
// The server decides what is legal and puts it into #action. This script shows it and sends the answer.

import { explain, forgetSent, GUARD_MS, isSending, onSendingChange, sendMove, whyWait } from "../table/moves.js";
import { readServerClock } from "../table/server-clock.js";
import { fill, find, words as tableWords } from "../table/words.js";
import { setAttribute, setText } from "../table/write-changes.js";
import { call, compose, isPossible, isSeveral, most, pick, plan, total } from "./choice.js";

/**
 * The texts of Super Zwierzaki.
 * @typedef {object} ZooWords
 * @property {Record<string, string>} colours
 * @property {string} pile
 * @property {string} chosen
 * @property {string} play
 * @property {string} play_many
 * @property {string} nine
 * @property {string} nine_all
 * @property {string} discard
 * @property {string} give
 * @property {string} to_whom
 * @property {string} enough
 * @property {string} sigma
 * @property {string} choose
 * @property {string} cry
 * @property {string} shame
 * @property {string} plan
 * @property {string} plan_many
 * @property {string} planned
 * @property {string} planned_many
 * @property {string} planned_draw
 * @property {string} plan_lost
 * @property {string} plan_call
 * @property {string} held
 * @property {string} tells
 */

const words = /** @type {import("../table/words.js").TableWords & ZooWords} */ (tableWords);

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {import("./choice.js").Picked} */
let picked = new Map();
/** @type {number[]} the seats of the players chosen */
let chosen = [];
let isNine = false;
let isCalling = false;
/** @type {Move | null} the move that is made as soon as it is my turn */
let planned = null;
let holdTimer = 0; // sends that I let a window pass, see letPass
let holding = ""; // the window that I let pass, by its end
/** @type {string | null} */
let focus = null;
/** @type {{ id: string, k?: string, at: number } | null} the focus before a region is replaced */
let held = null;
let since = 0; // when #action began to ask for something else, in ms of performance.now()
let answering = ""; // the phase in which the cards were chosen
/** @type {Map<string | undefined, string>} the values chosen in the lists of #action */
const entered = new Map();

const buttons = () => [...document.querySelectorAll("#hand .k")];
const action = () => find("action");
const phase = () => action()?.dataset.phase ?? "";
const isStill = () => "still" in (find("go")?.dataset ?? {}); // the table is paused; the choice is kept meanwhile
const isMine = () => action()?.classList.contains("mine") ?? false;
const inTurn = () => ["turn", "duel", "reaction", "win"].includes(phase());

/** @returns {import("./choice.js").Asked} */
const asked = () => ({
  mine: isMine(),
  phase: phase(),
  need: Number(action()?.dataset.need ?? 0),
  plays: JSON.parse(action()?.dataset.plays || "{}"),
  nine: isNine,
  plans: "plan" in (action()?.dataset ?? {}) && !planned,
});

/** @param {HTMLElement} button */
const readPile = ({ dataset: { k = "", count, colour = "", name = "" } }) =>
  ({ kind: k, count: Number(count), colour, name });

/** My piles by kind. */
const piles = () => new Map(buttons().map(readPile).map((pile) => [pile.kind, pile]));
const handSize = () => [...piles().values()].reduce((sum, { count }) => sum + count, 0);

// --- choosing ------------------------------------------------------------------------------------------

/** @param {string} kind */
function tap(kind) {
  explain("");
  tellCard(buttons().find((pile) => pile.dataset.k === kind));
  if (isSending()) return;
  if (!isMine()) planned = null; // another choice replaces it
  focus = kind;
  const now = asked();
  const { picked: after, wrong } = pick(now, picked, piles(), kind);
  picked = after;
  if (wrong === "why") explain(action()?.dataset.why || whyWait());
  else if (wrong === "wait") explain(whyWait());
  else if (wrong) explain(fill(words[/** @type {"enough" | "nine_all"} */ (wrong)], { count: now.need }));
  render();
}

/** @param {HTMLElement} button */
function pickSeat(button) {
  const seat = Number(button.dataset.seat);
  const wanted = Number(button.parentElement?.dataset.choose);
  if (chosen.includes(seat)) chosen = chosen.filter((each) => each !== seat);
  else chosen = [...chosen, seat].slice(-wanted);
  render();
}

function reset() {
  [picked, chosen, isNine, isCalling] = [new Map(), [], false, false];
  entered.clear();
  explain("");
  tellCard(null);
}

/**
 * Shows above the buttons what the card does; nothing for a card without a function.
 * @param {HTMLElement | null | undefined} card
 */
function tellCard(card) {
  const line = document.querySelector("#tells span");
  if (!line) return;
  const { mark = "", does = "" } = card?.dataset ?? {};
  setText(line, does ? fill(words.tells, { mark, does }) : "");
}

// --- showing it ----------------------------------------------------------------------------------------

function render() {
  const [all, mine, now] = [buttons(), piles(), asked()];
  if (focus === null || !mine.has(focus)) focus = all[0]?.dataset.k ?? null;
  const order = [...picked.keys()];
  for (const pile of all) {
    const { k = "", count, name, does } = pile.dataset;
    const n = picked.get(k) ?? 0;
    const place = order.indexOf(k) + 1;
    const up = pile.querySelector(".up");
    if (up) setText(up, !n ? "" : isNine ? `${place}.` : String(n));
    setAttribute(pile, "aria-pressed", String(n > 0));
    setAttribute(pile, "data-chosen", String(n));
    const own = mine.get(k);
    pile.classList.toggle("dim", now.mine && !(own && most(now, own)));
    pile.classList.toggle("planned", !now.mine && planned?.play === k);
    setAttribute(pile, "tabindex", k === focus ? "0" : "-1");
    const label = fill(words.pile, { count, name, group: pile.querySelector("small")?.textContent,
      colour: words.colours[pile.dataset.colour ?? ""] });
    setAttribute(
      pile, "aria-label", [label, does, n ? fill(words.chosen, { count: n }) : ""].filter(Boolean).join(", "));
  }
  for (const button of document.querySelectorAll(".wheel .person")) {
    button.setAttribute("aria-pressed", String(chosen.includes(Number(button.dataset.seat))));
  }
  renderButtons();
}

function renderButtons() {
  const go = find("go");
  if (go) {
    setText(go, isSending() ? words.sending : (go.dataset.still ?? label() ?? go.dataset.empty ?? ""));
    setAttribute(go, "aria-disabled", String(isSending() || !(make() || planned || plan(asked(), picked))));
    go.classList.toggle("planned", planned !== null && !isMine());
  }
  const draw = find("plan-draw");
  if (draw) draw.hidden = planned !== null || picked.size > 0;
  find("nine")?.setAttribute("aria-pressed", String(isNine));
  const call = find("call");
  if (call) {
    const left = handSize() - (inTurn() || isSeveral(phase()) || asked().plans ? total(picked) : 0);
    call.hidden = planned !== null || !(left === 1 && (total(picked) > 0 || action()?.dataset.mayCall === "1"));
    if (call.hidden) isCalling = false;
    call.setAttribute("aria-pressed", String(isCalling));
  }
}

function label() {
  const { mine, plans, nine, phase, need } = asked();
  if (planned && !mine) return sayPlan(planned, "planned");
  const wish = plans ? plan(asked(), picked) : null;
  if (wish) return sayPlan(wish, "plan");
  if (nine) return fill(words.nine, { count: picked.size });
  if (isSeveral(phase)) {
    if (phase === "give" && total(picked) === need && !chosen.length) return words.to_whom;
    return fill(words[/** @type {"discard" | "give"} */ (phase)], { count: total(picked), all: need });
  }
  if (!picked.size) return null;
  const [[kind, count]] = picked;
  return fill(count > 1 ? words.play_many : words.play, { name: piles().get(kind)?.name ?? "", count });
}

/**
 * @param {Move} move
 * @param {"plan" | "planned"} how
 */
function sayPlan(move, how) {
  if (!("play" in move)) return words.planned_draw;
  const { n = 1, play } = /** @type {{ play: string, n?: number }} */ (move);
  const [single, several] =
    how === "plan" ? [words.plan, words.plan_many] : [words.planned, words.planned_many];
  return fill(n > 1 ? several : single, { name: piles().get(play)?.name ?? "", count: n });
}

const make = () => compose(asked(), picked, { seats: chosen, kind: readField("kind"), deal: readDeal() });

const readField = (/** @type {string} */ id) => /** @type {HTMLSelectElement | null} */ (find(id))?.value;

/** Which hand goes to which seat, as chosen in the lists. */
function readDeal() {
  /** @type {NodeListOf<HTMLSelectElement>} */
  const lists = document.querySelectorAll("select.sigma");
  const rows = [...lists].sort((first, second) => Number(first.dataset.seat) - Number(second.dataset.seat));
  const [from, to] = ["sigma-from", "sigma-to"].map((id) => Number(readField(id)));
  return { sigma: rows.map((row) => Number(row.value)), from, to };
}

// --- doing it ------------------------------------------------------------------------------------------

/**
 * @param {Move} move
 * @param {() => void} [onTaken]
 */
const answer = (move, onTaken) => sendMove(isCalling ? call(phase(), move) : move, onTaken);

function go() {
  if (isSending() || performance.now() - since < GUARD_MS) return;
  if (!isMine() && (planned || plan(asked(), picked))) return togglePlan(plan(asked(), picked));
  const move = make();
  if (move) answer(move, reset);
  else if (!isMine()) explain(whyWait());
  else if (phase() === "sigma") explain(words.sigma);
  else explain(action()?.dataset.why || words.choose);
}

/**
 * Plans a move that is made as soon as it is my turn, or cancels the plan.
 * @param {Move | null} move
 */
function togglePlan(move) {
  const wish = move && isCalling ? call("turn", move) : move;
  planned = planned ? null : wish;
  reset();
  render();
}

/** Makes the planned move when my turn has come, if it is still possible, and forgets it. */
function runPlan() {
  if (!planned || !isMine() || isStill() || phase() !== "turn") return;
  const move = planned;
  planned = null;
  const moves = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#action [data-move]")]);
  const offered = moves.map((button) => JSON.parse(button.dataset.move ?? "{}"));
  if (!isPossible(asked(), move, offered)) explain(words.plan_lost);
  else if (document.querySelector("#action .owed") && !("call" in move)) explain(words.plan_call);
  else sendMove(move, reset);
  render();
}

/**
 * Lets a window pass. This is sent when the server would have done it for me, so that nobody learns that I could have
 * reacted. Until then I can still react.
 * @param {Move} move
 */
function letPass(move) {
  const wait = Number(action()?.dataset.hold) - readServerClock();
  if (!(wait > 0)) return press(move);
  holding = action()?.dataset.hold ?? "";
  explain(words.held);
  clearTimeout(holdTimer);
  holdTimer = window.setTimeout(() => {
    if (holding && holding === action()?.dataset.hold && !isSending()) press(move);
    holding = "";
  }, wait);
  renderHeld();
}

/** Marks the button whose move is held back as chosen. */
function renderHeld() {
  const isHeld = holding !== "" && holding === action()?.dataset.hold;
  document.querySelector('#action [data-move*="decline"]')?.classList.toggle("held", isHeld);
}

/** @param {number} by */
function step(by) {
  const all = buttons();
  const current = all.findIndex((pile) => pile.dataset.k === focus);
  focus = all[Math.max(0, Math.min(all.length - 1, current + by))]?.dataset.k ?? null;
  render();
  all.find((pile) => pile.dataset.k === focus)?.focus();
}

/**
 * Sends the move of a button. A call alone does not clear the choice.
 * @param {Move} move
 */
const press = (move) => answer(move, move.call ? undefined : reset);

document.addEventListener("click", (event) => {
  const pile = event.target.closest("#hand .k");
  const button = event.target.closest("#action button");
  if (pile) tap(pile.dataset.k ?? "");
  else if (!button || !find("board")?.classList.contains("super-zwierzaki")) return;
  else if (button.id === "go") go();
  else if (button.id === "plan-draw") togglePlan({ draw: true });
  else if (button.id === "call") (isCalling = !isCalling), render();
  else if (button.id === "nine") (reset(), (isNine = button.getAttribute("aria-pressed") !== "true"), render());
  else if (button.classList.contains("person")) pickSeat(button);
  else if (button.dataset.move && !isSending() && performance.now() - since >= GUARD_MS)
    choose(JSON.parse(button.dataset.move));
});

/** @param {Move} move that has a button of its own */
function choose(move) {
  holding = "";
  if ("decline" in move && action()?.dataset.hold) letPass(move);
  else press(move);
}

// Shows what a card does when it gets the focus; for the card on the heap, when it is pressed.
document.addEventListener("focusin", ({ target }) => {
  const card = /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest("#hand .k") : null);
  if (card) tellCard(card);
});
document.addEventListener("click", ({ target }) => {
  const card = /** @type {HTMLElement | null} */ (target.closest("#heap .z"));
  if (card) tellCard(card);
});

/** @param {HTMLElement} list */
const nameOf = (list) => list.id || list.dataset.seat;

document.addEventListener("change", ({ target }) => {
  if (!target.closest("#action")) return;
  entered.set(nameOf(target), target.value);
  render();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary, a"))
    return;
  const pile = event.target.closest("#hand .k");
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };
  if (pile && event.key in steps) step(steps[event.key]);
  else if (pile && event.key === "Enter") go();
  else if (event.key === "Escape") (reset(), render());
  else if (event.key.toLowerCase() === "c") pressRedButton();
  else return;
  event.preventDefault();
});

/** Presses the red button by keyboard: calls now, or with the next move. */
function pressRedButton() {
  const owed = document.querySelector("#action .owed");
  if (owed?.dataset.move && !isSending()) answer(JSON.parse(owed.dataset.move));
  else if (find("call")?.hidden === false) (isCalling = !isCalling), render();
}

// --- when the server sends an update --------------------------------------------------------------------

document.addEventListener("menagerie:before", ({ detail }) => {
  const active = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
  held = detail.element.contains(active) ? { id: active.id, k: active.dataset.k, at: buttons().indexOf(active) } : null;
});

/** Clears the choice when #action asks for something else, and restores the values of its lists. */
function readQuestion() {
  if (answering !== phase()) {
    const isChosenBefore = answering === "" && phase() === "turn"; // a choice made while others played is kept
    [answering, since] = [phase(), performance.now()];
    if (!isChosenBefore) reset();
  }
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("#action select")))
    list.value = entered.get(nameOf(list)) ?? list.value;
}

/** Drops the part of the choice that is no longer possible. */
function revise() {
  isNine &&= Boolean(find("nine"));
  const [mine, now] = [piles(), asked()];
  picked = new Map(
    [...picked].filter(([kind, n]) => {
      const pile = mine.get(kind);
      return pile && n <= most(now, pile);
    }),
  );
}

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "heap") fly();
  if (!["hand", "action", "board"].includes(detail.id)) return;
  if (detail.id !== "hand") forgetSent();
  if (detail.id !== "hand" && !isStill()) readQuestion();
  if (!isStill()) revise();
  const mine = piles();
  if (held?.k) focus = mine.has(held.k) ? held.k : (buttons()[Math.min(held.at, mine.size - 1)]?.dataset.k ?? null);
  render();
  renderHeld();
  if (held?.k) buttons().find((pile) => pile.dataset.k === focus)?.focus();
  else if (held?.id) (find(held.id) ?? find("go") ?? document.querySelector("#action button"))?.focus();
  held = null;
});

document.addEventListener("menagerie:updated", runPlan);

/** Animates the card on the heap from the player who played it. */
function fly() {
  const card = document.querySelector("#heap .z");
  const seat = find("heap")?.dataset.seat;
  const me = find("board")?.dataset.seat;
  const from = seat === me ? find("hand") : document.querySelector(`.seats li[data-seat="${seat}"] .a`);
  if (!card || !from || calm.matches || document.hidden) return;
  const [a, b] = [card.getBoundingClientRect(), from.getBoundingClientRect()];
  const way =
    `translate(${b.left + b.width / 2 - a.left - a.width / 2}px, ${b.top + b.height / 2 - a.top - a.height / 2}px)`;
  card.animate([{ transform: `${way} scale(0.4)`, opacity: 0.4 }, { transform: "none", opacity: 1 }],
    { duration: 260, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
}

// --- calls, and calls that were forgotten ----------------------------------------------------------------

const SAID_MS = 3500; // how long a bubble is shown
let known = 0; // lines of the log before the update

document.addEventListener("menagerie:before", ({ detail }) => {
  if (detail.id === "log") known = find("log")?.children.length ?? 0;
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id !== "log" || !words.shame) return;
  for (const line of /** @type {HTMLElement[]} */ ([...(find("log")?.children ?? [])]).slice(known)) {
    if (line.dataset.seat) showBubble(line.dataset.seat, line.className);
  }
});

/**
 * Shows a bubble at a player's seat. It is hidden from screen readers, which read the line of the log.
 * @param {string} seat
 * @param {string} kind
 */
function showBubble(seat, kind) {
  const place = document.querySelector(`.seats li[data-seat="${seat}"]`);
  const text = kind === "shame" ? words.shame : words.cry;
  const bubble = Object.assign(document.createElement("i"), { className: `bubble ${kind}`, textContent: text });
  bubble.setAttribute("aria-hidden", "true");
  place?.querySelector(".bubble")?.remove();
  place?.append(bubble);
  setTimeout(() => bubble.remove(), SAID_MS);
}

onSendingChange(() => words.pile && render());
if (words.pile) {
  answering = phase();
  render();
}
