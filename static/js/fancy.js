// The tailor's table: a draft of the whole table, by taps, by dragging and by keyboard, until I confirm it.
// What is a meld and what it pays for is said at once; the server decides.

const load = (name) => import(document.querySelector(`script[src*="js/${name}"]`).src);
const { parse, findFault, findReach, findOrphan, listSpots } = await load("fancy-rules");
const { Draft, begin } = await load("fancy-draft");

const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const find = (id) => document.getElementById(id);
const fill = (template, values) => template.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
const say = (text) => (find("say").textContent = text);
const GUARD_MS = 350; // what has just appeared under the finger is not pressed by mistake
const HOLD_MS = 180; // a finger that rests so long drags; before that it scrolls
const NEAR_PX = 7;

let draft = null;
let picked = [];
let focus = null;
let sending = false;
let mineSince = 0;
let drag = null;
let server = ""; // the table as the server last drew it

const action = () => find("action");
const isMine = () => action()?.classList.contains("mine") ?? false;
const asked = () => JSON.parse(action()?.dataset.rules || "{}");
const rulesOf = (data) => ({ top: data.top, loop: data.active.includes("loop"), mix: data.active.includes("mix") });
const tiles = () => [...document.querySelectorAll("#melds button.t, #wardrobe button.t, #hand button.t")].filter((tile) => !tile.hidden);
const nameOf = (tile) => parse(tile.dataset.w).name;
const groupOf = (tile) => tile.closest(".meld, #wardrobe, #hand");

// --- the draft -----------------------------------------------------------------------------------------

/** A draft for what the server shows now; none if it is not my turn. */
function open() {
  const data = asked();
  picked = [];
  draft = isMine() && data.top ? new Draft(begin(readMelds(), readHand(), data.worn), rulesOf(data)) : null;
}

const readMelds = () => JSON.parse(server).map((meld) => [...meld]);
const readHand = () => [...document.querySelectorAll("#hand .t")].map((tile) => tile.dataset.w);

function noteServer() {
  const drawn = [...document.querySelectorAll("#melds > .meld")].map((meld) => [...meld.querySelectorAll(".t")].map((tile) => tile.dataset.w));
  server = JSON.stringify(drawn);
}

function judge() {
  const { melds } = draft.now;
  const faults = melds.map((meld) => findFault(meld, draft.rules));
  const orphan = findOrphan(draft.first.melds, melds);
  const reach = findReach(melds.filter((_, i) => !faults[i]), draft.played, draft.rules);
  return { faults, orphan, reach, isWhole: !orphan && faults.every((fault) => !fault) };
}

const tell = (fault) => fill(words.faults[fault.fault], { ...fault, suit: words.suits[fault.suit], card: fault.card });

/** The set that could switch a special rule on: one new meld, all of it from my hand, and nothing else. */
function findRuleSet() {
  const { melds } = draft.now;
  const before = new Set(draft.first.melds.map((meld) => meld.join()));
  const fresh = melds.filter((meld) => !before.has(meld.join()));
  if (fresh.length !== 1 || melds.length !== draft.first.melds.length + 1 || draft.wilds.length) return null;
  const pieces = fresh[0].map(parse);
  const isSet = new Set(pieces.map((piece) => piece.number)).size === 1 && !findFault(fresh[0], draft.rules);
  return isSet && pieces.every((piece) => draft.first.hand.includes(piece.name)) ? fresh[0] : null;
}

function spotsFor(slug) {
  return listSpots(words.clothing[slug].slot, draft.now.worn, asked().active.includes("cover"));
}

/** The move that the draft means; null while it is none. */
function make() {
  if (!draft.isTouched) return asked().draw ? { draw: true } : { pass: true };
  const { claim, spot, back, rule, melds } = draft.now;
  if (!judge().isWhole || !draft.played.length) return null;
  const set = findRuleSet();
  if (rule && set) return { activate: rule, set, ...(back ? { return: back } : {}) };
  const spots = claim ? spotsFor(claim) : [];
  if (claim && spots.length > 1 && !spot) return null;
  const move = { play: draft.played, table: melds };
  if (draft.wilds.length) move.wilds = draft.wilds;
  if (claim) Object.assign(move, { claim, spot: spot ?? spots[0] });
  else if (back) move.return = back;
  return move;
}

