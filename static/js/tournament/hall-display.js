// The hall display: shows one sheet after the other with letters as large as the screen allows, counts down by the
// server's clock, and fetches itself again when something has changed. It says when it has lost the server.

import { followVersion, PAGE_TIMEOUT_MS } from "../page/version-feed.js";
import { waitForRelease } from "../page/press-guard.js";

/**
 * @typedef {{ columns: number, size: number }} Arrangement
 *   how many tables, or columns of names, stand side by side, and the size of letters
 */

const TURN_MS = 12_000; // how long a sheet is shown
const HURRY_S = 60; // the time left from which the countdown is marked
const MIN_SIZE = 0.4; // smallest letters, as a share of the usual size
const STEP = 0.02; // how exactly the largest size is searched, as a share of the usual size
const MAX_COLUMNS = 5; // of tables, or of names
const WHOLE_NAMES = 0.75; // names stay on one line if the letters are at least this share of the size with broken names
const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const hall = () => find("hall");
const head = () => hall().querySelector("header")?.offsetHeight ?? 0;
const sheets = () => [...document.querySelectorAll(".sheet")];
let shown = 0; // index of the sheet that is shown
let fittedHead = 0; // height of the head in pixels when the sheet was fitted; its text may need another line later
let isHeld = false; // the sheets do not turn
let fetched = ""; // the version for which the sheets were fetched last
let heard = ""; // the newest version received
let isFetching = false;
let isLost = false; // neither the socket nor polling works
let isBehind = false; // fetching the sheets has failed
let offset = Number(hall().dataset.now) - Date.now(); // the server's clock minus the device's, in ms
/** @type {AudioContext | undefined} browsers play nothing before somebody has touched the page */
let audio;
let rang = new URLSearchParams(location.hash.slice(1)).get("rang") ?? "";

function show() {
  count();
  const all = sheets();
  if (shown >= all.length) shown = 0;
  all.forEach((sheet, index) => (sheet.hidden = index !== shown));
  for (const id of ["hold", "next"]) find(id).hidden = all.length < 2;
  find("hold").setAttribute("aria-pressed", String(isHeld));
  find("whole").hidden = !document.documentElement.requestFullscreen;
  find("sound").hidden = !hall().dataset.sound || Boolean(navigator.userActivation?.hasBeenActive);
  fit();
}

/**
 * Makes the letters of the shown sheet as large as possible. Long names stay on one line, unless that makes the letters
 * too small.
 */
function fit() {
  fittedHead = head();
  const sheet = document.querySelector(".sheet:not([hidden])");
  if (!sheet) return;
  sheet.classList.remove("parts-names");
  const whole = arrange(sheet);
  sheet.classList.add("parts-names");
  const parted = arrange(sheet);
  if (whole.size < parted.size * WHOLE_NAMES) return;
  sheet.classList.remove("parts-names");
  set(sheet, whole);
  if (isInside(sheet)) return; // otherwise a name needs more than a line even with the smallest letters
  sheet.classList.add("parts-names");
  set(sheet, parted);
}

/**
 * Whether the sheet and all names on it fit their width.
 * @param {HTMLElement} sheet
 * @returns {boolean}
 */
function isInside(sheet) {
  return [sheet, ...sheet.querySelectorAll("li")].every((part) => part.scrollWidth <= part.clientWidth);
}

/**
 * Sets and returns the number of columns (of tables or of names) that allows the largest letters, and the size of
 * these.
 * @param {HTMLElement} sheet
 * @returns {Arrangement}
 */
function arrange(sheet) {
  const most = Math.min(MAX_COLUMNS, Math.max(1, sheet.querySelectorAll(".hall-pods > li, .hall-names > li").length));
  let best = { columns: 1, size: MIN_SIZE };
  for (let columns = most; columns > 0; columns -= 1) {
    set(sheet, { columns, size: best.size });
    const size = grow(sheet, best.size);
    if (size > best.size) best = { columns, size };
  }
  set(sheet, best);
  return best;
}

