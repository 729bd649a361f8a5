// A tournament's page that stays up to date: told of another version, it fetches itself again.
// A form that is being filled in is never replaced: a line says that something has changed.

import { followVersion, PAGE_TIMEOUT_MS } from "../page/version-feed.js";
import { holdPosition, noteOpenDetails } from "../page/reading-position.js";
import { waitForRelease } from "../page/press-guard.js";
import { showHours, showMoments } from "../page/local-times.js";

const SPREAD_MS = 500;
const LINGER_MS = 20_000; // an empty field that nobody has touched for so long is not being filled in
const live = () => /** @type {HTMLElement} */ (document.getElementById("live"));
const NO_MORE = [403, 404]; // not for us any more, or taken back
let fetched = ""; // the version for which the page was fetched last
let heard = ""; // the version that was told last
let isFetching = false;
let isLost = false;
let touched = performance.now();
let offset = 0;

/** Count down to what the server has promised, by its clock. */
function tick() {
  for (const clock of document.querySelectorAll("[data-countdown]")) {
    const left = Math.ceil((Number(clock.dataset.countdown) - Date.now() - offset) / 1000);
    const words = left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
      : (clock.dataset.over ?? "");
    if (clock.textContent !== words) clock.textContent = words;
  }
}

function setClock() {
  const now = document.querySelector("#live [data-now]");
  if (now) offset = Number(now.dataset.now) - Date.now();
  tick();
}

function showClocks() {
  showHours();
  for (const button of document.querySelectorAll("[data-tick-all]")) button.hidden = false;
}

function isBusy() {
  const part = live();
  const open = [...part.querySelectorAll("details[open]")];
  if (open.some((one) => one.querySelector("form") && one.contains(document.activeElement))) return true;
  /** @type {NodeListOf<Field>} */
  const fields = part.querySelectorAll("input:not([type=hidden]), textarea, select");
  return [...fields].some((field) => isBeingWritten(field) || isFilledIn(field));
}

const isTicked = (/** @type {Field} */ field) => field.type === "checkbox" || field.type === "radio";

/** @param {Field} field */
function isBeingWritten(field) {
  return field === document.activeElement && !isTicked(field) && performance.now() - touched < LINGER_MS;
}

/**
 * Whether it holds something else than the server wrote into it.
 * @param {Field} field
 */
function isFilledIn(field) {
  if (field.classList.contains("list-filter")) return false; // keeps its words when the list is replaced
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].some((option) => option.defaultSelected) ? -1 : 0;
    return [...field.options].some((option, index) => option.selected !== (option.defaultSelected || index === first));
  }
  if (field instanceof HTMLInputElement && isTicked(field)) return field.checked !== field.defaultChecked;
  // What was refused is still being filled in
  return field.value !== ("typed" in field.dataset ? "" : field.defaultValue);
}

/**
 * @param {string | undefined} sentence
 * @param {string} [action]
 */
function remark(sentence, action) {
  const id = "pulse-remark";
  const shown = document.getElementById(id);
  if (shown ? shown.dataset.said === sentence : !sentence) return; // once is enough, however often it is so
  const back = holdPosition(live());
  shown?.remove();
  if (!sentence) return back(live());
  const note = Object.assign(document.createElement("p"), { id, className: "note pulse" });
  note.dataset.said = sentence;
  document.getElementById("say").textContent = sentence;
  note.append(sentence, " ");
  if (action) {
    const button =
      Object.assign(document.createElement("button"), { type: "button", className: "btn small", textContent: action });
    button.addEventListener("click", () => bring(true));
    note.append(button);
  }
  live().before(note);
  back(live());
}

/**
 * What stands above the part that follows: the name, what it counts for, the ways to the other pages.
 * @param {Document} page
 */
function showHead(page) {
  document.title = page.title;
  const [head, fresh] =
    [document, page].map((one) => /** @type {HTMLElement} */ (one.querySelector(".tournament-head")));
  if (head.outerHTML === fresh.outerHTML) return;
  const back = holdPosition(head);
  head.replaceWith(fresh);
  back(fresh);
}