/** What no longer holds is dropped: a claim that is not paid for, a rule without its set. */
function revise() {
  const { claim, spot, back, rule } = draft.now;
  const { reach } = judge();
  const piece = claim && words.clothing[claim];
  const what = {};
  if (piece && (reach[piece.suit] < piece.length || !draft.played.length)) Object.assign(what, { claim: null, spot: null });
  else if (claim && spot && !spotsFor(claim).includes(spot)) what.spot = null;
  if (rule && !findRuleSet()) what.rule = null;
  if (back && !draft.played.length) what.back = null;
  if (Object.keys(what).length) Object.assign(draft.now, what);
}

function change(work, spoken) {
  explain("");
  work();
  revise();
  draw();
  if (spoken) say(spoken);
}

function move(target) {
  if (!picked.length) return;
  const names = picked;
  const anchor = names[0];
  picked = [];
  change(() => (target === "hand" ? draft.takeBack(names) || explain(words.all_own) : draft.place(names, target)), words.moved);
  focusOn(anchor);
}

// --- showing it ----------------------------------------------------------------------------------------

function draw() {
  if (!find("melds")) return; // the game is over
  if (find("desk")) find("desk").hidden = !draft;
  if (!draft) return drawIdle();
  const verdict = judge();
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
    Object.assign(tile, { hidden: false, tabIndex: tile.dataset.w === focus ? 0 : -1 });
    tile.classList.remove("picked");
    tile.setAttribute("aria-pressed", "false");
  }
  for (const piece of document.querySelectorAll("#offer .o")) drawPiece(piece, "");
  if (find("choices")) find("choices").hidden = true;
  drawFocus();
  const go = find("go");
  if (go && sending) go.textContent = words.sending;
}

function drawMelds({ faults, orphan }) {
  const box = find("melds");
  const all = draft.now.melds.map((meld, i) => buildMeld(meld, i, faults[i], orphan));
  const fresh = build("button", { className: "meld drop new", type: "button", textContent: words.new, hidden: !picked.length });
  fresh.dataset.drop = "new";
  box.replaceChildren(...all, fresh);
  box.removeAttribute("tabindex");
}

function buildMeld(meld, at, fault, orphan) {
  const pieces = meld.map(parse);
  const box = build("div", { className: "meld" });
  box.dataset.drop = at;
  box.setAttribute("role", "group");
  const moved = orphan && pieces.some((piece) => piece.wild && draft.first.melds.flat().includes(piece.word) === false && !draft.wilds.includes(piece.name));
  const why = fault ? tell(fault) : moved ? fill(words.faults.wild, { card: orphan }) : "";
  box.setAttribute("aria-label", why ? fill(words.broken, { fault: why }) : nameMeld(pieces));
  if (!draft.first.melds.some((first) => first.join() === meld.join())) box.classList.add("changed");
  box.append(...pieces.map(buildTile));
  if (why) box.classList.add("bad");
  if (why) box.append(build("p", { className: "fault", textContent: why }));
  if (picked.length && !pieces.every((piece) => picked.includes(piece.name))) {
    const drop = build("button", { className: "drop", type: "button", textContent: words.here });
    drop.dataset.drop = at;
    drop.setAttribute("aria-label", `${words.here}: ${nameMeld(pieces)}`);
    box.append(drop);
  }
  return box;
}

function nameMeld(pieces) {
  if (new Set(pieces.map((piece) => piece.number)).size === 1) return fill(words.set, { number: pieces[0].number });
  return fill(words.run, { suit: words.suits[pieces[0].suit], from: pieces[0].number, to: pieces.at(-1).number });
}

function build(kind, properties) {
  return Object.assign(document.createElement(kind), properties);
}

function buildTile(piece) {
  const tile = build("button", { type: "button" });
  tile.dataset.w = piece.word;
  const other = piece.suits.find((suit) => suit !== piece.suit);
  tile.className = `t a${piece.suit} ${piece.wild ? "wild" : `b${other}`}`;
  tile.append(build("b", { textContent: piece.number || "?" }));
  if (piece.wild) tile.append(build("i", { className: `w ${piece.name.split("-")[0]} m${piece.suit}` }));
  if (draft.isOwn(piece.name)) tile.classList.add("own");
  mark(tile, piece, other);
  return tile;
}

