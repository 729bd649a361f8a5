// Renders the draft: melds and what is wrong with them, hand, wardrobe, offer, choices, tools, button.

import { setAttribute, setText } from "../table/write-changes.js";
import { asked, build, buildBare, desk, explain, fill, find, isMine, shop, tool, words } from "./desk-state.js";
import { renderOrder } from "./hand-order.js";
import { renderFocus } from "./keyboard-focus.js";
import { findRuleSet, isPaid, judge, makeMove, spotsFor } from "./draft-move.js";
import { parse } from "./melds.js";
import { renderMarks } from "./reveal.js";
import { buildMeld, buildTile, mark, tell, updateMeld } from "./tiles.js";

/** @typedef {import("./draft.js").Draft} Draft */

/** @typedef {import("./draft-move.js").Verdict} Verdict */

export function render() {
  if (!find("melds")) return; // the game is over
  const { draft } = desk;
  const part = find("desk");
  if (part) part.hidden = !draft;
  if (!draft) return renderIdle();
  const verdict = judge(draft);
  renderMelds(draft, verdict);
  renderMarks();
  renderHand(draft);
  renderWardrobe(draft);
  renderOffer(draft, verdict);
  renderChoices(draft);
  renderTools(draft);
  renderGo(draft, verdict);
  renderFocus();
}

const need = (/** @type {string} */ id) => /** @type {HTMLElement} */ (find(id));

/** Renders hand and offer when it is not my turn, or the table is paused. */
function renderIdle() {
  for (const tile of document.querySelectorAll("#hand .t")) {
    Object.assign(tile, { hidden: false, tabIndex: tile.dataset.w === desk.focus ? 0 : -1 });
    tile.classList.remove("picked");
    tile.setAttribute("aria-pressed", "false");
  }
  renderOrder();
  renderMarks();
  for (const piece of document.querySelectorAll("#offer .o")) renderPiece(piece, "");
  const choices = find("choices");
  if (choices) choices.hidden = true;
  renderFocus();
  const go = find("go");
  if (go && desk.isSending) go.textContent = words.sending;
}

/** Renders only the parts that depend on the tiles picked up, while a finger drags them. */
export function renderPicked() {
  const { draft } = desk;
  if (!draft) return;
  document.querySelector("#melds > .new")?.classList.remove("idle");
  renderTools(draft);
  renderGo(draft, judge(draft));
}

/**
 * @param {Draft} draft
 * @param {Verdict} verdict
 */
function renderMelds(draft, { faults, orphan }) {
  const box = need("melds");
  const children = /** @type {HTMLElement[]} */ ([...box.children]);
  const kept = new Map(children.map((child) => [rendered.get(child), child]));
  /** @type {(key: string, make: () => HTMLElement) => HTMLElement} */
  const keep = (key, make) => {
    const part = kept.get(key) ?? make();
    rendered.set(part, key);
    return part;
  };
  const all = draft.now.melds.map((meld, i) => {
    const why = whyNot(draft, meld, faults[i], orphan);
    const isOld = draft.first.melds.some((first) => first.join() === meld.join());
    return keep(JSON.stringify([meld, why, isOld]), () => buildMeld(meld, why));
  });
  const fresh = keep("new", buildNew);
  fresh.classList.toggle("idle", !desk.picked.length); // hidden but in place, so that no meld moves when it appears
  const bare = all.length ? [] : [keep("bare", buildBare)];
  arrangeChildren(box, [...bare, ...all, fresh]);
  draft.now.melds.forEach((meld, i) => updateMeld(all[i], meld, i));
  box.removeAttribute("tabindex");
}

/** @type {WeakMap<HTMLElement, string>} the key from which a part of the table was rendered; the same one is kept */
const rendered = new WeakMap();

function buildNew() {
  const fresh = build("button", { className: "meld drop new", type: "button", textContent: words.new });
  fresh.dataset.drop = "new";
  return fresh;
}

/**
 * Makes these the children of the box, in this order. Those that stay in place keep the focus.
 * @param {HTMLElement} box
 * @param {HTMLElement[]} parts
 */
