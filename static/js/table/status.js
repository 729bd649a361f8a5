// Shows the state of a table: whose turn it is (title, tab icon, sound, notification), who is here, the connection.

import { recall, remember } from "../page/device-settings.js";
import { playSound } from "./sounds.js";
import { find, words } from "./words.js";

const title = document.title;
const favicon = /** @type {HTMLLinkElement | null} */ (find("favicon"));
/** @param {string} text */
const say = (text) => (document.getElementById("say").textContent = text);
const isMine = () => find("action")?.classList.contains("mine") ?? false;
let wasMine = false;

// --- the menu to leave, pause or end: a press beside it or Escape closes it ------------------------------

/** @returns {HTMLDetailsElement | null} */
const findWays = () => document.querySelector("#ways > details[open]");

document.addEventListener("pointerdown", ({ target }) => {
  const ways = findWays();
  if (ways && !ways.contains(/** @type {Node} */ (target))) ways.open = false;
});
document.addEventListener("keydown", ({ key }) => {
  const ways = key === "Escape" ? findWays() : null;
  if (!ways) return;
  ways.open = false;
  ways.querySelector("summary")?.focus();
});
// When the menu is closed, the confirmation for ending the game is closed, too.
document.addEventListener("toggle", ({ target }) => {
  const ways = /** @type {HTMLDetailsElement} */ (target);
  if (ways.matches("#ways > details") && !ways.open) find("ending")?.removeAttribute("open");
}, true);

// --- my turn -----------------------------------------------------------------------------------------

const VIBRATION_MS = 60;
const AFTER_PLAY_S = 0.15; // delay, so that the sound of the last move is heard first
let hasSound = recall("sound");
let hasNotes = recall("notify") && "Notification" in window && Notification.permission === "granted";

function announceTurn() {
  const mine = isMine();
  document.title = mine ? `● ${words.turn} · ${title}` : title;
  if (favicon) favicon.href = (mine ? favicon.dataset.turn : favicon.dataset.calm) ?? "";
  if (mine && !wasMine) {
    playSound("turn", { delay: AFTER_PLAY_S });
    if (recall("vibrate")) navigator.vibrate?.(VIBRATION_MS);
    if (hasNotes && document.hidden) void notify();
  }
  wasMine = mine;
}

// Uses the service worker if there is one, so that this notification and a push message about this table replace each
// other.
async function notify() {
  const table = document.querySelector("[data-table]")?.dataset.table;
  const options = { body: words.notify_body, tag: `table/${table}`, icon: favicon?.dataset.turn };
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) return registration.showNotification(words.turn, { ...options, data: { path: location.pathname } });
  const note = new Notification(words.turn, options);
  note.onclick = () => (window.focus(), note.close());
}

function showTools() {
  const sound = find("sound");
  sound?.setAttribute("aria-pressed", String(hasSound));
  if (sound?.firstElementChild) sound.firstElementChild.className = hasSound ? "ico sound" : "ico mute";
  find("notify")?.setAttribute("aria-pressed", String(hasNotes));
}

const sound = find("sound");
if (sound) {
  sound.hidden = false;
  sound.addEventListener("click", () => {
    hasSound = !hasSound;
    remember("sound", hasSound ? "1" : "");
    showTools();
    say(hasSound ? words.sound_on : words.sound_off);
    playSound("turn");
  });
}
const notes = find("notify");
if (notes && "Notification" in window && isSecureContext) {
  notes.hidden = false;
  notes.addEventListener("click", async () => {
    const allowed = hasNotes || (await Notification.requestPermission()) === "granted";
    hasNotes = allowed && !hasNotes;
    remember("notify", hasNotes ? "1" : "");
    showTools();
    if (!allowed) say(words.notify_denied);
  });
}

// --- who is here, and the state of the connection ------------------------------------------------------

/** @type {Presence | null} */
let present = null;

function showPresence() {
  if (!present) return;
  for (const place of document.querySelectorAll(".seats li")) {
    const isPerson = !place.querySelector(".bot");
    const isHere = present.seats.includes(Number(place.dataset.seat));
    place.classList.toggle("here", isPerson && isHere);
    place.classList.toggle("gone", isPerson && !isHere);
  }
  const watchers = find("watchers");
  if (watchers) {
    watchers.hidden = !present.watchers;
    watchers.textContent = words.watchers.replace("%(count)s", String(present.watchers));
  }
}

document.addEventListener("menagerie:presence", ({ detail }) => {
  present = detail;
  showPresence();
});

document.addEventListener("menagerie:connection", ({ detail: { state } }) => {
  showConnection(state);
  if (state !== "live" && state !== "reconnecting") forgetPresence();
});

/** Without a socket the page does not learn who comes and goes. */
function forgetPresence() {
  present = null;
  for (const place of document.querySelectorAll(".seats li")) place.classList.remove("here", "gone");
  const watchers = find("watchers");
  if (watchers) watchers.hidden = true;
}

/** @param {ConnectionState} state */
function showConnection(state) {
  const line = find("connection");
  if (!line) return;
  line.hidden = false;
  line.dataset.state = state;
  if (line.firstElementChild) line.firstElementChild.textContent = words[state];
  document.body.classList.toggle("stale", state === "reconnecting");
}

// --- the log, and the way to the cards by keyboard -------------------------------------------------------

/** @param {HTMLElement | null} log */
function toEnd(log) {
  if (log) log.scrollTop = log.scrollHeight;
}

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "log" || detail.id === "board") toEnd(find("log"));
  if (detail.id === "board" || detail.id.startsWith("seat")) showPresence();
  if (detail.id === "action" || detail.id === "board") announceTurn();
});

toEnd(find("log"));
if (words.turn) announceTurn();
showTools();
const { connection } = document.documentElement.dataset;
if (connection) showConnection(/** @type {ConnectionState} */ (connection));

/**
 * While no element has the focus, as after the page has loaded, an arrow key goes to the cards or tiles. Their box has
 * their selector in `data-pieces`.
 */
document.addEventListener("keydown", (event) => {
  const active = document.activeElement;
  const isNowhere = active === document.body || active === document.getElementById("main");
  if (!isNowhere || !["ArrowLeft", "ArrowRight"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey)
    return;
  for (const box of document.querySelectorAll("#board [data-pieces]")) {
    const piece = box.querySelector(`:is(${box.dataset.pieces}):not([tabindex='-1'])`);
    if (!piece) continue;
    event.preventDefault();
    return piece.focus();
  }
});