function mark(tile, piece, other) {
  const isPicked = picked.includes(piece.name);
  const suit = words.suits[piece.suit];
  const plain = piece.wild ? fill(words.wild, { clothing: words.clothing[piece.name].name, number: piece.number, suit }) : fill(words.card, { number: piece.number, suit, other: words.suits[other] });
  const label = draft?.isOwn(piece.name) && tile.closest("#melds") ? fill(words.mine, { card: plain }) : plain;
  tile.classList.toggle("picked", isPicked);
  tile.setAttribute("aria-pressed", String(isPicked));
  tile.setAttribute("aria-label", isPicked ? fill(words.picked, { card: label }) : label);
}

function drawHand() {
  for (const tile of document.querySelectorAll("#hand .t")) {
    tile.hidden = !draft.now.hand.includes(tile.dataset.w);
    const piece = parse(tile.dataset.w);
    mark(tile, piece, piece.suits[1]);
  }
}

/** The clothes that could be wilds: of each pile the uppermost. */
function drawWardrobe() {
  const box = find("wardrobe");
  const tops = Object.values(draft.now.worn).filter((pile) => pile.length).map((pile) => pile.at(-1));
  box.replaceChildren(
    ...tops.map((name) => {
      const piece = parse(`${name}:0`);
      const tile = buildTile({ ...piece, word: name });
      const isPicked = picked.includes(name);
      const label = fill(words.wild_home, { clothing: words.clothing[name].name });
      tile.querySelector("b").textContent = words.clothing[name].points;
      tile.classList.add("home");
      tile.setAttribute("aria-label", isPicked ? fill(words.picked, { card: label }) : label);
      return tile;
    }),
  );
  box.hidden = !tops.length;
}

