// Between two deals: first who has which job now, then what was exchanged. Everybody sees both parts at the same time,
// by the server's clock; whoever presses "Continue" goes to the next part at once, and after the second one is ready.

import { GUARD_MS } from "../table/moves.js";
import { readServerClock } from "../table/server-clock.js";
import { find } from "../table/words.js";

const JOBS_SHARE = 0.45; // of the interlude

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const small = matchMedia("(max-width: 62rem)");
/** @type {string | undefined} the interlude, by its end, of whose jobs this reader has seen enough */
let passedOver;
let shownAt = 0; // when the present part came, by the page's clock
let timer = 0;
/** @type {string | undefined} the deal that is laid out */
let deal;
/** @type {Animation | undefined} the time that is left */
let bar;

const readDeal = () => /^playing-(\d+)/.exec(find("board")?.dataset.layout ?? "")?.[1];

/** @returns {{ key: string, since: number, until: number } | null} the interlude that is shown; times in ms since 1970 */
function read() {
  const panel = find("ceremony");
  const until = panel?.dataset.until;
  return until === undefined ? null : { key: until, since: Number(panel?.dataset.since), until: Number(until) };
}

function draw() {
  clearTimeout(timer);
  const [board, interlude] = [find("board"), read()];
  if (!board) return;
  if (!interlude) return close(board);
  deal = readDeal();
  const left = (interlude.until - interlude.since) * JOBS_SHARE - (readServerClock() - interlude.since);
  const isPast = left <= 0 || passedOver === interlude.key;
  if (!isPast) timer = window.setTimeout(draw, left);
  runDown(interlude);
  const part = isPast ? "exchange" : "jobs";
  if (board.dataset.interlude === part) return;
  board.dataset.interlude = part;
  shownAt = performance.now();
  if (isPast) tellDealt();
}

/** @param {{ since: number, until: number }} interlude */
function runDown({ since, until }) {
  const line = document.querySelector(".time-left i");
  if (!line || bar) return;
  bar = line.animate([{ transform: "none" }, { transform: "scaleX(0)" }], {
    duration: until - since, easing: calm.matches ? "steps(7)" : "linear", fill: "forwards",
  });
  bar.currentTime = Math.max(0, readServerClock() - since);
}

/** @param {HTMLElement} board */
function close(board) {
  bar?.cancel();
  bar = undefined;
  const isNew = deal !== undefined && deal !== readDeal(); // dealt, and nothing shown
  const isCutShort = board.dataset.interlude === "jobs";
  deal = readDeal();
  delete board.dataset.interlude;
  if (isNew || isCutShort) tellDealt();
}

const tellDealt = () => document.dispatchEvent(new CustomEvent("menagerie:dealt"));

// Before the button's command is sent
document.addEventListener("click", (event) => {
  if (!event.target.closest("#continue")) return;
  const isAccident = performance.now() - shownAt < GUARD_MS;
  const isFirst = find("board")?.dataset.interlude === "jobs";
  if (isAccident || isFirst) event.stopPropagation();
  if (isAccident || !isFirst) return;
  passedOver = read()?.key;
  draw();
}, true);

/** On a small screen the reminder of my exchange is one line, which can be unfolded. */
function foldGifts() {
  if (small.matches) find("gifts")?.removeAttribute("open");
}

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "board" || detail.id === "gifts") foldGifts();
  if (detail.id === "board") bar = undefined;
  if (detail.id === "board" || detail.id === "ceremony") draw();
});

foldGifts();
draw();
