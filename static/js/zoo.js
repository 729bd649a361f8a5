// Super Zwierzaki: choosing piles of identical cards, answering what a card asks, and the red button.
// The server decides what is legal and says so in #action; this shows it and sends the answer.

const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const find = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const GUARD_MS = 350; // what has just appeared under the finger is not pressed by mistake
const MANY = ["discard", "give"]; // phases in which several kinds are chosen

let picked = new Map(); // kind → how many; in the order of choosing
let chosen = []; // seats
let isNine = false;
let isCalling = false;
let focus = null;
let held = null;
let sending = false;
let since = 0; // when #action last asked for something else

const piles = () => [...document.querySelectorAll("#hand .k")];
const action = () => find("action");
const phase = () => action()?.dataset.phase ?? "";
const isMine = () => action()?.classList.contains("mine") ?? false;
const countOf = (kind) => Number(piles().find((pile) => pile.dataset.k === kind)?.dataset.count ?? 0);
const handSize = () => piles().reduce((sum, pile) => sum + Number(pile.dataset.count), 0);
const total = () => [...picked.values()].reduce((sum, n) => sum + n, 0);
const need = () => Number(action()?.dataset.need ?? 0);
const nameOf = (kind) => piles().find((pile) => pile.dataset.k === kind)?.dataset.name ?? "";
const fill = (template, values) => template.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
const inTurn = () => ["turn", "duel", "reaction", "win"].includes(phase());

/** Most copies of a kind that may be chosen now. */
function most(kind) {
  if (!isMine()) return 0;
  if (MANY.includes(phase())) return countOf(kind);
  if (isNine) return colourOf(kind) === "ALL" ? 0 : 1;
  const plays = action().dataset.plays;
  return plays ? (JSON.parse(plays)[kind] ?? 0) : 0;
}

const colourOf = (kind) => piles().find((pile) => pile.dataset.k === kind)?.dataset.colour;

// --- choosing ------------------------------------------------------------------------------------------

function tap(kind) {
  explain("");
  if (sending) return;
  focus = kind;
  if (!isMine()) {
    explain(words.wait);
  } else if (isNine) {
    pickNine(kind);
  } else if (!most(kind)) {
    explain(action().dataset.why || words.wait);
  } else if (MANY.includes(phase())) {
    pickOneMore(kind);
  } else {
    const now = picked.get(kind) ?? 0;
    picked = now >= most(kind) ? new Map() : new Map([[kind, now + 1]]);
  }
  draw();
}

function pickOneMore(kind) {
  const now = picked.get(kind) ?? 0;
  if (now < countOf(kind) && total() < need()) picked.set(kind, now + 1);
  else if (now) picked.delete(kind);
  else explain(fill(words.enough, { count: need() }));
}

function pickNine(kind) {
  if (picked.has(kind)) picked.delete(kind);
  else if (colourOf(kind) === "ALL") explain(words.nine_all);
  else {
    for (const other of picked.keys()) if (colourOf(other) === colourOf(kind)) picked.delete(other);
    picked.set(kind, 1);
  }
}

function pickSeat(button) {
  const seat = Number(button.dataset.seat);
  const wanted = Number(button.parentElement.dataset.choose);
  if (chosen.includes(seat)) chosen = chosen.filter((each) => each !== seat);
  else chosen = [...chosen, seat].slice(-wanted);
  draw();
}

function reset() {
  [picked, chosen, isNine, isCalling] = [new Map(), [], false, false];
  explain("");
}

// --- showing it ----------------------------------------------------------------------------------------