function drawOffer({ reach }) {
  const { claim, back } = draft.now;
  for (const piece of document.querySelectorAll("#offer .o")) {
    const slug = piece.dataset.w;
    const { suit, length } = words.clothing[slug];
    const isPaid = draft.played.length > 0 && reach[suit] >= length && spotsFor(slug).length > 0;
    drawPiece(piece, slug === claim ? "taken" : slug === back ? "returned" : isPaid ? "paid" : "");
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
  const { claim, spot, rule } = draft.now;
  const spots = claim ? spotsFor(claim) : [];
  const off = findRuleSet() && !claim ? Object.keys(words.rules).filter((each) => !asked().active.includes(each)) : [];
  const chips = spots.length > 1 ? spots.map((each) => chip("spot", each, words.spots[each], spot === each)) : off.map((each) => chip("rule", each, fill(words.switch, { rule: words.rules[each][0] }), rule === each, words.rules[each][1]));
  box.replaceChildren(...chips);
  box.hidden = !chips.length;
}

function chip(key, value, text, isOn, title = "") {
  const button = build("button", { className: "btn toggle small", type: "button", textContent: text, title });
  button.dataset.key = key;
  button.dataset.value = value;
  button.setAttribute("aria-pressed", String(isOn));
  return button;
}

function drawTools() {
  const one = picked.length === 1 ? draft.now.melds.find((meld) => meld.some((word) => parse(word).name === picked[0])) : null;
  const show = (name, isShown) => (tool(name).hidden = !isShown);
  show("new", picked.length > 0);
  show("home", picked.some((name) => draft.isOwn(name) && !draft.now.hand.includes(name)));
  show("flip", picked.length === 1 && Boolean(one));
  show("split", Boolean(one) && parse(one[0]).name !== picked[0]);
  show("hint", asked().hints && !picked.length);
  tool("undo").disabled = draft.at === 0;
  tool("redo").disabled = draft.at === draft.steps.length - 1;
  tool("reset").disabled = !draft.isTouched;
}

const tool = (name) => document.querySelector(`[data-do="${name}"]`);

function drawGo(verdict) {
  const go = find("go");
  if (!go) return;
  const made = make();
  go.textContent = sending ? words.sending : label(made);
  go.setAttribute("aria-disabled", String(sending || !made));
  if (made || sending) return;
  const bad = verdict.faults.find(Boolean);
  if (bad) explain(tell(bad));
  else if (verdict.orphan) explain(fill(words.faults.wild, { card: verdict.orphan }));
  else explain(draft.played.length ? words.choose_spot : words.none);
}

function label(made) {
  if (!draft.isTouched) return asked().draw ? words.draw : words.pass;
  if (made?.activate) return fill(words.switch, { rule: words.rules[made.activate][0] });
  const count = draft.played.length;
  const play = count === 1 ? words.play[0] : fill(words.play[1], { count });
  const { claim, back } = draft.now;
  if (claim) return fill(words.take, { play, clothing: words.clothing[claim].name });
  return back ? fill(words.back, { play, clothing: words.clothing[back].name }) : play;
}

function explain(sentence, isAdvice = false) {
  const why = find("why");
  if (!why) return;
  why.textContent = sentence;
  why.classList.toggle("advice", isAdvice);
}

// --- the focus: one stop for all cards, arrows between them --------------------------------------------

function drawFocus() {
  const all = tiles();
  if (!all.some((tile) => nameOf(tile) === focus)) focus = all.length ? nameOf(all.at(-1).closest("#hand") ? (all.find((tile) => tile.closest("#hand")) ?? all[0]) : all[0]) : null;
  for (const tile of all) tile.tabIndex = nameOf(tile) === focus ? 0 : -1;
}

function focusOn(name) {
  focus = name;
  drawFocus();
  tiles().find((tile) => nameOf(tile) === focus)?.focus();
}

function walk(tile, by) {
  const all = tiles();
  focusOn(nameOf(all[Math.max(0, Math.min(all.length - 1, all.indexOf(tile) + by))]));
}

/** To the card nearest in the next group above or below. */
function climb(tile, by) {
  const groups = [...new Set(tiles().map(groupOf))];
  const next = groups[groups.indexOf(groupOf(tile)) + by];
  if (!next) return;
  const box = tile.getBoundingClientRect();
  const near = (each) => Math.abs(each.getBoundingClientRect().left - box.left);
  focusOn(nameOf(tiles().filter((each) => groupOf(each) === next).sort((one, other) => near(one) - near(other))[0]));
}

// --- doing it --------------------------------------------------------------------------------------------

function pick(name) {
  if (!draft || sending) return explain(words.wait);
  explain("");
  picked = picked.includes(name) ? picked.filter((each) => each !== name) : [...picked, name];
  focus = name;
  draw();
  focusOn(name);
}

function flip(name) {
  if (!draft || sending) return;
  const lying = draft.now.melds.flat().find((word) => parse(word).name === name);
  if (!lying) return pick(name);
  change(() => draft.flip(name));
  const piece = parse(draft.now.melds.flat().find((word) => parse(word).name === name));
  say(fill(words.flipped, { card: `${piece.number} ${words.suits[piece.suit]}` }));
  focusOn(name);
}

function press(piece) {
  const slug = piece.dataset.w;
  const { name, suit, length } = words.clothing[slug];
  if (!draft || sending) return explain(isMine() ? words.sending : words.wait);
  const { claim, back } = draft.now;
  const canReturn = asked().active.includes("return") || draft.now.rule === "return";
  const isPaid = piece.classList.contains("paid");
  if (claim === slug && canReturn) return change(() => draft.choose({ claim: null, spot: null, back: slug }));
  if (claim === slug || back === slug) return change(() => draft.choose({ claim: null, spot: null, back: null }));
  if (isPaid) return change(() => draft.choose({ claim: slug, spot: null, back: null, rule: null }));
  if (canReturn && draft.played.length) return change(() => draft.choose({ claim: null, spot: null, back: slug }));
  const { reach } = judge();
  return explain(draft.played.length ? fill(words.unpaid, { clothing: name, suit: words.suits[suit], length, longest: reach[suit] }) : words.none);
}

const DEEDS = {
  new: () => move(null),
  home: () => move("hand"),
  flip: () => picked.length === 1 && flip(picked[0]),
  split: () => picked.length === 1 && change(() => (draft.split(picked[0]), (picked = []))),
  undo: () => draft.undo() && settle(words.undone),
  redo: () => draft.redo() && settle(words.redone),
  reset: () => change(() => ((picked = []), draft.reset()), words.undone),
  hint: () => ask(),
};

function settle(spoken) {
  picked = [];
  explain("");
  draw();
  say(spoken);
}

async function ask() {
  explain(words.thinking, true);
  const answer = await fetch(`/tables/${find("board").dataset.table}/hint/`, { method: "POST", headers: { Accept: "application/json", "X-CSRFToken": document.querySelector('meta[name="csrf-token"]')?.content ?? "" } }).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (!said || !draft) return explain(words.reconnecting);
  if (!said.move) return explain(said.sentence || words.no_hint);
  picked = [];
  change(() => draft.follow(said.move));
  explain(words.hinted, true);
}

function confirm() {
  if (sending) return;
  if (!isMine() || !draft) return explain(words.wait);
  if (!draft.isTouched && performance.now() - mineSince < GUARD_MS) return;
  const made = make();
  if (!made) return draw();
  sending = true;
  draw();
  document.dispatchEvent(new CustomEvent("menagerie:move", { detail: { move: made } }));
}

document.addEventListener("click", (event) => {
  const target = event.target;
  if (drag?.isOver) return;
  const drop = target.closest("#melds button[data-drop]");
  const tile = target.closest("button.t");
  const deed = target.closest("[data-do]");
  const piece = target.closest("#offer .o");
  const choice = target.closest("#choices [data-key]");
  if (drop) move(drop.dataset.drop === "new" ? null : Number(drop.dataset.drop));
  else if (tile && event.detail && isLowerHalf(tile, event) && tile.closest("#melds")) flip(nameOf(tile));
  else if (tile) pick(nameOf(tile));
  else if (deed && draft) DEEDS[deed.dataset.do]();
  else if (piece) press(piece);
  else if (choice && draft) change(() => draft.choose({ [choice.dataset.key]: draft.now[choice.dataset.key] === choice.dataset.value ? null : choice.dataset.value, ...(choice.dataset.key === "rule" ? { claim: null, spot: null } : {}) }));
  else if (target.closest("#go:not([data-command])")) confirm();
});

/** A card shows its two suits as two halves: a tap on the lower one turns it. */
function isLowerHalf(tile, event) {
  const box = tile.getBoundingClientRect();
  return event.clientY > box.top + box.height * 0.6;
}

document.addEventListener("keydown", (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  const isRedo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y";
  if (draft && (isUndo || isRedo)) {
    DEEDS[isRedo || event.shiftKey ? "redo" : "undo"]();
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary, a")) return;
  const tile = event.target.closest("button.t");
  if (handleKey(event.key, tile)) event.preventDefault();
});

function handleKey(key, tile) {
  const keys = { n: "new", h: "home", Backspace: "home", u: "undo", r: "redo" };
  if (key === "Escape" && draft) return settle("") ?? true;
  if (draft && key in keys) return (DEEDS[keys[key]](), true);
  if (!tile) return false;
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };
  if (key in steps) walk(tile, steps[key]);
  else if (key === "ArrowUp" || key === "ArrowDown") climb(tile, key === "ArrowUp" ? -1 : 1);
  else if (key === "f") flip(nameOf(tile));
  else if (key === "s" && draft) change(() => draft.split(nameOf(tile))), focusOn(nameOf(tile));
  else if (key === "Enter" && picked.length && tile.closest(".meld") && !picked.includes(nameOf(tile))) move(Number(tile.closest(".meld").dataset.drop));
  else return false;
  return true;
}

// --- dragging ------------------------------------------------------------------------------------------

document.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest("button.t");
  if (!tile || !draft || sending || event.button) return;
  drag = { tile, name: nameOf(tile), x: event.clientX, y: event.clientY, isReady: event.pointerType === "mouse", isOver: false, ghost: null };
  if (!drag.isReady) drag.timer = setTimeout(() => drag && (drag.isReady = true), HOLD_MS);
});

