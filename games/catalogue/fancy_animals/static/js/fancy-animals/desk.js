// The tailor's table: a draft of the whole table, by taps, by dragging and by keyboard, until I confirm it.
// What is a meld and what it pays for is said at once; the server decides.

import { asked, desk, explain, fill, find, GUARD_MS, isMine, mayDraft, say, shop, whyWait,
  words } from "./desk-state.js";
import { isEndOfDrag, listenForTileDrags } from "./tile-dragging.js";
import { begin, Draft } from "./draft.js";
import { foldForTurn } from "./folding.js";
import { drawOrder, turnOrder } from "./hand-order.js";
import { climb, focusOn, nameOf, walk } from "./keyboard-focus.js";
import { forgetDraft, storeDraft, resumeDraft } from "./draft-storage.js";
import { canReturn, findMoved, judge, makeMove, revise } from "./draft-move.js";
import { compareNumbers, parse } from "./melds.js";
import { draw, drawPicked } from "./render.js";
import { expectTable, forgetChanged, markChanged, noteTable, showChanged, showTile } from "./reveal.js";
import { drawZoom, stepZoom } from "./zoom.js";

const ASK_AGAIN_MS = 400; // a hint is looked for on a worker
const MAX_TRIES = 30;

let server = "[]"; // the table as the server last drew it
let picture = ""; // the same, as html
let mineSince = 0;
let laidAt = 0; // since then the big button that laid a meld says something else under the finger
let lastPly = Number(find("board")?.dataset.ply);

/** A draft for what the server shows now, as I left it if I was at it; none if the game does not wait for me. */
function open() {
  desk.picked = [];
  const { top } = asked();
  desk.draft = mayDraft() && top ? beginDraft(top) : null;
  resumeDraft(desk.draft, lastPly);
}

/** @param {number} top */
function beginDraft(top) {
  const { active, worn } = asked();
  const rules = { top, loop: active.includes("loop"), mix: active.includes("mix") };
  const hand = [...document.querySelectorAll("#hand .t")].map((tile) => tile.dataset.w ?? "").sort(compareNumbers);
  return new Draft(begin(JSON.parse(server), hand, worn), rules);
}

function noteServer(isFirst = false) {
  const drawn = [...document.querySelectorAll("#melds > .meld")].map(
    (meld) => [...meld.querySelectorAll(".t")].map((tile) => tile.dataset.w ?? ""));
  [server, picture] = [JSON.stringify(drawn), find("melds")?.innerHTML ?? ""];
  noteTable(drawn.flat().map((word) => parse(word).name), isFirst);
}

// --- changing the draft ----------------------------------------------------------------------------------

/**
 * @param {Draft} draft
 * @param {() => void} work
 * @param {string} [spoken]
 */
function change(draft, work, spoken) {
  explain("");
  forgetChanged();
  work();
  revise(draft, shop());
  storeDraft(draft, lastPly);
  draw();
  if (spoken) say(spoken);
}

/**
 * What is picked up goes to a meld (its number), a new one (null), or back to the hand.
 * @param {number | "hand" | null} target
 */
function move(target) {
  const { draft, picked: names } = desk;
  if (!draft || !names.length) return;
  desk.picked = [];
  change(draft, () =>
    (target === "hand" ? draft.takeBack(names) || explain(words.all_own) : draft.place(names, target)), words.moved);
  focusOn(names[0], { isStill: true });
  showTile(names[0]);
}

/**
 * @param {string} name
 * @param {boolean} isTouched by a finger or a mouse: nothing scrolls away under it
 */
function pick(name, isTouched = false) {
  if (!desk.draft || desk.isSending) return explain(whyWait());
  explain("");
  const { picked } = desk;
  desk.picked = picked.includes(name) ? picked.filter((each) => each !== name) : [...picked, name];
  desk.focus = name;
  draw();
  focusOn(name, { isStill: isTouched });
}

/** @param {string} name */
function flip(name) {
  const { draft } = desk;
  if (!draft || desk.isSending) return;
  const lying = () => draft.now.melds.flat().find((word) => parse(word).name === name);
  if (!lying()) return pick(name);
  change(draft, () => draft.flip(name));
  const piece = parse(lying() ?? name);
  say(fill(words.flipped, { card: `${piece.number} ${words.suits[piece.suit]}` }));
  focusOn(name);
}

/** @param {string} name */
function split(name) {
  const { draft } = desk;
  if (draft) change(draft, () => draft.split(name));
  focusOn(name);
}

/**
 * A piece on offer: it is taken, put back under its deck, or says what it takes.
 * @param {string} slug
 */