function draw() {
  const all = piles();
  if (!all.some((pile) => pile.dataset.k === focus)) focus = all[0]?.dataset.k ?? null;
  const order = [...picked.keys()];
  for (const pile of all) {
    const { k, count, name, does } = pile.dataset;
    const n = picked.get(k) ?? 0;
    const place = order.indexOf(k) + 1;
    pile.querySelector(".up").textContent = !n ? "" : isNine ? `${place}.` : n;
    pile.setAttribute("aria-pressed", String(n > 0));
    pile.classList.toggle("dim", isMine() && !most(k));
    pile.tabIndex = k === focus ? 0 : -1;
    const label = fill(words.pile, { count, name, group: pile.querySelector("small").textContent, colour: words.colours[pile.dataset.colour] });
    pile.setAttribute("aria-label", [label, does, n ? fill(words.chosen, { count: n }) : ""].filter(Boolean).join(", "));
  }
  for (const button of document.querySelectorAll(".wheel .person")) {
    button.setAttribute("aria-pressed", String(chosen.includes(Number(button.dataset.seat))));
  }
  drawButtons();
}

function drawButtons() {
  const go = find("go");
  if (go) {
    const move = make();
    go.textContent = sending ? words.sending : (label() ?? go.dataset.empty);
    go.setAttribute("aria-disabled", String(sending || !move));
  }
  find("nine")?.setAttribute("aria-pressed", String(isNine));
  const call = find("call");
  if (call) {
    const left = handSize() - (inTurn() || phase() === "discard" || phase() === "give" ? total() : 0);
    call.hidden = !(left === 1 && (total() > 0 || action().dataset.mayCall === "1"));
    if (call.hidden) isCalling = false;
    call.setAttribute("aria-pressed", String(isCalling));
  }
}

function label() {
  if (isNine) return fill(words.nine, { count: picked.size });
  if (MANY.includes(phase())) {
    if (phase() === "give" && total() === need() && !chosen.length) return words.to_whom;
    return fill(words[phase()], { count: total(), all: need() });
  }
  if (!picked.size) return null;
  const [[kind, count]] = picked;
  return fill(count > 1 ? words.play_many : words.play, { name: nameOf(kind), count });
}

/** The move as it stands, or null while something is missing. */
function make() {
  const copies = () => [...picked].flatMap(([kind, n]) => Array(n).fill(kind));
  const now = phase();
  if (!isMine()) return null;
  if (isNine) return picked.size === 9 ? { nine: copies() } : null;
  if (now === "discard") return total() === need() ? { discard: copies() } : null;
  if (now === "give") return total() === need() && chosen.length === 1 ? { give: copies(), to: chosen[0] } : null;
  if (now === "swap") return chosen.length === 2 ? { swap: chosen } : null;
  if (now === "name") return find("kind") ? { name: find("kind").value } : null;
  if (now === "sigma") return permutation();
  if (!picked.size) return null;
  const [[kind, n]] = picked;
  if (now === "reaction" || now === "win") return { react: kind };
  return n > 1 ? { play: kind, n } : { play: kind };
}

function permutation() {
  const rows = [...document.querySelectorAll("select.sigma")].sort((a, b) => a.dataset.seat - b.dataset.seat);
  const sigma = rows.map((row) => Number(row.value));
  const [from, to] = ["sigma-from", "sigma-to"].map((id) => Number(find(id)?.value));
  return new Set(sigma).size === sigma.length && from !== to ? { sigma, from, to } : null;
}

function explain(sentence) {
  const why = find("why");
  if (why) why.textContent = sentence;
}

// --- doing it ------------------------------------------------------------------------------------------

function send(move) {
  sending = true;
  document.dispatchEvent(new CustomEvent("menagerie:move", { detail: { move: isCalling && !move.call ? { ...move, call: true } : move } }));
  draw();
}

function go() {
  if (sending || performance.now() - since < GUARD_MS) return;
  const move = make();
  if (move) send(move);
  else if (!isMine()) explain(words.wait);
  else if (phase() === "sigma") explain(words.sigma);
  else explain(action().dataset.why || words.choose);
}

