// Dragging, wherever something is dragged: with a mouse at once, with a finger after a moment's rest; before that it
// scrolls. Near the upper and lower edge the page scrolls along, or what the table names instead of the page. What is
// dragged, and where to, is each table's own.

const REST_MS = 180;
const NEAR_PX = 8; // nearer than that it is a tap
const EDGE_PX = 70;
const SCROLL_PX = 9; // a frame
const TABLE_EDGE_PX = 44; // of a table that scrolls by itself

/**
 * A tile under a finger or a mouse; `isReady`: it can be lifted now.
 * @typedef {object} Drag
 * @property {HTMLElement} tile
 * @property {number} x
 * @property {number} y
 * @property {number} pointer
 * @property {boolean} isReady
 * @property {boolean} isLifted
 * @property {boolean} [wasInside] it has been clear of the edges that scroll since it was lifted
 * @property {number} [timer]
 */

/** @typedef {{ x: number, y: number }} Point */

/**
 * What scrolls along: where it begins and ends in the window, in CSS pixels.
 * @typedef {object} Edges
 * @property {number} top
 * @property {number} bottom
 * @property {(by: number) => void} scroll
 */

/**
 * What a table does with what is dragged.
 * @typedef {object} DragHandlers
 * @property {(element: HTMLElement) => HTMLElement | null} find the tile under it that can be dragged now
 * @property {(tile: HTMLElement) => void} lift
 * @property {(way: Point, at: Point) => void} move how far from where it was picked up, and where the finger is
 * @property {(tile: HTMLElement, under: Element | null) => void} drop
 * @property {(tile: HTMLElement) => void} cancel not let go anywhere
 * @property {(tile: HTMLElement) => void} tap
 * @property {() => Edges | null} [findEdges] null: the page scrolls along
 */

/** @type {Drag | null} */
let drag = null;
let at = { x: 0, y: 0 }; // where the finger is
let isSettled = false; // the click that follows is the end of a drag
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

/** What has begun is no drag: a second finger has come. */
export function forgetDrag() {
  if (!drag?.isLifted) end();
}

function scroll() {
  if (!drag?.isLifted) return;
  const edges = findEdges();
  if (edges) {
    const isFar = Math.abs(at.y - drag.y) > 2 * TABLE_EDGE_PX && at.y < edges.bottom - TABLE_EDGE_PX;
    drag.wasInside ||= isFar || isInside(at.y, edges);
    const by = findScroll(at.y, edges, drag.wasInside);
    if (by) edges.scroll(by);
  } else if (at.y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  else if (at.y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
  requestAnimationFrame(scroll);
}

/**
 * @param {number} y
 * @param {{ top: number, bottom: number }} edges
 */
export const isInside = (y, { top, bottom }) => y > top + TABLE_EDGE_PX && y < bottom - TABLE_EDGE_PX;

/**
 * By how many pixels a table scrolls in this frame: faster the nearer to its edge the finger is, not at all beyond it,
 * and not before the finger has been clear of both edges, as what is picked up below the table crosses one.
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
