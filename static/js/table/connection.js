// The table's live connection: a socket with a heartbeat, and polling over HTTP while the socket fails.
// The page shows what the server last sent, and says so when that may be out of date.

import { parseUpdate, swapRegion, tell } from "./regions.js";
import { setServerClock } from "./server-clock.js";

const board = () => /** @type {HTMLElement} */ (document.getElementById("board"));
const table = document.querySelector("[data-table]");
const PING_MS = 10_000;
const OPEN_MS = 20_000; // a socket that has not opened by then is given up
const ANSWER_MS = 8_000; // a socket without an answer to a heartbeat for this long is dead; a message is sent again
const LOOK_MS = 1_000; // between two checks whether the socket is dead
const POLL_MS = 2_000;
// Waits before each new socket, times 0.5 to 1.5 at random: less than 5 s after the server is back, all are connected.
const RETRY_MS = [250, 500, 1_000, 2_000, 3_000];
/** @type {Record<number, ConnectionState>} close codes: too many open tables */
const CROWDED = { 4429: "crowded_network", 4430: "crowded_person" };
const CROWDED_MS = 30_000; // wait before a new socket after one of these
const POLL_AFTER = 2; // failed sockets in a row until the page polls as well

/**
 * @typedef {{ type: "move" | "contribute" | "command", key: string, name?: string }} Message
 *   a message to the server, with the fields of its type
 */

/** @typedef {{ message: Message, onTaken?: () => void, timer: number }} Sent */

/**
 * @typedef {{ status: number, sentence: string, ply: number }} Answer
 *   the server's answer to a message; `ply`: of the table after it
 */

/** @type {WebSocket | null} */
let socket = null;
let failures = 0;
let due = 0; // until when something must arrive, in ms of performance.now(); 0 while nothing is awaited
let version = -1;
let ply = -1;
let pollTimer = 0;
let retryTimer = 0;
let isFocusLost = false; // the element of the board that had the focus was removed, and none has it since
/** @type {ConnectionState | ""} which limit of open tables keeps this one from a live connection */
let crowd = "";
/** @type {Map<string, Sent>} moves and commands without an answer yet, by key */
const waiting = new Map();

/**
 * A board's HTML without the time at which it was rendered.
 * @param {string} html
 */
const stripTime = (html) => html.replace(/ data-now="\d+"/, "");
// The board that the page came with; "" after the first update.
let initialBoard = stripTime(document.getElementById("board")?.outerHTML ?? "");

/** @param {string} path */
const url = (path) => `/tables/${table?.dataset.table}/${path}`;
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";

/** @param {ConnectionState} state */
function setState(state) {
  if (document.documentElement.dataset.connection === state) return;
  document.documentElement.dataset.connection = state;
  tell("menagerie:connection", { state });
}

// --- what the server says ------------------------------------------------------------------------

/** @param {string | number | undefined} now */
function noteTime(now) {
  if (now) setServerClock(Number(now));
}

/** @param {string} html */
function apply(html) {
  const root = parseUpdate(html);
  if (!root || Number(root.dataset.version) < version) return;
  noteTime(root.dataset.now);
  version = Number(root.dataset.version);
  ply = Number(root.dataset.ply);
  const hadFocus = board().contains(document.activeElement);
  for (const part of /** @type {HTMLElement[]} */ ([...root.children])) if (!isInitial(part)) swapRegion(part);
  initialBoard = "";
  Object.assign(board().dataset, { ply, version });
  tell("menagerie:updated", { ply, version, full: root.dataset.full === "1" });
  keepFocus(hadFocus);
}

/**
 * Whether the page shows this board already. It is not replaced then, because a button that is pressed would be lost.
 * @param {Element} part
 */
const isInitial = (part) => part.id === "board" && stripTime(part.outerHTML) === initialBoard;

/**
 * Moves the focus to the result at the end of a game, when the element that had it was removed.
 * @param {boolean} hadFocus
 */
function keepFocus(hadFocus) {
  isFocusLost = document.activeElement === document.body && (hadFocus || isFocusLost);
  if (isFocusLost) document.getElementById("outcome")?.focus();
}

/** @param {string} text */
function hear(text) {
  due = 0;
  if (text.startsWith("<")) return apply(text);
  const message = JSON.parse(text);
  if (message.type === "pong") {
    send({ type: "echo", token: message.token }); // at once, because the server measures the round trip
    noteTime(message.now);
    if (message.version > version) send({ type: "ping", version });
  } else if (message.type === "presence") {
    tell("menagerie:presence", { seats: message.seats, watchers: message.watchers });
  } else if (message.type === "talk") {
    tell("menagerie:talk", message);
  } else if (message.type === "answer") {
    settle(message.key, message);
  }
}

/**
 * @param {string} key
 * @param {Answer} answer
 */
function settle(key, { status, sentence, ply: then }) {
  const sent = drop(key);
  if (status === 200) sent?.onTaken?.();
  tell("menagerie:answered", { key, status, isShown: status !== 200 || then <= ply });
  if (status !== 200) tell("menagerie:refused", { sentence, status });
}

/**
 * Forgets the message with this key: its answer has come, or is not needed any more.
 * @param {string} key
 */
function drop(key) {
  const sent = waiting.get(key);
  waiting.delete(key);
  clearTimeout(sent?.timer);
  return sent;
}

// --- the socket ----------------------------------------------------------------------------------

/**
 * @param {object} message
 * @returns {boolean}
 */
function send(message) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