document.addEventListener("pointermove", (event) => {
  if (!drag || drag.isOver) return;
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.ghost) {
    if (Math.hypot(dx, dy) < NEAR_PX) return;
    if (!drag.isReady) return endDrag();
    lift();
  }
  drag.ghost.style.translate = `${dx}px ${dy}px`;
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop], #hand, #melds");
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
  under?.classList.add("target");
});

function lift() {
  if (!picked.includes(drag.name)) picked = [drag.name];
  const box = drag.tile.getBoundingClientRect();
  drag.ghost = drag.tile.cloneNode(true);
  drag.ghost.classList.add("flying", "ghost");
  Object.assign(drag.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(drag.ghost);
  drag.tile.classList.add("lifted");
}

document.addEventListener("pointerup", (event) => {
  if (!drag) return;
  clearTimeout(drag.timer);
  if (!drag.ghost) return endDrag();
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop], #hand, #melds");
  const target = under?.dataset.drop ?? under?.id;
  endDrag();
  drag = { isOver: true };
  setTimeout(() => (drag = null)); // the click that follows is the end of the drag
  if (target === "hand") move("hand");
  else if (target === "melds" || target === "new") move(null);
  else if (target !== undefined) move(Number(target));
  else (picked = []), draw();
});

document.addEventListener("pointercancel", () => endDrag());
document.addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
document.addEventListener("contextmenu", (event) => event.target.closest("button.t") && drag && event.preventDefault());

