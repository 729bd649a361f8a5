// The draft on the screen: melds and what is wrong with them, hand, wardrobe, offer, choices, tools, button.

import { setAttribute, setText } from "../table/write-changes.js";
import { asked, build, buildBare, desk, explain, fill, find, isMine, shop, tool, words } from "./desk-state.js";
import { drawOrder } from "./hand-order.js";
import { drawFocus } from "./keyboard-focus.js";
import { findRuleSet, isPaid, judge, makeMove, spotsFor } from "./draft-move.js";
import { parse } from "./melds.js";
import { drawMarks } from "./reveal.js";
import { buildMeld, buildTile, mark, tell, updateMeld } from "./tiles.js";

/** @typedef {import("./draft.js").Draft} Draft */

/** @typedef {import("./draft-move.js").Verdict} Verdict */

export function draw() {
  if (!find("melds")) return; // the game is over
  const { draft } = desk;
  const part = find("desk");
  if (part) part.hidden = !draft;
  if (!draft) return drawIdle();
  const verdict = judge(draft);
  drawMelds(draft, verdict);
  drawMarks();
  drawHand(draft);
  drawWardrobe(draft);
  drawOffer(draft, verdict);
  drawChoices(draft);
  drawTools(draft);
  drawGo(draft, verdict);
  drawFocus();
}

const need = (/** @type {string} */ id) => /** @type {HTMLElement} */ (find(id));

/** Not my turn: the table is a picture, the hand waits. */
function drawIdle() {
  for (const tile of document.querySelectorAll("#hand .t")) {
    Object.assign(tile, { hidden: false, tabIndex: tile.dataset.w === desk.focus ? 0 : -1 });
    tile.classList.remove("picked");
    tile.setAttribute("aria-pressed", "false");
  }
  drawOrder();
  drawMarks();
  for (const piece of document.querySelectorAll("#offer .o")) drawPiece(piece, "");
  const choices = find("choices");
  if (choices) choices.hidden = true;
  drawFocus();
  const go = find("go");
  if (go && desk.isSending) go.textContent = words.sending;
}

/** What depends on what is picked up, while a finger still holds it. */
export function drawPicked() {
  const { draft } = desk;
  if (!draft) return;
  document.querySelector("#melds > .new")?.classList.remove("idle");
  drawTools(draft);
  drawGo(draft, judge(draft));
}

/**
 * @param {Draft} draft
 * @param {Verdict} verdict
 */
function drawMelds(draft, { faults, orphan }) {
  const box = need("melds");
  const children = /** @type {HTMLElement[]} */ ([...box.children]);
  const kept = new Map(children.map((child) => [drawn.get(child), child]));
  /** @type {(key: string, make: () => HTMLElement) => HTMLElement} */
  const keep = (key, make) => {
    const part = kept.get(key) ?? make();
    drawn.set(part, key);
    return part;
  };
  const all = draft.now.melds.map((meld, i) => {
    const why = whyNot(draft, meld, faults[i], orphan);
    const isOld = draft.first.melds.some((first) => first.join() === meld.join());
    return keep(JSON.stringify([meld, why, isOld]), () => buildMeld(meld, why));
  });
  const fresh = keep("new", buildNew);
  fresh.classList.toggle("idle", !desk.picked.length); // it keeps its place, so that no meld moves when it appears
  const bare = all.length ? [] : [keep("bare", buildBare)];
  arrangeChildren(box, [...bare, ...all, fresh]);
  draft.now.melds.forEach((meld, i) => updateMeld(all[i], meld, i));
  box.removeAttribute("tabindex");
}

/** @type {WeakMap<HTMLElement, string>} by part of the table, what it was drawn for: the same is not drawn anew */
const drawn = new WeakMap();

function buildNew() {
  const fresh = build("button", { className: "meld drop new", type: "button", textContent: words.new });
  fresh.dataset.drop = "new";
  return fresh;
}

