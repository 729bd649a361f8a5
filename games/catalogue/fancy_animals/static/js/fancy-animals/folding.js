// On an upright phone the melds fill the window in my turn: the style sheet hides seats and most of the clothing, and a
// button shows them again.

import { find, isMine } from "./desk-state.js";

const shop = () => document.querySelector(".fancy-animals .shop");
const bench = () => /** @type {HTMLElement | null} */ (document.querySelector(".fancy-animals .bench"));

/** @param {boolean} isOpen */
function unfold(isOpen) {
  shop()?.classList.toggle("unfolded", isOpen);
  find("unfold")?.setAttribute("aria-expanded", String(isOpen));
}

/** Whether the table fills the window, below the part that stays above it. */
const isFolding = () => isMine() && getComputedStyle(bench() ?? document.body).display === "flex"
  && getComputedStyle(find("unfold") ?? document.body).display !== "none";

/** The height in pixels of the part above the table: the guide of a first game, or the line with the game's name. */
function measureAbove() {
  const guide = document.getElementById("coach");
  const line = document.querySelector(".tools");
  const part = guide && !guide.hidden ? guide : line;
  return Math.ceil(part?.getBoundingClientRect().height ?? 0);
}

/** Makes the table fill the window when my turn has come, unless I have scrolled to something below it. */
export function foldForTurn() {
  unfold(false);
  fitBench();
  const part = bench();
  if (!part || !isFolding()) return;
  const { top, bottom } = part.getBoundingClientRect();
  const above = measureAbove();
  if (bottom < innerHeight / 2 || Math.abs(top - above) < 2) return;
  scrollTo({ top: Math.max(0, scrollY + top - above), behavior: "instant" });
}

function fitBench() {
  bench()?.style.setProperty("--above", `${measureAbove()}px`);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#unfold");
  if (button) unfold(button.getAttribute("aria-expanded") !== "true");
  else if (target.closest("#coach")) requestAnimationFrame(fitBench);
});
addEventListener("resize", fitBench);
