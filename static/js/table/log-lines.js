// Pressing a line of the log while the game runs enlarges its cards and marks the player. It does not show the board of
// that moment, because remembering it is part of some games. After the game, lines are links to the replay.

import { find } from "./words.js";

const SPOTLIGHT_MS = 2000;
let timer = 0;

/** @param {HTMLElement} line */
function show(line) {
  const isShown = line.classList.contains("shown");
  hide();
  if (isShown) return;
  line.classList.add("shown");
  line.scrollIntoView({ block: "nearest" });
  const place = line.dataset.who === undefined ? null
    : document.querySelector(`.seats li[data-seat="${line.dataset.who}"]`);
  place?.classList.add("told");
  timer = window.setTimeout(() => place?.classList.remove("told"), SPOTLIGHT_MS);
}

function hide() {
  clearTimeout(timer);
  for (const line of document.querySelectorAll("#log .shown")) line.classList.remove("shown");
  for (const place of document.querySelectorAll(".seats .told")) place.classList.remove("told");
}

document.addEventListener("click", ({ target }) => {
  const line = /** @type {HTMLElement | null} */ (target.closest("#log > li"));
  if (line && !line.querySelector("a") && getSelection()?.isCollapsed !== false) show(line);
});

// While the log has the focus, arrow keys go from line to line.
document.addEventListener("keydown", (event) => {
  const log = find("log");
  if (event.target !== log || !["ArrowUp", "ArrowDown"].includes(event.key) || log.querySelector("a")) return;
  const lines = /** @type {HTMLElement[]} */ ([...log.children]);
  const shown = lines.findIndex((line) => line.classList.contains("shown"));
  const step = event.key === "ArrowUp" ? -1 : 1;
  const next = lines.at(shown < 0 ? -1 : Math.max(0, Math.min(lines.length - 1, shown + step)));
  if (!next || lines.indexOf(next) === shown) return;
  event.preventDefault();
  show(next);
});
