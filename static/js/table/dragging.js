// Dragging, wherever something is dragged: with a mouse at once, with a finger after a moment's rest; before that it
// scrolls. Near the upper and lower edge the page scrolls along. What is dragged, and where to, is each table's own.

const REST_MS = 180;
const NEAR_PX = 8; // nearer than that it is a tap
const EDGE_PX = 70;
const SCROLL_PX = 9; // a frame

/**
 * A tile under a finger or a mouse; `isReady`: it can be lifted now.
 * @typedef {object} Drag
 * @property {HTMLElement} tile
 * @property {number} x
 * @property {number} y
 * @property {number} pointer
 * @property {boolean} isReady
 * @property {boolean} isLifted
 * @property {number} [timer]
 */

/** @typedef {{ x: number, y: number }} Point */

/**
 * What a table does with what is dragged.
 * @typedef {object} DragHandlers
 * @property {(element: HTMLElement) => HTMLElement | null} find the tile under it that can be dragged now
 * @property {(tile: HTMLElement) => void} lift
 * @property {(way: Point, at: Point) => void} move how far from where it was picked up, and where the finger is
 * @property {(tile: HTMLElement, under: Element | null) => void} drop
 * @property {(tile: HTMLElement) => void} cancel not let go anywhere
 * @property {(tile: HTMLElement) => void} tap
 */

/** @type {Drag | null} */
let drag = null;
let at = { x: 0, y: 0 }; // where the finger is
let isSettled = false; // the click that follows is the end of a drag

export const isDragging = () => Boolean(drag?.isLifted);
export const isEndOfDrag = () => isSettled;

/** @param {DragHandlers} table */
export function listenForDrags(table) {
  document.addEventListener("pointerdown", (event) => {
    const tile = event.button || !event.isPrimary ? null : table.find(event.target);
    if (!tile) return;
    const isReady = event.pointerType === "mouse";
    drag = { tile, x: event.clientX, y: event.clientY, pointer: event.pointerId, isReady, isLifted: false };
    if (!isReady) drag.timer = window.setTimeout(rest, REST_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
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
    const ended = event.pointerId === drag?.pointer ? end() : null;
    if (!ended) return;
    const { tile, isLifted } = ended;
    if (!isLifted) return table.tap(tile);
    table.drop(tile, document.elementFromPoint(event.clientX, event.clientY));
    isSettled = true;
    setTimeout(() => (isSettled = false));
  });
  document.addEventListener("pointercancel", (event) => {
    const ended = event.pointerId === drag?.pointer ? end() : null;
    if (ended?.isLifted) table.cancel(ended.tile);
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