function arrangeChildren(box, parts) {
  for (const child of [...box.children]) if (!parts.includes(/** @type {HTMLElement} */ (child))) child.remove();
  parts.forEach((part, index) =>
    part !== box.children[index] && box.insertBefore(part, box.children[index] ?? null));
}

/**
 * What is wrong with this meld, or with a wild in it that leaves its former place empty; "" if nothing is.
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
function renderHand(draft) {
  for (const tile of document.querySelectorAll("#hand .t")) {
    const word = tile.dataset.w ?? "";
    tile.hidden = !draft.now.hand.includes(word);
    mark(tile, parse(word));
  }
  renderOrder();
}

/**
 * Renders the clothes that can be used as wilds: the top one of each pile.
 * @param {Draft} draft
 */
function renderWardrobe(draft) {
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
function renderOffer(draft, verdict) {
  const { claim, back } = draft.now;
  for (const piece of document.querySelectorAll("#offer .o")) {
    const slug = piece.dataset.w ?? "";
    const paid = isPaid(draft, slug, shop(), verdict) ? "paid" : "";
    renderPiece(piece, slug === claim ? "taken" : slug === back ? "returned" : paid);
  }
}

/**
 * @param {HTMLElement} piece
 * @param {"" | "taken" | "returned" | "paid"} state
 */
function renderPiece(piece, state) {
  const { name, suit, length } = words.clothing[piece.dataset.w ?? ""];
  const offer = fill(words.offer, { clothing: name, suit: words.suits[suit], length });
  for (const each of ["taken", "returned", "paid"]) piece.classList.toggle(each, each === state);
  setAttribute(piece, "aria-pressed", String(state === "taken" || state === "returned"));
  setAttribute(piece, "aria-label", state ? fill(words[state], { offer }) : offer);
}

/**
 * Renders the choices that the draft offers: spots for the piece claimed, special rules for a set.
 * @param {Draft} draft
 */
function renderChoices(draft) {
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
function renderTools(draft) {
  const { picked } = desk;
  const meld = picked.length === 1
    ? draft.now.melds.find((each) => each.some((word) => parse(word).name === picked[0])) : null;
  const show = (/** @type {string} */ name, /** @type {boolean} */ isShown) => (tool(name).hidden = !isShown);
  need("desk").classList.toggle("picking", picked.length > 0);
  show("new", picked.length > 0);
  show("home", picked.some((name) => draft.isOwn(name) && !draft.now.hand.includes(name)));
  show("flip", Boolean(meld));
  show("split", meld !== undefined && meld !== null && parse(meld[0]).name !== picked[0]);
  show("hint", Boolean(asked().hints) && !picked.length);
  tool("undo").disabled = draft.at === 0;
  tool("redo").disabled = draft.at === draft.steps.length - 1;
  tool("reset").disabled = !draft.isTouched;
}

/**
 * @param {Draft} draft
 * @param {Verdict} verdict
 */
function renderGo(draft, verdict) {
  const go = find("go");
  if (!go) return;
  const made = makeMove(draft, shop());
  // While it is not my turn, the button shows the text that the server rendered.
  go.dataset.still ??= isMine() ? "" : (go.textContent ?? "");
  const isReady = desk.picked.length > 0 || (draft.isTouched && made !== null);
  const isGivenUp = desk.isSending && !draft.isTouched; // the other button was pressed and shows that it is being sent
  setText(go, desk.isSending && !isGivenUp ? words.sending : go.dataset.still || label(draft, made));
  setAttribute(go, "aria-disabled", String(desk.isSending || !isMine() || !isReady));
  renderGiveUp(draft);
  if (made || desk.isSending || desk.picked.length) return;
  const bad = verdict.faults.find(Boolean);
  if (bad) explain(tell(bad));
  else if (verdict.orphan) explain(fill(words.faults.wild, { card: verdict.orphan }));
  else explain(draft.played.length ? words.choose_spot : words.none);
}

/**
 * Renders the button to draw or pass, which is separate from the one that confirms a meld, so that none is mistaken.
 * @param {Draft} draft
 */
function renderGiveUp(draft) {
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
