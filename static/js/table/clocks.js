// Shows the time left: rings around faces and countdowns, by the server's clock.

import { fill, words } from "./words.js";
import { readServerClock } from "./server-clock.js";

const TICK_MS = 200;
const HURRY_S = 10; // the time left from which it is shown as urgent, and announced once
let warned = ""; // the deadline for which the warning was announced

/** @param {number} seconds */
function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 100) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return fill(words.hours_left, { hours, minutes: minutes % 60 });
  return fill(words.days_left, { days: Math.floor(hours / 24), hours: hours % 24 });
}

function tick() {
  const now = readServerClock();
  const turn = Number(document.getElementById("board")?.dataset.turnSeconds ?? 60);
  for (const element of document.querySelectorAll("[data-due]")) {
    const due = element.dataset.due ?? "";
    const left = Math.max(0, (Number(due) - now) / 1000);
    element.classList.toggle("hurry", left <= HURRY_S);
    if (element.classList.contains("left")) {
      element.textContent = clock(Math.ceil(left));
      warn(due, Math.ceil(left));
    } else {
      // Set on the picture and not on the region, because htmx copies a region's attributes when it is swapped.
      const span = Number(element.dataset.span ?? turn);
      element.querySelector(".a")?.style.setProperty("--left", Math.min(1, left / span).toFixed(3));
    }
  }
  for (const element of document.querySelectorAll("[data-bell]")) {
    const left = Math.max(0, Math.ceil((Number(element.dataset.bell) - now) / 1000));
    element.textContent = left ? words.bell.replace("%(time)s", clock(left)) : words.bell_now;
  }
}

/**
 * Announces the last seconds of a turn once, for readers who do not see the ring.
 * @param {string} due
 * @param {number} left
 */
function warn(due, left) {
  if (left !== HURRY_S || warned === due) return;
  warned = due;
  document.getElementById("say").textContent = words.seconds.replace("%(seconds)s", String(left));
}

document.addEventListener("menagerie:swapped", tick);
setInterval(tick, TICK_MS);
tick();
