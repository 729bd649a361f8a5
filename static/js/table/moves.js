// Sends moves, one at a time until the server has answered, and shows why something is not possible.

import { find, words } from "./words.js";
import { setText } from "./write-changes.js";

export const GUARD_MS = 350; // a button that appeared less than this ago under the finger is not pressed by mistake

const SLOW_MS = 2_500; // without an answer for this long, the page says that the move is still on its way

let sending = false;
let slowTimer = 0;
let refresh = () => {};

/**
 * Sets the function that shows what is chosen and whether a move is being sent. It is called when the latter changes.
 * @param {() => void} show
 */
export function onSendingChange(show) {
  refresh = show;
}

export const isSending = () => sending;

/** Stops waiting for the answer to a move: the server has sent a newer table. */
export function forgetSent() {
  sending = false;
}

/**
 * Sends a move. Until the server has answered, no other one can be sent. onTaken: called when it has accepted this one.
 * @param {Move} move
 * @param {() => void} [onTaken]
 */
export function sendMove(move, onTaken = () => {}) {
  sending = true;
  refresh();
  document.dispatchEvent(new CustomEvent("menagerie:move", { detail: { move, onTaken } }));
}

/** Why I cannot move now: the table is paused, or it is not my turn. */
export function whyWait() {
  const paused = find("paused");
  return (paused?.hidden === false && paused.textContent) || words.wait;
}

/**
 * Shows why something is not possible, or clears the line ("").
 * @param {string} sentence
 */
export function explain(sentence) {
  const why = find("why");
  if (why) setText(why, sentence);
}

function stopWaiting() {
  clearTimeout(slowTimer);
  if (find("why")?.textContent === words.slow) explain("");
}

document.addEventListener("menagerie:move", () => {
  clearTimeout(slowTimer);
  slowTimer = window.setTimeout(() => explain(words.slow), SLOW_MS);
});

document.addEventListener("menagerie:answered", ({ detail }) => {
  if (detail.isShown) stopWaiting();
  sending &&= !detail.isShown; // accepted, but the page still shows the old table: a second press would move there
  refresh();
});

document.addEventListener("menagerie:updated", () => {
  stopWaiting();
  sending = false;
  refresh();
});

document.addEventListener("menagerie:refused", ({ detail }) => {
  sending = false;
  refresh();
  explain(detail.sentence);
});