/**
 * These are the children of the box, in this order; those that stay where they are keep the focus.
 * @param {HTMLElement} box
 * @param {HTMLElement[]} parts
 */
function arrangeChildren(box, parts) {
  for (const child of [...box.children]) if (!parts.includes(/** @type {HTMLElement} */ (child))) child.remove();
  parts.forEach((part, at) => part !== box.children[at] && box.insertBefore(part, box.children[at] ?? null));
}

/**
 * What is wrong with this meld; also a wild in it that has left a number without a card.
 * @param {Draft} draft
 * @param {string[]} meld
 * @param {import("./melds.js").Fault | null} fault
 * @param {string | null} orphan
 */
function whyNot(draft, meld, fault, orphan) {
  if (fault) return tell(fault);
  const before = draft.first.melds.flat();
  /** @param {import("./melds.js").Piece} piece */
  const isMoved = (piece) => piece.wild && !before.includes(piece.word) && !draft.wilds.includes(piece.name);
  return orphan && meld.map(parse).some(isMoved) ? fill(words.faults.wild, { card: orphan }) : "";
}

/** @param {Draft} draft */
function drawHand(draft) {
  for (const tile of document.querySelectorAll("#hand .t")) {
    const word = tile.dataset.w ?? "";
    tile.hidden = !draft.now.hand.includes(word);
    mark(tile, parse(word));
  }
  drawOrder();
}

/**
 * The clothes that could be wilds: of each pile the uppermost.
 * @param {Draft} draft
 */
function drawWardrobe(draft) {
  const box = need("wardrobe");
  const tops = Object.values(draft.now.worn).flatMap((pile) => pile.slice(-1));
  if (tops.length || box.firstChild) box.replaceChildren(...tops.map(buildHome));
  box.hidden = !tops.length;
}

/** @param {string} name */
function buildHome(name) {
  const tile = buildTile({ ...parse(`${name}:0`), word: name });
  const label = fill(words.wild_home, { clothing: words.clothing[name].name });
  const number = tile.querySelector("b");
  if (number) number.textContent = String(words.clothing[name].points);
  tile.classList.add("home");
  tile.setAttribute("aria-label", desk.picked.includes(name) ? fill(words.picked, { card: label }) : label);
  return tile;
}

/**
 * @param {Draft} draft
 * @param {Verdict} verdict
 */
function drawOffer(draft, verdict) {
  const { claim, back } = draft.now;
  for (const piece of document.querySelectorAll("#offer .o")) {
    const slug = piece.dataset.w ?? "";
    const paid = isPaid(draft, slug, shop(), verdict) ? "paid" : "";
    drawPiece(piece, slug === claim ? "taken" : slug === back ? "returned" : paid);
  }
}

/**
 * @param {HTMLElement} piece
 * @param {"" | "taken" | "returned" | "paid"} state
 */
function drawPiece(piece, state) {
  const { name, suit, length } = words.clothing[piece.dataset.w ?? ""];
  const offer = fill(words.offer, { clothing: name, suit: words.suits[suit], length });
  for (const each of ["taken", "returned", "paid"]) piece.classList.toggle(each, each === state);
  setAttribute(piece, "aria-pressed", String(state === "taken" || state === "returned"));
  setAttribute(piece, "aria-label", state ? fill(words[state], { offer }) : offer);
}

/**
 * Spots for a claim, special rules for a set: what the draft still asks for, in place.
 * @param {Draft} draft
 */
function drawChoices(draft) {
  const box = need("choices");
  const { claim, spot, rule } = draft.now;
  const spots = claim ? spotsFor(draft, claim, shop()) : [];
  const off = findRuleSet(draft) && !claim
    ? Object.keys(words.rules).filter((each) => !asked().active.includes(each)) : [];
  const chips = off.map((each) =>
    chip("rule", each, fill(words.switch, { rule: words.rules[each][0] }), rule === each, words.rules[each][1]));
  if (spots.length > 1) chips.push(...spots.map((each) => chip("spot", each, words.spots[each], spot === each)));
  if (chips.length || box.firstChild) box.replaceChildren(...chips);
  box.hidden = !chips.length;
}

