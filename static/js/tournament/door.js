// The door: names are found while somebody types, Enter checks in the first one found, and one tap takes it back.

import { followVersion, PAGE_TIMEOUT_MS } from "../page/version-feed.js";
import { waitForRelease } from "../page/press-guard.js";

const LOOK_MS = 400; // between two looks at what the camera shows
const GATHER_MS = 1_500; // other doors and phones check in many people: fetched once for all of them
/** Letters with a stroke and ligatures, which Unicode does not take apart; the server spells names in the same way. */
const LETTERS = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i", æ: "ae", œ: "oe", ß: "ss" };

const door = /** @type {HTMLElement} */ (document.querySelector(".door"));
const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const box = /** @type {HTMLInputElement | null} */ (document.getElementById("door-q"));
const list = /** @type {HTMLElement | null} */ (document.querySelector(".door-names"));
const said = /** @type {HTMLElement | null} */ (document.querySelector(".door-said"));
const camera = /** @type {HTMLVideoElement | null} */ (document.getElementById("door-camera"));
let known = live.dataset.version ?? "";
let chosen = 0; // among the rows that are found: the one that Enter checks in
let gathering = 0;

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

/** Show the rows in which each word of the search begins a word of the name. The server puts those missing first. */
function filter() {
  const sought = words(box?.value ?? "");
  for (const row of rows()) {
    const there = (row.dataset.words ?? "").split(" ");
    row.hidden = !sought.every((part) => there.some((word) => word.startsWith(part)));
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
 * Tell what was done, with a button that takes it back.
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
    put(told);
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
function put(told) {
  known = told.version;
  count(told);
  const old = document.getElementById(`p${told.row.id}`);
  if (old) old.outerHTML = told.row.html;
  else list?.insertAdjacentHTML("afterbegin", told.row.html);
}

/** @param {Record<string, unknown>} counts */
function count(counts) {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (door.querySelectorAll("[data-count]")))
    one.textContent = String(counts[one.dataset.count ?? ""]);
}

/** Others have changed something: the whole list once more, as soon as nothing is pressed. */
async function fetchList() {
  gathering = 0;
  const headers = { Accept: "application/json" };
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const answer = await fetch(location.pathname, { headers, cache: "no-store", signal }).catch(() => null);
  if (!answer?.ok || !list) return; // the next word asks again
  const told = await answer.json();
  await waitForRelease();
  known = told.version;
  count(told);
  list.innerHTML = told.html;
  const at = chosen;
  filter();
  chosen = at;
  mark();
}

/** The camera of a phone reads the codes of people until it is turned off. */
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
