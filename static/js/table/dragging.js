// Dragging, wherever something is dragged: with a mouse at once, with a finger after a moment's rest; before that it
// scrolls. Near the upper and lower edge the page scrolls along. What is dragged, and where to, is each table's own.

const REST_MS = 180;
const NEAR_PX = 8; // nearer than that it is a tap
const EDGE_PX = 70;
const SCROLL_PX = 9; // a frame

let drag = null; // { tile, x, y, pointer, isReady, isLifted, timer }
let at = { x: 0, y: 0 }; // where the finger is
let isSettled = false; // the click that follows is the end of a drag

export const isDragging = () => Boolean(drag?.isLifted);
export const isEndOfDrag = () => isSettled;

/**
 * table: find(element) → the tile under it that can be dragged now, or null; lift(tile); move(way, at): how far from
 * where it was picked up, and where the finger is; drop(tile, element); cancel(tile): not let go anywhere; tap(tile).
 */
export function listenForDrags(table) {
  document.addEventListener("pointerdown", (event) => {
    const tile = event.button || !event.isPrimary ? null : table.find(event.target);
    if (!tile) return;
    const isReady = event.pointerType === "mouse";
    drag = { tile, x: event.clientX, y: event.clientY, pointer: event.pointerId, isReady, isLifted: false };
    if (!isReady) drag.timer = setTimeout(rest, REST_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    at = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [at.x - drag.x, at.y - drag.y];
    if (!drag.isLifted && Math.hypot(dx, dy) < NEAR_PX) return;
    if (!drag.isReady) return void end();
    if (!drag.isLifted) {
      drag.isLifted = true;
      table.lift(drag.tile);
      requestAnimationFrame(scroll);
    }
    table.move({ x: dx, y: dy }, at);
  });
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { tile, isLifted } = end();
    if (!isLifted) return table.tap(tile);
    table.drop(tile, document.elementFromPoint(event.clientX, event.clientY));
    isSettled = true;
    setTimeout(() => (isSettled = false));
  });
  document.addEventListener("pointercancel", (event) => {
    if (event.pointerId !== drag?.pointer) return;
    const { tile, isLifted } = end();
    if (isLifted) table.cancel(tile);
  });
  document.addEventListener("touchmove", (event) => isDragging() && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => drag && event.preventDefault());
}

/** The finger has rested: what it holds shows that it can be dragged now. */
function rest() {
  if (!drag) return;
  drag.isReady = true;
  drag.tile.classList.add("held");
}

function end() {
  const ended = drag;
  clearTimeout(ended?.timer);
  ended?.tile.classList.remove("held");
  drag = null;
  return ended;
}

function scroll() {
  if (!isDragging()) return;
  if (at.y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  else if (at.y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
  requestAnimationFrame(scroll);
}
