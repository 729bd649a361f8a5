// The draft on the screen: melds and what is wrong with them, hand, wardrobe, offer, choices, tools, button.

import { asked, build, buildBare, desk, explain, fill, find, isMine, shop, tool, words } from "./desk-state.js";
import { drawFocus } from "./keyboard-focus.js";
import { findRuleSet, isPaid, judge, makeMove, spotsFor } from "./draft-move.js";
import { parse } from "./melds.js";
import { buildMeld, buildTile, mark, tell } from "./tiles.js";

export function draw() {
  if (!find("melds")) return; // the game is over
  if (find("desk")) find("desk").hidden = !desk.draft;
  if (!desk.draft) return drawIdle();
  const verdict = judge(desk.draft);
  drawMelds(verdict);
  drawHand();
  drawWardrobe();
  drawOffer(verdict);
  drawChoices();
  drawTools();
  drawGo(verdict);
  drawFocus();
}

/** Not my turn: the table is a picture, the hand waits. */
function drawIdle() {
  for (const tile of document.querySelectorAll("#hand .t")) {
    Object.assign(tile, { hidden: false, tabIndex: tile.dataset.w === desk.focus ? 0 : -1 });
    tile.classList.remove("picked");
    tile.setAttribute("aria-pressed", "false");
  }
  for (const piece of document.querySelectorAll("#offer .o")) drawPiece(piece, "");
  if (find("choices")) find("choices").hidden = true;
  drawFocus();
  const go = find("go");
  if (go && desk.isSending) go.textContent = words.sending;
}

function drawMelds({ faults, orphan }) {
  const box = find("melds");
  const all = desk.draft.now.melds.map((meld, i) => buildMeld(meld, i, whyNot(meld, faults[i], orphan)));
  const fresh = build("button", { className: "meld drop new", type: "button", textContent: words.new, hidden: !desk.picked.length });
  fresh.dataset.drop = "new";
  const bare = all.length || desk.picked.length ? [] : [buildBare()];
  box.replaceChildren(...bare, ...all, fresh);
  box.removeAttribute("tabindex");
}

/** What is wrong with this meld; also a wild in it that has left a number without a card. */
function whyNot(meld, fault, orphan) {
  if (fault) return tell(fault);
  const before = desk.draft.first.melds.flat();
  const isMoved = (piece) => piece.wild && !before.includes(piece.word) && !desk.draft.wilds.includes(piece.name);
  return orphan && meld.map(parse).some(isMoved) ? fill(words.faults.wild, { card: orphan }) : "";
}

function drawHand() {
  for (const tile of document.querySelectorAll("#hand .t")) {
    tile.hidden = !desk.draft.now.hand.includes(tile.dataset.w);
    mark(tile, parse(tile.dataset.w));
  }
}

/** The clothes that could be wilds: of each pile the uppermost. */
function drawWardrobe() {
  const box = find("wardrobe");
  const tops = Object.values(desk.draft.now.worn).filter((pile) => pile.length).map((pile) => pile.at(-1));
  box.replaceChildren(...tops.map(buildHome));
  box.hidden = !tops.length;
}

function buildHome(name) {
  const tile = buildTile({ ...parse(`${name}:0`), word: name });
  const label = fill(words.wild_home, { clothing: words.clothing[name].name });
  tile.querySelector("b").textContent = words.clothing[name].points;
  tile.classList.add("home");
  tile.setAttribute("aria-label", desk.picked.includes(name) ? fill(words.picked, { card: label }) : label);
  return tile;
}

function drawOffer(verdict) {
  const { claim, back } = desk.draft.now;
  for (const piece of document.querySelectorAll("#offer .o")) {
    const slug = piece.dataset.w;
    const paid = isPaid(desk.draft, slug, shop(), verdict) ? "paid" : "";
    drawPiece(piece, slug === claim ? "taken" : slug === back ? "returned" : paid);
  }
}

function drawPiece(piece, state) {
  const { name, suit, length } = words.clothing[piece.dataset.w];
  const offer = fill(words.offer, { clothing: name, suit: words.suits[suit], length });
  for (const each of ["taken", "returned", "paid"]) piece.classList.toggle(each, each === state);
  piece.setAttribute("aria-pressed", String(state === "taken" || state === "returned"));
  piece.setAttribute("aria-label", state ? fill(words[state], { offer }) : offer);
}

/** Spots for a claim, special rules for a set: what the draft still asks for, in place. */
function drawChoices() {
  const box = find("choices");
  const { claim, spot, rule } = desk.draft.now;
  const spots = claim ? spotsFor(desk.draft, claim, shop()) : [];
  const off = findRuleSet(desk.draft) && !claim ? Object.keys(words.rules).filter((each) => !asked().active.includes(each)) : [];
  const chips = off.map((each) => chip("rule", each, fill(words.switch, { rule: words.rules[each][0] }), rule === each, words.rules[each][1]));
  if (spots.length > 1) chips.push(...spots.map((each) => chip("spot", each, words.spots[each], spot === each)));
  box.replaceChildren(...chips);
  box.hidden = !chips.length;
}

function chip(key, value, text, isOn, title = "") {
  const button = build("button", { className: "btn toggle small", type: "button", textContent: text, title });
  Object.assign(button.dataset, { key, value });
  button.setAttribute("aria-pressed", String(isOn));
  return button;
}

function drawTools() {
  const { draft, picked } = desk;
  const one = picked.length === 1 ? draft.now.melds.find((meld) => meld.some((word) => parse(word).name === picked[0])) : null;
  const show = (name, isShown) => (tool(name).hidden = !isShown);
  show("new", picked.length > 0);
  show("home", picked.some((name) => draft.isOwn(name) && !draft.now.hand.includes(name)));
  show("flip", Boolean(one));
  show("split", Boolean(one) && parse(one[0]).name !== picked[0]);
  show("hint", asked().hints && !picked.length);
  tool("undo").disabled = draft.at === 0;
  tool("redo").disabled = draft.at === draft.steps.length - 1;
  tool("reset").disabled = !draft.isTouched;
}

function drawGo(verdict) {
  const go = find("go");
  if (!go) return;
  const made = makeMove(desk.draft, shop());
  go.dataset.still ??= isMine() ? "" : go.textContent; // where nothing can be made of it now, the server's own word stands
  go.textContent = desk.isSending ? words.sending : go.dataset.still || label(made);
  go.setAttribute("aria-disabled", String(desk.isSending || !isMine() || !made));
  if (made || desk.isSending) return;
  const bad = verdict.faults.find(Boolean);
  if (bad) explain(tell(bad));
  else if (verdict.orphan) explain(fill(words.faults.wild, { card: verdict.orphan }));
  else explain(desk.draft.played.length ? words.choose_spot : words.none);
}

function label(made) {
  const { draft } = desk;
  if (!draft.isTouched) return asked().draw ? words.draw : words.pass;
  if (made?.activate) return fill(words.switch, { rule: words.rules[made.activate][0] });
  const count = draft.played.length;
  const play = count === 1 ? words.play[0] : fill(words.play[1], { count });
  const { claim, back } = draft.now;
  if (claim) return fill(words.take, { play, clothing: words.clothing[claim].name });
  return back ? fill(words.back, { play, clothing: words.clothing[back].name }) : play;
}