function choosePiece(slug) {
  const { draft } = desk;
  if (!draft || desk.isSending) return explain(draft ? words.sending : whyWait());
  const { claim, back } = draft.now;
  const { name, suit, length } = words.clothing[slug];
  /** @param {Partial<import("./draft.js").Step>} what */
  const choose = (what) => change(draft, () => draft.choose({ claim: null, spot: null, back: null, ...what }));
  const isPaid = document.querySelector(`#offer .o[data-w="${slug}"]`)?.classList.contains("paid");
  const { played } = draft;
  if (claim === slug) return choose(canReturn(draft, shop()) ? { back: slug } : {});
  if (back === slug) return choose({});
  if (isPaid) return choose({ claim: slug, rule: null });
  if (canReturn(draft, shop()) && played.length) return choose({ back: slug });
  const longest = judge(draft).reach[suit];
  explain(
    played.length ? fill(words.unpaid, { clothing: name, suit: words.suits[suit], length, longest }) : words.none);
}

/**
 * A chip: a spot for the claim, or the special rule for the set; pressed again it is none.
 * @param {Draft} draft
 * @param {DOMStringMap} choice
 */
function decide(draft, { key, value = "" }) {
  const name = key === "rule" ? "rule" : "spot";
  const chosen = draft.now[name] === value ? null : value;
  change(draft, () => draft.choose({ [name]: chosen, ...(name === "rule" ? { claim: null, spot: null } : {}) }));
}

/** @type {Record<string, (draft: Draft) => unknown>} what the tools of the desk do */
const DEEDS = {
  new: () => move(null),
  home: () => move("hand"),
  flip: () => desk.picked.length === 1 && flip(desk.picked[0]),
  split: () => desk.picked.length === 1 && split(desk.picked.splice(0)[0]),
  undo: (draft) => draft.undo() && settle(draft, words.undone),
  redo: (draft) => draft.redo() && settle(draft, words.redone),
  reset: (draft) => change(draft, () => ((desk.picked = []), draft.reset()), words.undone),
  hint: () => ask(),
};

/** @type {Record<string, () => void>} what changes only how the table and the hand are shown */
const LOOKS = { sort: turnOrder, smaller: () => stepZoom(-1), larger: () => stepZoom(1) };

/**
 * @param {Draft} draft
 * @param {string} spoken
 */
function settle(draft, spoken) {
  desk.picked = [];
  explain("");
  forgetChanged();
  storeDraft(draft, lastPly);
  draw();
  say(spoken);
}

// --- asking the server ------------------------------------------------------------------------------------

async function ask() {
  explain(words.thinking, true);
  const then = lastPly;
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const address = `/tables/${find("board")?.dataset.table}/hint/`;
  /** @type {{ status: number, move?: any, sentence?: string, reason?: string } | null} */
  let said = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await fetch(address, { method: "POST", headers }).catch(() => null);
    said = (await answer?.json().catch(() => null)) ?? null;
    if (lastPly !== then || desk.isSending) return; // it was for another table
    if (said?.status !== 202) break;
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
  }
  const { draft } = desk;
  if (!said || !draft) return explain(words.reconnecting);
  if (!said.move) return explain(said.sentence || words.no_hint);
  desk.picked = [];
  const before = draft.now.melds;
  change(draft, () => draft.follow(said.move));
  markChanged(findMoved(before, draft.now.melds));
  draw();
  showChanged();
  explain([said.reason, words.hinted].filter(Boolean).join(" "), true);
}

/** The big button: what is picked up becomes a meld; with nothing picked up, the draft is played. */
function press() {
  const { draft } = desk;
  if (desk.isSending) return;
  if (!isMine() || !draft) return explain(whyWait());
  if (performance.now() - laidAt < GUARD_MS) return;
  if (desk.picked.length) {
    laidAt = performance.now();
    return move(null);
  }
  if (!draft.isTouched) return explain(words.none);
  const made = makeMove(draft, shop());
  if (made) send(draft, made);
  else draw();
}

/** The other button: a card is drawn, or the turn is passed. */
function giveUp() {
  const { draft } = desk;
  if (desk.isSending) return;
  if (!isMine() || !draft) return explain(whyWait());
  if (draft.isTouched) return explain(words.begun);
  if (performance.now() - mineSince < GUARD_MS) return;
  const made = makeMove(draft, shop());
  if (made) send(draft, made);
}

/**
 * @param {Draft} draft
 * @param {Move} made
 */
function send(draft, made) {
  desk.picked = [];
  desk.isSending = true;
  expectTable(draft.now.melds.flat().map((word) => parse(word).name));
  draw();
  document.dispatchEvent(new CustomEvent("menagerie:move", { detail: { move: made } }));
}

