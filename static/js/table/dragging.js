// Dragging at every table: with a mouse at once, with a finger after it has rested for a moment, before which it
// scrolls. Near its upper and lower edge the page scrolls, or the element that a table names instead. Each table
// decides what is dragged and where to.

const REST_MS = 180; // how long a finger rests before it drags
const NEAR_PX = 8; // a pointer that has moved less makes a tap
const EDGE_PX = 70; // the page scrolls while the pointer is this near to its upper or lower edge
const SCROLL_PX = 9; // in each frame
const TABLE_EDGE_PX = 44; // the same for an element that scrolls instead of the page

/**
 * A tile under a finger or a mouse. `isReady`: it can be lifted now.
 * @typedef {object} Drag
 * @property {HTMLElement} tile
 * @property {number} x
 * @property {number} y
 * @property {number} pointer
 * @property {boolean} isReady
 * @property {boolean} isLifted
 * @property {boolean} [wasInside] the pointer has been away from the edges that scroll since the tile was lifted
 * @property {number} [timer]
 */

/** @typedef {{ x: number, y: number }} Point */

/**
 * An element that scrolls instead of the page: its upper and lower edge in the window, in CSS pixels.
 * @typedef {object} Edges
 * @property {number} top
 * @property {number} bottom
 * @property {(by: number) => void} scroll
 */

/**
 * A table's callbacks for dragging.
 * @typedef {object} DragHandlers
 * @property {(element: HTMLElement) => HTMLElement | null} find the tile at this element, if it can be dragged now
 * @property {(tile: HTMLElement) => void} lift
 * @property {(way: Point, pointer: Point) => void} move by how much from the start, and where the pointer is
 * @property {(tile: HTMLElement, under: Element | null) => void} drop
 * @property {(tile: HTMLElement) => void} cancel the browser has ended the drag
 * @property {(tile: HTMLElement) => void} tap
 * @property {() => Edges | null} [findEdges] the element that scrolls; null: the page
 */

/** @type {Drag | null} */
let drag = null;
let pointer = { x: 0, y: 0 }; // in the window, in CSS pixels
let isSettled = false; // a drag has just ended, so the click that follows is ignored
/** @type {() => Edges | null} */
let findEdges = () => null;

export const isDragging = () => Boolean(drag?.isLifted);
export const isEndOfDrag = () => isSettled;

/** @param {DragHandlers} table */
export function listenForDrags(table) {
  findEdges = table.findEdges ?? findEdges;
  document.addEventListener("pointerdown", (event) => {
    const tile = event.button || !event.isPrimary ? null : table.find(event.target);
    if (!tile) return;
    const isReady = event.pointerType === "mouse";
    drag = { tile, x: event.clientX, y: event.clientY, pointer: event.pointerId, isReady, isLifted: false };
    if (!isReady) drag.timer = window.setTimeout(rest, REST_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    pointer = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [pointer.x - drag.x, pointer.y - drag.y];
    if (!drag.isLifted && Math.hypot(dx, dy) < NEAR_PX) return;
    if (!drag.isReady) return void end();
    if (!drag.isLifted) {
      drag.isLifted = true;
      table.lift(drag.tile);
      requestAnimationFrame(scroll);
    }
    table.move({ x: dx, y: dy }, pointer);
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

/** The finger has rested long enough: the tile shows that it can be dragged now. */
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

/** Forgets a drag that has not lifted its tile, because a second finger touches the screen. */
export function forgetDrag() {
  if (!drag?.isLifted) end();
}

function scroll() {
  if (!drag?.isLifted) return;
  const edges = findEdges();
  if (edges) {
    const isFar = Math.abs(pointer.y - drag.y) > 2 * TABLE_EDGE_PX && pointer.y < edges.bottom - TABLE_EDGE_PX;
    drag.wasInside ||= isFar || isInside(pointer.y, edges);
    const by = findScroll(pointer.y, edges, drag.wasInside);
    if (by) edges.scroll(by);
  } else if (pointer.y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  else if (pointer.y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
  requestAnimationFrame(scroll);
}

/**
 * @param {number} y
 * @param {{ top: number, bottom: number }} edges
 */
export const isInside = (y, { top, bottom }) => y > top + TABLE_EDGE_PX && y < bottom - TABLE_EDGE_PX;

/**
 * By how many pixels an element scrolls in this frame: faster the nearer the finger is to its edge, and not beyond it.
 * It does not scroll before the finger has been away from both edges, because a card dragged in from below crosses one.
 * @param {number} y
 * @param {{ top: number, bottom: number }} edges
 * @param {boolean} wasInside
 * @returns {number} negative: upwards
 */
export function findScroll(y, { top, bottom }, wasInside) {
  if (!wasInside || y < top - TABLE_EDGE_PX || y > bottom) return 0;
  const [above, below] = [top + TABLE_EDGE_PX - y, y - (bottom - TABLE_EDGE_PX)];
  const depth = Math.min(TABLE_EDGE_PX, Math.max(above, below)) / TABLE_EDGE_PX;
  if (depth <= 0) return 0;
  return Math.ceil(SCROLL_PX * depth) * (above > below ? -1 : 1);
}