function endDrag() {
  clearTimeout(drag?.timer);
  drag?.ghost?.remove();
  drag?.tile?.classList.remove("lifted");
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
  drag = null;
}

// --- when the server speaks ----------------------------------------------------------------------------

let wasMine = false;
let held = null;

document.addEventListener("menagerie:before", ({ detail }) => {
  const active = document.activeElement;
  if (detail.element?.contains(active)) held = { id: active.id, name: active.dataset?.w };
  if (detail.id === "action" || detail.id === "board") wasMine = isMine();
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "melds" || detail.id === "board") noteServer();
});

/** After every update: who is to act may have changed, and with it what a draft could mean. */
document.addEventListener("menagerie:updated", ({ detail }) => {
  if (!find("action")?.dataset.rules || find("board")?.dataset.status !== "playing") return void (draft = null);
  if (draft && isMine() && detail.ply === lastPly) return draw();
  const isLost = draft?.isTouched && !sending && wasMine;
  [sending, lastPly] = [false, detail.ply];
  if (find("melds")?.querySelector("button")) restore();
  open();
  if (draft && !wasMine) mineSince = performance.now();
  draw();
  explain(isLost ? words.lost : "");
  if (held) (held.name ? focusOn(parse(held.name).name) : (find(held.id) ?? find("go"))?.focus());
  held = null;
});

let lastPly = Number(find("board")?.dataset.ply);

/** The table as the server drew it, in place of my draft of it. */
function restore() {
  const box = find("melds");
  box.replaceChildren(
    ...JSON.parse(server).map((meld) => {
      const pieces = meld.map(parse);
      const row = build("div", { className: "meld" });
      row.setAttribute("role", "img");
      row.setAttribute("aria-label", nameMeld(pieces));
      row.append(
        ...pieces.map((piece) => {
          const tile = build("i", { className: `t a${piece.suit} ${piece.wild ? "wild" : `b${piece.suits.find((suit) => suit !== piece.suit)}`}` });
          tile.dataset.w = piece.word;
          tile.append(build("b", { textContent: piece.number }));
          if (piece.wild) tile.append(build("i", { className: `w ${piece.name.split("-")[0]} m${piece.suit}` }));
          return tile;
        }),
      );
      return row;
    }),
  );
  box.tabIndex = 0;
}

document.addEventListener("menagerie:answered", ({ detail }) => {
  sending &&= !detail.isShown;
  if (draft) draw();
});

document.addEventListener("menagerie:refused", ({ detail }) => {
  sending = false;
  if (draft) draw();
  explain(detail.sentence);
});

if (words.clothing && find("melds")) {
  noteServer();
  open();
  draw();
}