// --- fingers and keys ---------------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const { target } = event;
  if (isEndOfDrag()) return;
  const drop = target.closest("#melds button[data-drop]");
  const tile = target.closest("button.t");
  const deed = target.closest("[data-do]");
  const piece = target.closest("#offer .o");
  const choice = target.closest("#choices [data-key]");
  if (drop) move(drop.dataset.drop === "new" ? null : Number(drop.dataset.drop));
  else if (tile && event.detail && isLowerHalf(tile, event) && tile.closest("#melds")) flip(nameOf(tile));
  else if (tile) pick(nameOf(tile), event.detail > 0);
  else if (deed?.dataset.do && deed.dataset.do in LOOKS) LOOKS[deed.dataset.do]();
  else if (deed?.dataset.do && desk.draft) DEEDS[deed.dataset.do](desk.draft);
  else if (piece) choosePiece(piece.dataset.w ?? "");
  else if (choice && desk.draft) decide(desk.draft, choice.dataset);
  else if (target.closest("#draw")) giveUp();
  else if (target.closest("#go:not([data-command])")) press();
});

/**
 * A card shows its two suits as two halves: a tap on the lower one turns it.
 * @param {HTMLElement} tile
 * @param {MouseEvent} event
 */
function isLowerHalf(tile, event) {
  const box = tile.getBoundingClientRect();
  return event.clientY > box.top + box.height * 0.6;
}

listenForTileDrags({ move, drop: () => ((desk.picked = []), draw()), pick: drawPicked });

document.addEventListener("keydown", (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  const isRedo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y";
  if (desk.draft && (isUndo || isRedo)) {
    DEEDS[isRedo || event.shiftKey ? "redo" : "undo"](desk.draft);
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary, a"))
    return;
  const tile = event.target.closest("button.t");
  if (handleKey(event.key, tile)) event.preventDefault();
});

/** @type {Record<string, string>} */
const KEYS = { n: "new", h: "home", Backspace: "home", u: "undo", r: "redo" };
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };

/**
 * @param {string} key
 * @param {HTMLElement | null} tile
 */
function handleKey(key, tile) {
  if (key === "Escape" && desk.draft) return (settle(desk.draft, ""), true);
  if (key === "+" || key === "-") return (stepZoom(key === "+" ? 1 : -1), true);
  if (desk.draft && key in KEYS) return (DEEDS[KEYS[key]](desk.draft), true);
  if (!tile) return false;
  const meld = tile.closest(".meld");
  if (key in STEPS) walk(tile, STEPS[key]);
  else if (key === "ArrowUp" || key === "ArrowDown") climb(tile, key === "ArrowUp" ? -1 : 1);
  else if (key === "f") flip(nameOf(tile));
  else if (key === "s" && desk.draft) split(nameOf(tile));
  else if (key === "Enter" && desk.picked.length && meld && !desk.picked.includes(nameOf(tile)))
    move(Number(meld.dataset.drop));
  else return false;
  return true;
}

// --- when the server speaks ----------------------------------------------------------------------------------

let wasMine = false;
/** @type {{ id?: string, name?: string } | null} what had the focus before a swap */
let held = null;

document.addEventListener("menagerie:before", ({ detail }) => {
  const active = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
  if (detail.element.contains(active)) held = { id: active.id, name: active.dataset.w };
  if (detail.id === "action" || detail.id === "board") wasMine = isMine();
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "melds" || detail.id === "board") noteServer(detail.id === "board");
  if (detail.id === "board") drawZoom();
  if (detail.id === "hand") drawOrder();
});

/** After every update: who is to act may have changed, and with it what a draft could mean. */
document.addEventListener("menagerie:updated", ({ detail }) => {
  if (!find("action")?.dataset.rules || find("board")?.dataset.status !== "playing") return stop();
  if (isMine() && !wasMine) mineSince = performance.now();
  const tile = document.activeElement?.closest("button.t"); // drawing the draft puts another one in its place
  if (tile) held ??= { name: tile.dataset.w };
  if (desk.draft && mayDraft() && detail.ply === lastPly) return void (draw(), refocus());
  const isLost = desk.draft?.isTouched && !desk.isSending && wasMine && detail.ply !== lastPly;
  [desk.isSending, lastPly] = [false, detail.ply];
  if (find("melds")?.querySelector("button")) restore();
  open();
  draw();
  explain(isLost ? words.lost : "");
  refocus();
  if (!isMine()) return;
  foldForTurn();
  showChanged();
});

function refocus() {
  if (held) (held.name ? focusOn(parse(held.name).name) : (find(held.id ?? "") ?? find("go"))?.focus());
  held = null;
}

/** Nothing is left to draft. */
function stop() {
  desk.draft = null;
  forgetDraft();
}

/** The table as the server drew it, in place of my draft of it. */
function restore() {
  const melds = find("melds");
  if (melds) Object.assign(melds, { innerHTML: picture, tabIndex: 0 });
}

document.addEventListener("menagerie:answered", ({ detail }) => {
  desk.isSending &&= !detail.isShown;
  if (desk.draft) draw();
});

document.addEventListener("menagerie:refused", ({ detail }) => {
  desk.isSending = false;
  if (desk.draft) draw();
  explain(detail.sentence);
});

if (words.clothing && find("melds")) {
  noteServer(true);
  drawZoom();
  open();
  draw();
  foldForTurn();
}
