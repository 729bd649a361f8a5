// Moves of this page: one at a time until the server has answered, and the line that says why something is not
// possible.

import { find, words } from "./words.js";
import { setText } from "./write-changes.js";

export const GUARD_MS = 350; // what has just appeared under the finger is not pressed by mistake

let sending = false;
let redraw = () => {};

/**
 * draw: shows what is chosen, and whether an answer is on its way.
 * @param {() => void} draw
 */
export function onSendingChange(draw) {
  redraw = draw;
}

export const isSending = () => sending;

/** What is on its way does not count any more: the server has drawn the table anew. */
export function forgetSent() {
  sending = false;
}

/**
 * Send a move; until the server has spoken there is no second one. onTaken: what is done once it has accepted this one.
 * @param {Move} move
 * @param {() => void} [onTaken]
 */
export function sendMove(move, onTaken = () => {}) {
  sending = true;
  redraw();
  document.dispatchEvent(new CustomEvent("menagerie:move", { detail: { move, onTaken } }));
}

/** Why nothing can be answered now: the table stands still, or it is not my turn. */
export function whyWait() {
  const paused = find("paused");
  return (paused?.hidden === false && paused.textContent) || words.wait;
}

/**
 * Say why something is not possible, or clear the line.
 * @param {string} sentence
 */
export function explain(sentence) {
  const why = find("why");
  if (why) setText(why, sentence);
}

document.addEventListener("menagerie:answered", ({ detail }) => {
  sending &&= !detail.isShown; // accepted, and the table after it not here yet: a second press would be for the old one
  redraw();
});

document.addEventListener("menagerie:updated", () => {
  sending = false;
  redraw();
});

document.addEventListener("menagerie:refused", ({ detail }) => {
  sending = false;
  redraw();
  explain(detail.sentence);
});