function connect() {
  clearTimeout(retryTimer);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = `/ws/tables/${table?.dataset.table}/?language=${document.documentElement.lang}`;
  const mine = new WebSocket(`${scheme}://${location.host}${path}`);
  socket = mine;
  due = performance.now() + OPEN_MS;
  mine.onmessage = (event) => {
    if (mine !== socket) return;
    crowd = "";
    if (failures || document.documentElement.dataset.connection !== "live") {
      failures = 0;
      stopPolling();
      setState("live");
      for (const [key, sent] of waiting) resend(key, sent);
    }
    hear(event.data);
  };
  mine.onclose = (event) => {
    if (mine === socket) lose(event.code);
  };
}

/** @param {number} code */
function lose(code) {
  socket = null;
  if (code === 4404 || code === 4403) {
    location.reload(); // the table is gone or not allowed any more; the page that comes says which
    return;
  }
  failures += 1;
  crowd = CROWDED[code] ?? "";
  if (crowd || failures >= POLL_AFTER) startPolling();
  else setState("reconnecting");
  const pause = crowd ? CROWDED_MS : RETRY_MS[Math.min(failures - 1, RETRY_MS.length - 1)];
  retryTimer = window.setTimeout(connect, pause * (0.5 + Math.random())); // spreads the sockets of a whole club
}

/** Gives up a socket on which nothing arrives: its close event would come a minute later. */
function abandon() {
  if (!socket) return;
  socket.onclose = null;
  socket.close();
  lose(0);
}

/** Compares with a deadline instead of counting silence, because browsers delay timers of hidden pages by a minute. */
function watch() {
  if (due && performance.now() > due) abandon();
}

function beat() {
  if (send({ type: "ping", version })) due ||= performance.now() + ANSWER_MS;
}

// --- without a socket ------------------------------------------------------------------------------

function startPolling() {
  if (pollTimer) return;
  setState("reconnecting");
  pollTimer = window.setInterval(poll, POLL_MS);
  poll();
}

function stopPolling() {
  clearInterval(pollTimer);
  pollTimer = 0;
}

async function poll() {
  try {
    const shown = new URLSearchParams({ version: String(version), seat: board().dataset.seat ?? "" });
    const answer =
      await fetch(`${url("board/")}?${shown}`, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    const html = answer.status === 200 ? await answer.text() : "";
    if (!pollTimer) return; // a socket has opened meanwhile and is more recent
    // The table is gone or not allowed any more; the page that comes says which.
    if (answer.status === 403 || answer.status === 404) location.reload();
    if (html) apply(html);
    setState(answer.ok ? crowd || "polling" : "reconnecting");
  } catch {
    if (pollTimer) setState("reconnecting");
  }
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer>}
 */
async function post(path, body) {
  const answer = await fetch(url(path), {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": csrf() },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (pollTimer) await poll();
  return said;
}

// --- what I do -------------------------------------------------------------------------------------

/**
 * @param {string} key
 * @param {Message} message
 * @param {(() => void) | undefined} onTaken
 */
function deliver(key, message, onTaken) {
  /** @type {Sent} */
  const sent = { message, onTaken, timer: window.setTimeout(() => resend(key, sent), ANSWER_MS) };
  waiting.set(key, sent);
  if (send(message)) due ||= performance.now() + ANSWER_MS;
  else postInstead(key, sent);
}

/**
 * @param {string} key
 * @param {Sent} sent
 */
function resend(key, sent) {
  if (!waiting.has(key)) return;
  clearTimeout(sent.timer);
  sent.timer = window.setTimeout(() => resend(key, sent), ANSWER_MS);
  if (!send(sent.message)) postInstead(key, sent); // the server counts a key once, however often it arrives
}

const PATHS = { move: "moves/", contribute: "contribute/", command: "commands/" };

/**
 * @param {string} key
 * @param {Sent} sent
 */
async function postInstead(key, sent) {
  const { type, ...body } = sent.message;
  try {
    const said = await post(PATHS[type], body);
    settle(key, said);
  } catch {
    // There is still no connection; the timer tries again.
  }
}

const makeKey = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;

document.addEventListener("menagerie:move", (event) => {
  const key = makeKey();
  const { move, onTaken } = event.detail;
  deliver(key, /** @type {Message} */ ({ type: "move", ply, key, move }), onTaken);
});

document.addEventListener("menagerie:contribute", (event) => {
  const key = makeKey();
  const { commitment, entropy, onTaken } = event.detail;
  deliver(key, /** @type {Message} */ ({ type: "contribute", key, commitment, entropy }), onTaken);
});

document.addEventListener("menagerie:command", (event) => {
  const key = makeKey();
  const { name, on = true, value } = event.detail;
  // The later command counts, so an earlier one without an answer is not sent again after it.
  for (const [before, { message }] of waiting) if (message.name === name) drop(before);
  deliver(key, /** @type {Message} */ ({ type: "command", key, name, on, value }), undefined);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-command]");
  if (!button) return;
  const { command = "", on, value } = button.dataset;
  tell("menagerie:command", { name: command, on: on !== "0", value });
});

function begin() {
  connect();
  setInterval(watch, LOOK_MS);
  setInterval(beat, PING_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) beat();
  });
  addEventListener("offline", abandon);
  addEventListener("online", () => {
    if (!socket) connect();
  });
}

if (table && document.getElementById("board")) {
  version = Number(board().dataset.version);
  ply = Number(board().dataset.ply);
  noteTime(board().dataset.now);
  setState("reconnecting");
  // Starts when all scripts of the page have run, so that none of them misses the first update.
  document.addEventListener("DOMContentLoaded", begin);
}
