// The table of a game with few moves: each move has a button.

import { explain, GUARD_MS, isSending, onSendingChange, sendMove, whyWait } from "./moves.js";
import { words } from "./words.js";

let shownAt = performance.now();

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#action .go:not([data-command])");
  if (!button) return;
  const { move } = button.dataset;
  if (!move) explain(whyWait());
  else if (!isSending() && performance.now() - shownAt > GUARD_MS) sendMove(JSON.parse(move));
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (["action", "board"].includes(detail.id)) shownAt = performance.now();
});

onSendingChange(() => {
  for (const button of document.querySelectorAll("#action .go[data-move]")) {
    button.dataset.words ??= button.textContent ?? "";
    button.textContent = isSending() ? words.sending : button.dataset.words;
    button.setAttribute("aria-disabled", String(isSending()));
  }
});