/**
 * @param {string} key
 * @param {string} value
 * @param {string} text
 * @param {boolean} isOn
 * @param {string} [title]
 */
function chip(key, value, text, isOn, title = "") {
  const button = build("button", { className: "btn toggle small", type: "button", textContent: text, title });
  Object.assign(button.dataset, { key, value });
  button.setAttribute("aria-pressed", String(isOn));
  return button;
}

/** @param {Draft} draft */
function drawTools(draft) {
  const { picked } = desk;
  const one = picked.length === 1
    ? draft.now.melds.find((meld) => meld.some((word) => parse(word).name === picked[0])) : null;
  const show = (/** @type {string} */ name, /** @type {boolean} */ isShown) => (tool(name).hidden = !isShown);
  need("desk").classList.toggle("picking", picked.length > 0);
  show("new", picked.length > 0);
  show("home", picked.some((name) => draft.isOwn(name) && !draft.now.hand.includes(name)));
  show("flip", Boolean(one));
  show("split", one !== undefined && one !== null && parse(one[0]).name !== picked[0]);
  show("hint", Boolean(asked().hints) && !picked.length);
  tool("undo").disabled = draft.at === 0;
  tool("redo").disabled = draft.at === draft.steps.length - 1;
  tool("reset").disabled = !draft.isTouched;
}

/**
 * @param {Draft} draft
 * @param {Verdict} verdict
 */
function drawGo(draft, verdict) {
  const go = find("go");
  if (!go) return;
  const made = makeMove(draft, shop());
  // Where nothing can be made of it now, the server's own word stands
  go.dataset.still ??= isMine() ? "" : (go.textContent ?? "");
  const isReady = desk.picked.length > 0 || (draft.isTouched && made !== null);
  const isGivenUp = desk.isSending && !draft.isTouched; // then the other button says that it is sent
  setText(go, desk.isSending && !isGivenUp ? words.sending : go.dataset.still || label(draft, made));
  setAttribute(go, "aria-disabled", String(desk.isSending || !isMine() || !isReady));
  drawGiveUp(draft);
  if (made || desk.isSending || desk.picked.length) return;
  const bad = verdict.faults.find(Boolean);
  if (bad) explain(tell(bad));
  else if (verdict.orphan) explain(fill(words.faults.wild, { card: verdict.orphan }));
  else explain(draft.played.length ? words.choose_spot : words.none);
}

/**
 * Drawing and passing have a button of their own, so that they never stand where a meld is confirmed.
 * @param {Draft} draft
 */
function drawGiveUp(draft) {
  const button = find("draw");
  if (!button) return;
  const isSent = desk.isSending && !draft.isTouched;
  if (isMine()) setText(button, isSent ? words.sending : asked().draw ? words.draw : words.pass);
  setAttribute(button, "aria-disabled", String(desk.isSending || !isMine() || draft.isTouched));
}

/**
 * @param {Draft} draft
 * @param {Move | null} made
 */
function label(draft, made) {
  const { length } = desk.picked;
  if (length) return length === 1 ? words.lay[0] : fill(words.lay[1], { count: length });
  if (!draft.isTouched) return words.select;
  if (typeof made?.activate === "string") return fill(words.switch, { rule: words.rules[made.activate][0] });
  const count = draft.played.length;
  if (!count) return words.select;
  const play = count === 1 ? words.play[0] : fill(words.play[1], { count });
  const { claim, back } = draft.now;
  if (claim) return fill(words.take, { play, clothing: words.clothing[claim].name });
  return back ? fill(words.back, { play, clothing: words.clothing[back].name }) : play;
}