/** The page is gone or no longer for this person: go to the list it was on; without one, reload, which says why. */
function leave() {
  const { home } = live().dataset;
  if (home && home !== location.pathname) location.replace(home);
  else location.reload();
}

/**
 * Fetch the page, and show it; if it does not come, say so. isAsked: by the reader, who may have begun to fill
 * something in. Returns whether it is shown.
 * @param {boolean} isAsked
 * @returns {Promise<boolean>}
 */
async function bring(isAsked) {
  try {
    return await refresh(isAsked);
  } catch {
    remark(live().dataset.lost); // until the next word asks again
    return false;
  }
}

/**
 * @param {boolean} isAsked
 * @returns {Promise<boolean>}
 */
async function refresh(isAsked) {
  const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) });
  if (NO_MORE.includes(answer.status)) {
    leave();
    return false;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("live");
  if (!fresh) {
    location.reload();
    return false;
  }
  await waitForRelease();
  if (!isAsked && isBusy()) return sayChanged(); // begun while the page was on its way
  const waited = live().querySelector("[data-waits]");
  const back = holdPosition(live());
  document.getElementById("pulse-remark")?.remove();
  showHead(page);
  window.htmx.swap("#live", fresh.outerHTML, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
  showClocks();
  showMoments();
  setClock();
  back(live());
  if (isAsked && document.activeElement === document.body) live().focus({ preventScroll: true });
  const table = /** @type {HTMLAnchorElement | null} */ (live().querySelector("[data-summon]"));
  if (waited && table) {
    document.title = waited.dataset.waits ?? "";
    location.assign(table.href);
  }
  document.dispatchEvent(new CustomEvent("menagerie:swapped"));
  return true;
}

function sayChanged() {
  remark(live().dataset.changed, live().dataset.look);
  return false;
}

/**
 * Versions begin with a number that grows: a word that was on its way while the page was drawn is none.
 * @param {string} version
 * @param {string} other
 */
function isOlder(version, other) {
  return parseInt(version, 10) < parseInt(other, 10);
}

/**
 * @param {string} version
 * @returns {Promise<unknown>}
 */
async function settle(version) {
  heard = version;
  const part = live();
  if (version === part.dataset.version) return isLost || remark(""); // the page is the present after all
  if (version === fetched || isFetching || isOlder(version, part.dataset.version ?? "")) return;
  if (document.hidden && !part.querySelector("[data-waits]")) {
    document.dispatchEvent(new CustomEvent("menagerie:heard"));
    return; // told again as soon as it is looked at
  }
  if (isBusy()) return sayChanged();
  isFetching = true;
  await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS)); // not a whole club at the same moment
  if (await bring(false)) fetched = version;
  isFetching = false;
  if (heard !== version) settle(heard); // told while the page was on its way
}

/** @param {boolean} is */
function lose(is) {
  if (is === isLost) return;
  isLost = is;
  remark(is ? live().dataset.lost : "");
}

for (const kind of ["input", "keydown", "focusin", "pointerdown"])
  addEventListener(kind, () => (touched = performance.now()));

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tick-all]");
  if (!button) return;
  /** @type {NodeListOf<HTMLInputElement>} */
  const named = document.querySelectorAll(`input[name="${button.dataset.tickAll}"]`);
  const boxes = [...named].filter((box) => !box.closest(".left-out")); // those that a search has left
  const tick = boxes.some((box) => !box.checked);
  for (const box of boxes) box.checked = tick;
});

const part = document.getElementById("live");
const { pulse, socket = "" } = part?.dataset ?? {};
if (part) noteOpenDetails(part);
showClocks();
setClock();
if (document.querySelector("[data-countdown]") || pulse) setInterval(tick, 500);
if (pulse) followVersion({ socket, pulse, hear: settle, lose });
