// The hall display turns its sheets over, each as large as the screen allows, counts down by the server's clock, and
// fetches itself anew when something has changed. It says when it has lost the server.

import { followVersion, PAGE_TIMEOUT_MS } from "../page/version-feed.js";
import { waitForRelease } from "../page/press-guard.js";

/**
 * @typedef {{ columns: number, size: number }} Arrangement
 *   how many tables, or columns of names, stand side by side, and the size of letters
 */

const TURN_MS = 12_000;
const HURRY_S = 60;
const LEAST = 0.4; // of the usual size of letters
const STEP = 0.02;
const MAX_COLUMNS = 5; // of tables, or of names
const WHOLE_NAMES = 0.75; // of its letters a sheet may give up for names that are not parted
const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const hall = () => find("hall");
const head = () => hall().querySelector("header")?.offsetHeight ?? 0;
const sheets = () => [...document.querySelectorAll(".sheet")];
let at = 0;
let headed = 0; // how high the head was when the sheet was fitted: its words may come to need a line more
let isHeld = false;
let fetched = ""; // the version for which the sheets were fetched last
let heard = ""; // the version that was told last
let isFetching = false;
let isLost = false; // nobody tells us anything
let isBehind = false; // the sheets did not come when they were fetched last
let offset = Number(hall().dataset.now) - Date.now();
/** @type {AudioContext | undefined} browsers let a page sound once somebody has touched it */
let audio;
let rang = new URLSearchParams(location.hash.slice(1)).get("rang") ?? "";

function show() {
  count();
  const all = sheets();
  if (at >= all.length) at = 0;
  all.forEach((sheet, index) => (sheet.hidden = index !== at));
  for (const id of ["hold", "next"]) find(id).hidden = all.length < 2;
  find("hold").setAttribute("aria-pressed", String(isHeld));
  find("whole").hidden = !document.documentElement.requestFullscreen;
  find("sound").hidden = !hall().dataset.sound || Boolean(navigator.userActivation?.hasBeenActive);
  fit();
}

/**
 * The letters of the sheet that is shown, as large as they may be; long names in one piece, unless that costs too much.
 */
function fit() {
  headed = head();
  const sheet = document.querySelector(".sheet:not([hidden])");
  if (!sheet) return;
  sheet.classList.remove("parts-names");
  const whole = arrange(sheet);
  sheet.classList.add("parts-names");
  const parted = arrange(sheet);
  if (whole.size < parted.size * WHOLE_NAMES) return;
  sheet.classList.remove("parts-names");
  set(sheet, whole);
  if (isInside(sheet)) return; // else even the smallest letters leave no room for a name in one piece
  sheet.classList.add("parts-names");
  set(sheet, parted);
}

/**
 * Whether nothing of the sheet, and no name on it, sticks out to the side.
 * @param {HTMLElement} sheet
 * @returns {boolean}
 */
function isInside(sheet) {
  return [sheet, ...sheet.querySelectorAll("li")].every((one) => one.scrollWidth <= one.clientWidth);
}

/**
 * Sets, and returns, how many tables, or columns of names, stand side by side, so that the letters can be largest, and
 * their size.
 * @param {HTMLElement} sheet
 * @returns {Arrangement}
 */
function arrange(sheet) {
  const most = Math.min(MAX_COLUMNS, Math.max(1, sheet.querySelectorAll(".hall-pods > li, .hall-names > li").length));
  let best = { columns: 1, size: LEAST };
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
 * Sets, and returns, the largest size (from this one up to --most) with all of the sheet on the screen.
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
  at = (at + by + sheets().length) % Math.max(1, sheets().length);
  show();
}

function tick() {
  count();
  if (head() !== headed) fit();
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

/** Three strokes of a bell. */
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
    isBehind = true; // the next word asks again
  }
  isFetching = false;
  sayLost();
  if (heard !== version) settle(heard); // told while the sheets were on their way
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