function step(by) {
  const all = piles();
  const at = all.findIndex((pile) => pile.dataset.k === focus);
  focus = all[Math.max(0, Math.min(all.length - 1, at + by))]?.dataset.k ?? null;
  draw();
  all.find((pile) => pile.dataset.k === focus)?.focus();
}

document.addEventListener("click", (event) => {
  const pile = event.target.closest("#hand .k");
  const button = event.target.closest("#action button");
  if (pile) tap(pile.dataset.k);
  else if (!button || !find("board")?.classList.contains("zoo")) return;
  else if (button.id === "go") go();
  else if (button.id === "call") (isCalling = !isCalling), draw();
  else if (button.id === "nine") (reset(), (isNine = button.getAttribute("aria-pressed") !== "true"), draw());
  else if (button.classList.contains("person")) pickSeat(button);
  else if (button.dataset.move && !sending && performance.now() - since >= GUARD_MS) send(JSON.parse(button.dataset.move));
});

document.addEventListener("change", (event) => {
  if (event.target.closest("#action")) draw();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary, a")) return;
  const pile = event.target.closest("#hand .k");
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };
  if (pile && event.key in steps) step(steps[event.key]);
  else if (pile && event.key === "Enter") go();
  else if (event.key === "Escape") (reset(), draw());
  else if (event.key.toLowerCase() === "c") shout();
  else return;
  event.preventDefault();
});

/** The red button by keyboard: say it now, or with the move. */
function shout() {
  const owed = document.querySelector("#action .owed");
  if (owed && !sending) send(JSON.parse(owed.dataset.move));
  else if (find("call") && !find("call").hidden) (isCalling = !isCalling), draw();
}

// --- when the server speaks ----------------------------------------------------------------------------

document.addEventListener("menagerie:before", ({ detail }) => {
  const active = document.activeElement;
  held = detail.element?.contains(active) ? { id: active.id, k: active.dataset.k, at: piles().indexOf(active) } : null;
  if (detail.id === "action" || detail.id === "board") held = { ...held, asked: action()?.dataset.phase, kind: find("kind")?.value };
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "heap") fly();
  if (!["hand", "action", "board"].includes(detail.id)) return;
  if (detail.id !== "hand") {
    sending = false;
    if (held?.asked !== action()?.dataset.phase) {
      since = performance.now();
      reset();
    }
  }
  for (const [kind, n] of picked) if (n > most(kind)) picked.delete(kind);
  if (held?.kind && find("kind")) find("kind").value = held.kind;
  if (held?.k) focus = countOf(held.k) ? held.k : (piles()[Math.min(held.at, piles().length - 1)]?.dataset.k ?? null);
  draw();
  if (held?.k) piles().find((pile) => pile.dataset.k === focus)?.focus();
  else if (held?.id) (find(held.id) ?? find("go") ?? document.querySelector("#action button"))?.focus();
  held = null;
});

/** The card travels from who played it. */
function fly() {
  const card = document.querySelector("#heap .z");
  const seat = find("heap")?.dataset.seat;
  const me = find("board")?.dataset.seat;
  const from = seat === me ? find("hand") : document.querySelector(`.seats li[data-seat="${seat}"] .a`);
  if (!card || !from || calm.matches || document.hidden) return;
  const [a, b] = [card.getBoundingClientRect(), from.getBoundingClientRect()];
  const way = `translate(${b.left + b.width / 2 - a.left - a.width / 2}px, ${b.top + b.height / 2 - a.top - a.height / 2}px)`;
  card.animate([{ transform: `${way} scale(0.4)`, opacity: 0.4 }, { transform: "none", opacity: 1 }], { duration: 260, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
}

document.addEventListener("menagerie:answered", ({ detail }) => {
  sending &&= !detail.isShown;
  draw();
});

document.addEventListener("menagerie:updated", () => {
  sending = false;
  draw();
});

document.addEventListener("menagerie:refused", ({ detail }) => {
  sending = false;
  draw();
  explain(detail.sentence);
});

if (words.pile) draw();
