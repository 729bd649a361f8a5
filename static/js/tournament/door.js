// Check-in at the door: filters names while the organiser types, Enter checks in the chosen one, one tap undoes it.

import { followVersion, PAGE_TIMEOUT_MS } from "../page/version-feed.js";
import { waitForRelease } from "../page/press-guard.js";

const LOOK_MS = 400; // between two searches for a code in the camera's picture
const GATHER_MS = 1_500; // changes on other devices within this time are fetched together
/** Letters with strokes and ligatures, which NFKD does not decompose. The server folds names in the same way. */
const LETTERS = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i", æ: "ae", œ: "oe", ß: "ss" };

const door = /** @type {HTMLElement} */ (document.querySelector(".door"));
const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const box = /** @type {HTMLInputElement | null} */ (document.getElementById("door-q"));
const list = /** @type {HTMLElement | null} */ (document.querySelector(".door-names"));
const said = /** @type {HTMLElement | null} */ (document.querySelector(".door-said"));
const camera = /** @type {HTMLVideoElement | null} */ (document.getElementById("door-camera"));
let known = live.dataset.version ?? ""; // the version that the list shows
let chosen = 0; // index, among the rows found, of the one that Enter checks in
let gathering = 0; // the timer of the next fetch; 0 while none is planned

/** @param {string} text */
function spell(text) {
  const bare = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return [...bare].map((letter) => LETTERS[/** @type {keyof typeof LETTERS} */ (letter)] ?? letter).join("");
}

/** @param {string} text */
const words = (text) => spell(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

const rows = () => /** @type {HTMLElement[]} */ ([...(list?.children ?? [])]);
const found = () => rows().filter((row) => !row.hidden);
const buttonOf = (/** @type {HTMLElement | undefined} */ row) =>
  /** @type {HTMLButtonElement | null | undefined} */ (row?.querySelector("[name=here]"));

/** Shows the rows with names in which each word of the search begins a word. The server lists missing people first. */
function filter() {
  const sought = words(box?.value ?? "");
  for (const row of rows()) {
    const named = (row.dataset.words ?? "").split(" ");
    row.hidden = !sought.every((part) => named.some((word) => word.startsWith(part)));
  }
  chosen = 0;
  mark();
}

function mark() {
  const open = found().filter(buttonOf);
  const isSearch = Boolean(box?.value.trim());
  chosen = Math.max(0, Math.min(chosen, open.length - 1));
  for (const row of rows()) row.classList.toggle("chosen", isSearch && row === open[chosen]);
  open[chosen]?.scrollIntoView({ block: "nearest" });
  const add = /** @type {HTMLElement} */ (document.querySelector(".door-add"));
  const isCode = isLink(box?.value ?? "");
  add.hidden = !isSearch || isCode || found().length > 0;
  const button = /** @type {HTMLButtonElement} */ (add.querySelector("button"));
  button.value = box?.value.trim() ?? "";
  button.textContent = (door.dataset.add ?? "").replace("%s", button.value);
}

/** @param {string} text */
const isLink = (text) => /\/claim\/[a-z0-9]+\/?$/.test(text.trim());

/**
 * Says what was done, with a button that undoes it.
 * @param {string} sentence
 * @param {HTMLElement | null} [undo]
 */
function tell(sentence, undo) {
  said?.replaceChildren(sentence, ...(undo ? [" ", undo] : []));
}

/**
 * @param {string} name
 * @param {string} value
 */
async function send(name, value) {
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const body = new URLSearchParams({ [name]: value });
  try {
    const answer = await fetch(door.dataset.url ?? "", {
      method: "POST",
      body,
      headers,
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    });
    const told = await answer.json();
    if (!answer.ok) return tell(told.sentence);
    replaceRow(told);
    const back = document.getElementById(`p${told.row.id}`)?.querySelector("[name=missing]");
    const undo = name === "missing" ? null : /** @type {HTMLElement | null | undefined} */ (back?.cloneNode(true));
    tell(told.sentence, undo ?? null);
    if (name !== "missing" && box) box.value = "";
  } catch {
    return tell(document.documentElement.dataset.offline ?? "");
  }
  filter();
  box?.focus();
}

/**
 * @param {{ version: string, here: number, missing: number, waiting: number, row: { id: number, html: string } }} told
 */
function replaceRow(told) {
  known = told.version;
  count(told);
  const old = document.getElementById(`p${told.row.id}`);
  if (old) old.outerHTML = told.row.html;
  else list?.insertAdjacentHTML("afterbegin", told.row.html);
}

/** @param {Record<string, unknown>} counts */
function count(counts) {
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (door.querySelectorAll("[data-count]")))
    figure.textContent = String(counts[figure.dataset.count ?? ""]);
}

/** Fetches the whole list, because other devices have changed it, and shows it as soon as nothing is pressed. */
async function fetchList() {
  gathering = 0;
  const headers = { Accept: "application/json" };
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const answer = await fetch(location.pathname, { headers, cache: "no-store", signal }).catch(() => null);
  if (!answer?.ok || !list) return; // the next version received fetches again
  const told = await answer.json();
  await waitForRelease();
  known = told.version;
  count(told);
  list.innerHTML = told.html;
  const before = chosen;
  filter();
  chosen = before;
  mark();
}

/** Reads people's codes with the phone's camera, until it is turned off. */
async function scan() {
  if (!camera) return;
  if (camera.srcObject) return stopScan();
  try {
    camera.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    return;
  }
  camera.hidden = false;
  await camera.play();
  const detector = new window.BarcodeDetector({ formats: ["qr_code"] });
  let last = "";
  while (camera.srcObject) {
    const [code] = await detector.detect(camera).catch(() => []);
    if (code && code.rawValue !== last && isLink(code.rawValue)) {
      last = code.rawValue;
      await send("code", last);
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

function stopScan() {
  const stream = /** @type {MediaStream | null} */ (camera?.srcObject ?? null);
  for (const track of stream?.getTracks() ?? []) track.stop();
  if (!camera) return;
  camera.srcObject = null;
  camera.hidden = true;
}

if (box && list) {
  box.addEventListener("input", filter);
  box.addEventListener("keydown", (event) => {
    const by = Number(event.key === "ArrowDown") - Number(event.key === "ArrowUp");
    if (!by) return;
    event.preventDefault();
    chosen += by;
    mark();
  });
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!door.contains(form)) return;
    event.preventDefault();
    const pressed = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (pressed?.name) return void send(pressed.name, pressed.value);
    if (isLink(box.value)) return void send("code", box.value.trim());
    const open = found().map(buttonOf).filter(Boolean);
    if (box.value.trim() && open.length) return void send("here", open[chosen]?.value ?? "");
    const add = /** @type {HTMLElement} */ (document.querySelector(".door-add"));
    if (!add.hidden) add.querySelector("button")?.focus(); // a second Enter adds the walk-in
  });
  door.addEventListener("click", (event) => {
    const undo = event.target.closest(".door-said [name=missing]");
    if (undo instanceof HTMLButtonElement) send("missing", undo.value);
  });
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("door-scan"));
  button.hidden = !("BarcodeDetector" in window) || !navigator.mediaDevices;
  button.addEventListener("click", scan);
  filter();
}
followVersion({
  socket: live.dataset.socket ?? "",
  pulse: live.dataset.pulse ?? "",
  hear: (version) => {
    if (version !== known && !gathering) gathering = window.setTimeout(fetchList, GATHER_MS);
  },
  lose: (isLost) => isLost && tell(live.dataset.lost ?? ""),
});