/**
 * @param {HTMLElement} sheet
 * @param {Arrangement} arrangement
 */
function set(sheet, { columns, size }) {
  sheet.style.setProperty("--columns", `repeat(${columns}, minmax(0, 1fr))`);
  sheet.style.setProperty("--count", String(columns));
  sheet.style.setProperty("--fit", String(size));
}

/**
 * Sets and returns the largest size, from `least` up to --most, at which the whole sheet is on the screen.
 * @param {HTMLElement} sheet
 * @param {number} least
 * @returns {number}
 */
function grow(sheet, least) {
  const holds = (/** @type {number} */ size) => {
    sheet.style.setProperty("--fit", String(size));
    return document.documentElement.scrollHeight <= innerHeight && isInside(sheet);
  };
  let [small, large] = [least, Number(getComputedStyle(sheet).getPropertyValue("--most")) || 1];
  if (small >= large || !holds(small + STEP)) return small;
  if (holds(large)) return large;
  while (large - small > STEP) {
    const size = (small + large) / 2;
    if (holds(size)) small = size;
    else large = size;
  }
  return small;
}

function turn(by = 1) {
  shown = (shown + by + sheets().length) % Math.max(1, sheets().length);
  show();
}

function tick() {
  count();
  if (head() !== fittedHead) fit();
}

function count() {
  const clock = document.querySelector("[data-ends]");
  if (!clock) return;
  const left = Math.ceil((Number(clock.dataset.ends) - Date.now() - offset) / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  clock.textContent = left > 0 ? `${Math.floor(left / 60)}:${two(left % 60)}` : (clock.dataset.over ?? "");
  clock.classList.toggle("hurry", left > 0 && left <= HURRY_S);
  clock.classList.toggle("over", left <= 0);
  if (left <= 0 && left > -20 && hall().dataset.sound && rang !== clock.dataset.ends) {
    rang = clock.dataset.ends ?? "";
    ring();
  }
}

/** Plays three strokes of a bell. */
function ring() {
  const context = (audio ??= new AudioContext());
  [0, 0.9, 1.8].forEach((wait) => {
    const start = context.currentTime + wait;
    const tone = new OscillatorNode(context, { frequency: 784, type: "triangle" });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(0.4, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 1.4);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + 1.5);
  });
}

/** @param {string} version */
async function settle(version) {
  heard = version;
  if (version === hall().dataset.version) isBehind = false;
  if (version === hall().dataset.version || version === fetched || isFetching) return;
  isFetching = true;
  try {
    await refresh();
    fetched = version;
    isBehind = false;
  } catch {
    isBehind = true; // the next version received fetches again
  }
  isFetching = false;
  sayLost();
  if (heard !== version) settle(heard); // received while the sheets were being fetched
}

function sayLost() {
  /** @type {HTMLElement} */ (document.querySelector("#hall .lost")).hidden = !isLost && !isBehind;
}

async function refresh() {
  const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = /** @type {HTMLElement} */ (page.getElementById("hall"));
  await waitForRelease();
  document.title = page.title;
  offset = Number(fresh.dataset.now) - Date.now();
  const focused = document.activeElement?.id;
  window.htmx.swap("#hall", fresh.outerHTML, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
  show();
  if (focused) document.getElementById(focused)?.focus();
}

document.addEventListener("click", (event) => {
  if (event.target.id === "hold") (isHeld = !isHeld), show();
  if (event.target.id === "next") turn();
  if (event.target.id === "whole") document.documentElement.requestFullscreen();
  if (event.target.id === "sound") ring();
  show();
});
addEventListener("resize", fit);
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") turn();
  if (event.key === "ArrowLeft") turn(-1);
});

show();
setInterval(tick, 500);
followVersion({
  socket: hall().dataset.socket ?? "",
  pulse: hall().dataset.pulse ?? "",
  hear: settle,
  lose: (is) => {
    isLost = is;
    sayLost();
  },
});
setInterval(() => isHeld || turn(), TURN_MS);
