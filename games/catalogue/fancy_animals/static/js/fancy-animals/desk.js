// A turn of Fancy Animals: I draft the whole table by taps, by dragging and by keyboard, until I confirm it.
// Which melds are valid and what they pay for is shown at once. The server decides.

import { asked, desk, explain, fill, find, GUARD_MS, isMine, mayDraft, say, shop, whyWait,
  words } from "./desk-state.js";
import { isEndOfDrag, listenForTileDrags } from "./tile-dragging.js";
import { begin, Draft } from "./draft.js";
import { foldForTurn } from "./folding.js";
import { renderOrder, turnOrder } from "./hand-order.js";
import { climb, focusOn, nameOf, walk } from "./keyboard-focus.js";
import { forgetDraft, storeDraft, resumeDraft } from "./draft-storage.js";
import { canReturn, findMoved, judge, makeMove, revise } from "./draft-move.js";
import { compareNumbers, parse } from "./melds.js";
import { render, renderPicked } from "./render.js";
import { expectTable, forgetChanged, markChanged, noteTable, showChanged, showTile } from "./reveal.js";
import { renderZoom, stepZoom } from "./zoom.js";

const ASK_AGAIN_MS = 400; // between two requests for a hint, which a worker computes
const MAX_TRIES = 30;

let server = "[]"; // the melds that the server last sent, as JSON
let picture = ""; // the same, as HTML
let mineSince = 0; // when my turn began, in ms of performance.now()
let laidAt = 0; // when the big button last laid a meld and got another meaning, in ms of performance.now()
let lastPly = Number(find("board")?.dataset.ply);

/** Begins a draft, or resumes the stored one; none if it is not my turn. */
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
  const rendered = [...document.querySelectorAll("#melds > .meld")].map(
    (meld) => [...meld.querySelectorAll(".t")].map((tile) => tile.dataset.w ?? ""));
  [server, picture] = [JSON.stringify(rendered), find("melds")?.innerHTML ?? ""];
  noteTable(rendered.flat().map((word) => parse(word).name), isFirst);
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
  render();
  if (spoken) say(spoken);
}

/**
 * Moves the tiles picked up to a meld (its number), to a new one (null), or back to the hand.
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
 * @param {boolean} isTouched by a finger or a mouse, so the page must not scroll
 */
function pick(name, isTouched = false) {
  if (!desk.draft || desk.isSending) return explain(whyWait());
  explain("");
  const { picked } = desk;
  desk.picked = picked.includes(name) ? picked.filter((each) => each !== name) : [...picked, name];
  desk.focus = name;
  render();
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
 * Takes a piece on offer, puts it back under its deck, or says which run pays for it.
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
 * Chooses the spot for the piece claimed, or the special rule for the set. Pressed again, it is unset.
 * @param {Draft} draft
 * @param {DOMStringMap} choice
 */
function decide(draft, { key, value = "" }) {
  const name = key === "rule" ? "rule" : "spot";
  const chosen = draft.now[name] === value ? null : value;
  change(draft, () => draft.choose({ [name]: chosen, ...(name === "rule" ? { claim: null, spot: null } : {}) }));
}

/** @type {Record<string, (draft: Draft) => unknown>} by name of a tool, what it does to the draft */
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

/** @type {Record<string, () => void>} by name of a tool, how it changes what is shown */
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
  render();
  say(spoken);
}

// --- asking the server ------------------------------------------------------------------------------------

async function ask() {
  explain(words.thinking, true);
  const then = lastPly;
  const hasMovedOn = () => lastPly !== then || desk.isSending;
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const address = `/tables/${find("board")?.dataset.table}/hint/`;
  /** @type {{ status: number, move?: any, sentence?: string, reason?: string } | null} */
  let said = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await fetch(address, { method: "POST", headers }).catch(() => null);
    said = (await answer?.json().catch(() => null)) ?? null;
    if (hasMovedOn()) return;
    if (said?.status !== 202) break;
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    if (hasMovedOn()) return; // another request would be refused
  }
  const { draft } = desk;
  if (!said || !draft) return explain(words.reconnecting);
  if (!said.move) return explain(said.sentence || words.no_hint);
  desk.picked = [];
  const before = draft.now.melds;
  change(draft, () => draft.follow(said.move));
  markChanged(findMoved(before, draft.now.melds));
  render();
  showChanged();
  explain([said.reason, words.hinted].filter(Boolean).join(" "), true);
}

/** Presses the big button: tiles picked up become a meld; without any, the draft is played. */
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
  else render();
}

/** Presses the other button: draws a card or passes. */
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
  render();
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
 * Whether the lower half of a tile was pressed, which turns a card to its other suit.
 * @param {HTMLElement} tile
 * @param {MouseEvent} event
 */
function isLowerHalf(tile, event) {
  const box = tile.getBoundingClientRect();
  return event.clientY > box.top + box.height * 0.6;
}

listenForTileDrags({ move, drop: () => ((desk.picked = []), render()), pick: renderPicked });

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

// --- when the server sends an update --------------------------------------------------------------------------

let wasMine = false;
/** @type {{ id?: string, name?: string } | null} the focus before a region is replaced */
let held = null;

document.addEventListener("menagerie:before", ({ detail }) => {
  const active = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
  if (detail.element.contains(active)) held = { id: active.id, name: active.dataset.w };
  if (detail.id === "action" || detail.id === "board") wasMine = isMine();
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "melds" || detail.id === "board") noteServer(detail.id === "board");
  if (detail.id === "board") renderZoom();
  if (detail.id === "hand") renderOrder();
});

/** After every update, because the turn may have changed, or the table that the draft began with. */
document.addEventListener("menagerie:updated", ({ detail }) => {
  if (!find("action")?.dataset.rules || find("board")?.dataset.status !== "playing") return stop();
  if (isMine() && !wasMine) mineSince = performance.now();
  const tile = document.activeElement?.closest("button.t"); // render() replaces it
  if (tile) held ??= { name: tile.dataset.w };
  if (desk.draft && mayDraft() && detail.ply === lastPly) return void (render(), refocus());
  const isLost = desk.draft?.isTouched && !desk.isSending && wasMine && detail.ply !== lastPly;
  [desk.isSending, lastPly] = [false, detail.ply];
  if (find("melds")?.querySelector("button")) restore();
  open();
  render();
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

/** Ends the draft, because the game is over. */
function stop() {
  desk.draft = null;
  forgetDraft();
}

/** Shows the table that the server sent in place of the draft. */
function restore() {
  const melds = find("melds");
  if (melds) Object.assign(melds, { innerHTML: picture, tabIndex: 0 });
}

document.addEventListener("menagerie:answered", ({ detail }) => {
  desk.isSending &&= !detail.isShown;
  if (desk.draft) render();
});

document.addEventListener("menagerie:refused", ({ detail }) => {
  desk.isSending = false;
  if (desk.draft) render();
  explain(detail.sentence);
});

if (words.clothing && find("melds")) {
  noteServer(true);
  renderZoom();
  open();
  render();
  foldForTurn();
}
