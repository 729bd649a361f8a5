// The table of a game with few moves: one button for each.

import { explain, isSending, onSendingChange, sendMove, whyWait } from "./moves.js";
import { words } from "./words.js";

const GUARD_MS = 350; // what has just appeared under the finger is not pressed by mistake
let shownAt = performance.now();

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#action .go:not([data-command])");
  if (!button) return;
  if (!button.dataset.move) explain(whyWait());
  else if (!isSending() && performance.now() - shownAt > GUARD_MS) sendMove(JSON.parse(button.dataset.move));
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (["action", "board"].includes(detail.id)) shownAt = performance.now();
});

onSendingChange(() => {
  for (const button of document.querySelectorAll("#action .go[data-move]")) {
    button.dataset.words ??= button.textContent;
    button.textContent = isSending() ? words.sending : button.dataset.words;
    button.setAttribute("aria-disabled", String(isSending()));
  }
});
