// The interlude between two deals: first the new jobs, then the exchange of cards. Everybody sees both parts at the
// same time, by the server's clock. "Continue" goes to the second part at once; pressed there, it says that the reader
// is ready for the next deal.

import { GUARD_MS } from "../table/moves.js";
import { readServerClock } from "../table/server-clock.js";
import { find } from "../table/words.js";

const JOBS_SHARE = 0.45; // the share of the interlude's time in which jobs are shown

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const small = matchMedia("(max-width: 62rem)");
/** @type {string | undefined} the key of the interlude in which this reader has pressed "Continue" */
let passedOver;
let shownAt = 0; // when the current part was shown, in ms of performance.now()
let timer = 0;
/** @type {string | undefined} the number of the deal that is shown */
let deal;
/** @type {Animation | undefined} the bar that shows the time left */
let bar;

const readDeal = () => /^playing-(\d+)/.exec(find("board")?.dataset.layout ?? "")?.[1];

/**
 * The interlude that is shown. Times are in ms since 1970; `key` is its end.
 * @returns {{ key: string, since: number, until: number } | null}
 */
function read() {
  const panel = find("ceremony");
  const until = panel?.dataset.until;
  return until === undefined ? null : { key: until, since: Number(panel?.dataset.since), until: Number(until) };
}

function render() {
  clearTimeout(timer);
  const [board, interlude] = [find("board"), read()];
  if (!board) return;
  if (!interlude) return close(board);
  deal = readDeal();
  const left = (interlude.until - interlude.since) * JOBS_SHARE - (readServerClock() - interlude.since);
  const isPast = left <= 0 || passedOver === interlude.key;
  if (!isPast) timer = window.setTimeout(render, left);
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
  const isNew = deal !== undefined && deal !== readDeal(); // a new deal without an interlude
  const isCutShort = board.dataset.interlude === "jobs";
  deal = readDeal();
  delete board.dataset.interlude;
  if (isNew || isCutShort) tellDealt();
}

const tellDealt = () => document.dispatchEvent(new CustomEvent("menagerie:dealt"));

// Listens in the capture phase, so that it can keep the button from sending its command.
document.addEventListener("click", (event) => {
  if (!event.target.closest("#continue")) return;
  const isAccident = performance.now() - shownAt < GUARD_MS;
  const isFirst = find("board")?.dataset.interlude === "jobs";
  if (isAccident || isFirst) event.stopPropagation();
  if (isAccident || !isFirst) return;
  passedOver = read()?.key;
  render();
}, true);

/** Closes the reminder of my exchange on small screens, where it is one line that can be opened. */
function foldGifts() {
  if (small.matches) find("gifts")?.removeAttribute("open");
}

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id === "board" || detail.id === "gifts") foldGifts();
  if (detail.id === "board") bar = undefined;
  if (detail.id === "board" || detail.id === "ceremony") render();
});

foldGifts();
render();
