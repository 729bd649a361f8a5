// The size of the cards on the table, changed by two fingers, two buttons, or + and -. It is stored on this device.

import { recallNumber, remember } from "../page/device-settings.js";
import { forgetDrag } from "../table/dragging.js";
import { setProperty } from "../table/write-changes.js";
import { fill, find, say, tool, words } from "./desk-state.js";

const WISH = "fancy-zoom";
const [LEAST, MOST] = [0.7, 1.6]; // as multiples of the usual size
const STEP = 1.15; // the factor of one press

let zoom = limitZoom(recallNumber(WISH, 1));
/** @type {{ distance: number, zoom: number } | null} the distance of two fingers and the size when they came down */
let pinch = null;

/** @param {number} wish */
export function limitZoom(wish) {
  return Math.round(Math.max(LEAST, Math.min(MOST, wish)) * 100) / 100;
}

export function renderZoom() {
  // Set as near to the melds as possible, because the browser computes the style of each element below it again.
  setProperty(find("melds")?.parentElement, "--zoom", String(zoom));
  const [smaller, larger] = [tool("smaller"), tool("larger")];
  if (smaller) smaller.disabled = zoom <= LEAST;
  if (larger) larger.disabled = zoom >= MOST;
}

/** @param {number} wish */
function setZoom(wish) {
  zoom = limitZoom(wish);
  renderZoom();
}

/** @param {1 | -1} way */
export function stepZoom(way) {
  const wish = zoom * STEP ** way;
  setZoom(Math.abs(wish - 1) < 0.06 ? 1 : wish);
  keep();
}

function keep() {
  remember(WISH, String(zoom));
  say(fill(words.zoomed, { percent: Math.round(zoom * 100) }));
}

/** @param {TouchList} touches */
const measure = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

document.addEventListener("touchstart", ({ touches }) => {
  const areOnTable = touches.length === 2
    && [...touches].every(({ target }) => target instanceof Element && target.closest("#melds"));
  if (!areOnTable) return;
  forgetDrag();
  pinch = { distance: Math.max(1, measure(touches)), zoom };
}, { passive: true });

document.addEventListener("touchmove", (event) => {
  if (!pinch || event.touches.length !== 2) return;
  event.preventDefault();
  setZoom(pinch.zoom * (measure(event.touches) / pinch.distance));
}, { passive: false });

for (const kind of /** @type {const} */ (["touchend", "touchcancel"])) {
  document.addEventListener(kind, () => {
    if (!pinch) return;
    pinch = null;
    keep();
  });
}

renderZoom();
