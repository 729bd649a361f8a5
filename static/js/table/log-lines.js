// A line of the log, pressed while the game runs: its cards large, and whose doing it was. An earlier board is not
// shown, as some games are about remembering it. Once the game is over, lines are links into the replay.

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

// The log has the focus: arrows lead from line to line
document.addEventListener("keydown", (event) => {
  const log = find("log");
  if (event.target !== log || !["ArrowUp", "ArrowDown"].includes(event.key) || log.querySelector("a")) return;
  const lines = /** @type {HTMLElement[]} */ ([...log.children]);
  const at = lines.findIndex((line) => line.classList.contains("shown"));
  const next = lines.at(at < 0 ? -1 : Math.max(0, Math.min(lines.length - 1, at + (event.key === "ArrowUp" ? -1 : 1))));
  if (!next || lines.indexOf(next) === at) return;
  event.preventDefault();
  show(next);
});
