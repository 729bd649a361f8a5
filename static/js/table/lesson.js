// A lesson: a move goes to the server, which plays it in the position of the step. It and the other players' replies
// are shown one after the other, and the next step begins with its button. The hint points at what to press.

import { parseUpdate, swapRegion, tell } from "./regions.js";
import { fill, find } from "./words.js";

const BEAT_MS = 900; // between two moves of the other players
const HELP_AFTER = 2; // wrong moves in a step, after which the hint is shown by itself
const guide = () => /** @type {HTMLElement} */ (find("lesson"));
const stage = () => /** @type {HTMLElement} */ (find("stage"));
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";
/** @param {string} text */
const say = (text) => (document.getElementById("say").textContent = text);

let isBusy = false; // a move is being sent, or the replies to it are being shown
let isPointing = false;
let wrongMoves = 0;
/** @type {string | null | undefined} the update that opens the next step; null: there is none; undefined: not done */
let next;
/** @type {Element | null} the control that the hint points at */
let pointed = null;

/**
 * @param {Move} move
 * @returns {Promise<{ status: number, sentence?: string, updates?: string[], next?: string | null }>}
 */
async function post(move) {
  const answer = await fetch(stage().dataset.address ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrf() },
    body: JSON.stringify({ step: guide().dataset.slug, move }),
  });
  return answer.json();
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

document.addEventListener("menagerie:move", async ({ detail: { move, onTaken } }) => {
  if (isBusy || next !== undefined) return refuse(find("lesson-words")?.dataset.wait ?? "");
  isBusy = true;
  point();
  const answer = await post(move).catch(() => null);
  if (answer?.status !== 200) {
    isBusy = false;
    refuse(answer?.sentence ?? document.documentElement.dataset.offline ?? "");
    wrongMoves += 1;
    return wrongMoves >= HELP_AFTER && startPointing();
  }
  onTaken?.();
  next = answer.next ?? null;
  stage().inert = true;
  stopPointing();
  await show(answer.updates ?? []);
  isBusy = false;
});

/** @param {string[]} updates */
async function show(updates) {
  for (const [index, update] of updates.entries()) {
    if (index) await pause(BEAT_MS);
    apply(update);
  }
  find("next")?.focus({ preventScroll: true });
  speak();
}

/** @param {string} html */
function apply(html) {
  const root = parseUpdate(html);
  if (!root) return;
  const [ply, version] = [Number(root.dataset.ply), Number(root.dataset.version)];
  say("");
  for (const part of /** @type {HTMLElement[]} */ ([...root.children])) swapRegion(part);
  const board = find("board");
  if (board) Object.assign(board.dataset, { ply, version });
  tell("menagerie:updated", { ply, version, full: root.dataset.full === "1" });
}

/** Announces the text of the step after the lines of the log. */
function speak() {
  const now = document.getElementById("say").textContent ?? "";
  say([now, guide().querySelector(".said")?.textContent].filter(Boolean).join(" "));
}

/**
 * Shows in the guide why a move was not accepted.
 * @param {string} sentence
 */
function refuse(sentence) {
  tell("menagerie:answered", { key: "", status: 422, isShown: true });
  const line = guide().querySelector(".answer");
  if (line) Object.assign(line, { textContent: sentence, hidden: false });
  say(sentence);
}

// --- the next step ---------------------------------------------------------------------------------

function openNext() {
  if (next === undefined || isBusy) return;
  const update = next;
  stage().inert = false;
  if (update === null) return finish();
  [next, wrongMoves] = [undefined, 0];
  apply(update);
  history.replaceState(null, "", location.pathname);
  scrollTo(0, 0);
  find("step-title")?.focus({ preventScroll: true });
  showSubject();
  speak();
}

function finish() {
  guide().hidden = true;
  stage().hidden = true;
  const end = find("finished");
  if (end) end.hidden = false;
  scrollTo(0, 0);
  find("finished-title")?.focus();
}

// --- the hint --------------------------------------------------------------------------------------

function startPointing() {
  isPointing = true;
  find("hint")?.setAttribute("aria-pressed", "true");
  point();
  const said = document.getElementById("say").textContent;
  const name = pointed?.getAttribute("aria-label") ?? pointed?.textContent?.trim().replace(/\s+/g, " ");
  const press = name && fill(find("lesson-words")?.dataset.press ?? "", { control: name });
  const reason = guide().querySelector(".reason");
  reason?.removeAttribute("hidden");
  if (press || reason) say([said, press, reason?.textContent].filter(Boolean).join(" "));
}

function stopPointing() {
  isPointing = false;
  find("hint")?.setAttribute("aria-pressed", "false");
  guide().querySelector(".reason")?.toggleAttribute("hidden", true);
  point();
}

const isShown = (/** @type {Element} */ element) => element.checkVisibility();

/** The first control in the step's list that the page shows. */
function findControl() {
  if (!isPointing || isBusy) return null;
  /** @type {string[]} */
  const wanted = JSON.parse(guide().dataset.points ?? "[]");
  for (const selector of wanted) {
    const control = [...document.querySelectorAll(selector)].find(isShown);
    if (control) return control;
  }
  return null;
}

function point() {
  const control = findControl();
  if (control === pointed && control?.classList.contains("pointed")) return;
  pointed?.classList.remove("pointed");
  pointed = control;
  control?.classList.add("pointed");
  bringIntoView(control);
}

/**
 * Scrolls an element into view, if the guide or the player's tray covers it.
 * @param {Element | null | undefined} element
 */
function bringIntoView(element) {
  if (!element) return;
  const { left, top, width, height } = element.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  if (seen && element.contains(seen)) return;
  element.scrollIntoView({ block: "center", inline: "nearest" });
  const tray = stage().querySelector(".tray");
  if (!tray || tray.contains(element)) return;
  const box = element.getBoundingClientRect(), ceiling = guide().getBoundingClientRect().bottom;
  scrollBy(0, (box.top + box.bottom - ceiling - tray.getBoundingClientRect().top) / 2); // between guide and hand
}

/** Scrolls the element that the step is about into view. */
function showSubject() {
  const { shows } = guide().dataset;
  if (shows) bringIntoView(document.querySelector(shows));
}

const pointSoon = () => requestAnimationFrame(point);
for (const event of ["click", "keyup", "pointerup", "menagerie:updated", "menagerie:answered"]) {
  document.addEventListener(event, pointSoon);
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("#next")) openNext();
  else if (target.closest("#hint")) (say(""), (isPointing ? stopPointing : startPointing)());
});

addEventListener("load", showSubject);
speak();
