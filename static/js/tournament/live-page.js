// Keeps a tournament's page up to date: when it receives a new version, it fetches itself again.
// It is not replaced while a form is being filled in. A message says then that something has changed.

import { followVersion, PAGE_TIMEOUT_MS } from "../page/version-feed.js";
import { holdPosition, noteOpenDetails } from "../page/reading-position.js";
import { waitForRelease } from "../page/press-guard.js";
import { showHours, showMoments } from "../page/local-times.js";

const SPREAD_MS = 500; // longest random wait before fetching, so that a whole club does not fetch at once
const LINGER_MS = 20_000; // a focused field that has not been touched for this long is not being filled in
const live = () => /** @type {HTMLElement} */ (document.getElementById("live"));
const NO_MORE = [403, 404]; // not allowed any more, or removed
let fetched = ""; // the version for which the page was fetched last
let heard = ""; // the newest version received
let isFetching = false;
let isLost = false; // neither the socket nor polling works
let touched = performance.now(); // the last key, press or focus
let offset = 0; // the server's clock minus the device's, in ms

/** Updates all countdowns, by the server's clock. */
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
  if (open.some((details) => details.querySelector("form") && details.contains(document.activeElement))) return true;
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
 * Whether the field has another value than the one that the server rendered.
 * @param {Field} field
 */
function isFilledIn(field) {
  if (field.classList.contains("list-filter")) return false; // keeps its words when the list is replaced
  if (field instanceof HTMLSelectElement) {
    const first = [...field.options].some((option) => option.defaultSelected) ? -1 : 0;
    return [...field.options].some((option, index) => option.selected !== (option.defaultSelected || index === first));
  }
  if (field instanceof HTMLInputElement && isTicked(field)) return field.checked !== field.defaultChecked;
  // The value of a refused form is rendered by the server, but the reader has typed it ("typed").
  return field.value !== ("typed" in field.dataset ? "" : field.defaultValue);
}

/**
 * @param {string | undefined} sentence
 * @param {string} [action]
 */
function showRemark(sentence, action) {
  const id = "pulse-remark";
  const shown = document.getElementById(id);
  if (shown ? shown.dataset.said === sentence : !sentence) return; // it is shown already
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
    button.addEventListener("click", () => fetchAndShow(true));
    note.append(button);
  }
  live().before(note);
  back(live());
}

/**
 * Replaces the head of the page: the tournament's name, the season it counts for, the links to its other pages.
 * @param {Document} page
 */
function showHead(page) {
  document.title = page.title;
  const [head, fresh] =
    [document, page].map((part) => /** @type {HTMLElement} */ (part.querySelector(".tournament-head")));
  if (head.outerHTML === fresh.outerHTML) return;
  const back = holdPosition(head);
  head.replaceWith(fresh);
  back(fresh);
}

/** The page is gone or not allowed any more: opens the list it was on; without one, reloads, and that page says why. */
function leave() {
  const { home } = live().dataset;
  if (home && home !== location.pathname) location.replace(home);
  else location.reload();
}

/**
 * Fetches the page and shows it, or says that this has failed. isAsked: the reader has asked for it, so a form that
 * they have begun to fill in is replaced. Returns whether it is shown.
 * @param {boolean} isAsked
 * @returns {Promise<boolean>}
 */
async function fetchAndShow(isAsked) {
  try {
    return await refresh(isAsked);
  } catch {
    showRemark(live().dataset.lost); // until the next version received fetches again
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
  if (!isAsked && isBusy()) return sayChanged(); // the reader began to fill in a form meanwhile
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
  showRemark(live().dataset.changed, live().dataset.look);
  return false;
}

/**
 * Whether `version` is older than `other`. Versions begin with a number that grows. A message may be older than the
 * page, if it was sent while the page was being rendered.
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
  if (version === part.dataset.version) return isLost || showRemark(""); // the page is up to date again
  if (version === fetched || isFetching || isOlder(version, part.dataset.version ?? "")) return;
  if (document.hidden && !part.querySelector("[data-waits]")) {
    document.dispatchEvent(new CustomEvent("menagerie:heard"));
    return; // the version is received again when the page is shown
  }
  if (isBusy()) return sayChanged();
  isFetching = true;
  await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS));
  if (await fetchAndShow(false)) fetched = version;
  isFetching = false;
  if (heard !== version) settle(heard); // received while the page was being fetched
}

/** @param {boolean} is */
function lose(is) {
  if (is === isLost) return;
  isLost = is;
  showRemark(is ? live().dataset.lost : "");
}

for (const kind of ["input", "keydown", "focusin", "pointerdown"])
  addEventListener(kind, () => (touched = performance.now()));

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tick-all]");
  if (!button) return;
  /** @type {NodeListOf<HTMLInputElement>} */
  const named = document.querySelectorAll(`input[name="${button.dataset.tickAll}"]`);
  const boxes = [...named].filter((box) => !box.closest(".left-out")); // without rows that a search has filtered out
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
