// Dragging tiles: with a mouse at once, with a finger after a moment's rest; before that it scrolls.

import { desk } from "./fancy-desk.js";
import { nameOf } from "./fancy-focus.js";

const HOLD_MS = 180;
const NEAR_PX = 7;
const GOALS = "[data-drop], #hand, #melds";

let drag = null;
let isSettled = false; // the click that follows is the end of a drag

export const isEndOfDrag = () => isSettled;

/** move(target): what is picked up goes to a meld (its number), a new one (null), or "hand"; drop(): it stays. */
export function listen({ move, drop }) {
  document.addEventListener("pointerdown", (event) => {
    const tile = event.target.closest("button.t");
    if (!tile || !desk.draft || desk.isSending || event.button) return;
    drag = { tile, name: nameOf(tile), x: event.clientX, y: event.clientY, isReady: event.pointerType === "mouse", ghost: null };
    if (!drag.isReady) drag.timer = setTimeout(() => drag && (drag.isReady = true), HOLD_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) < NEAR_PX) return;
    if (!drag.ghost && !drag.isReady) return end();
    if (!drag.ghost) lift();
    drag.ghost.style.translate = `${dx}px ${dy}px`;
    light(document.elementFromPoint(event.clientX, event.clientY)?.closest(GOALS));
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag?.ghost) return end();
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(GOALS);
    end();
    isSettled = true;
    setTimeout(() => (isSettled = false));
    land(under?.dataset.drop ?? under?.id, { move, drop });
  });
  document.addEventListener("pointercancel", () => end());
  document.addEventListener("touchmove", (event) => drag?.ghost && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => event.target.closest("button.t") && drag && event.preventDefault());
}

function land(target, { move, drop }) {
  if (target === "hand") move("hand");
  else if (target === "melds" || target === "new") move(null);
  else if (target !== undefined) move(Number(target));
  else drop();
}

function lift() {
  if (!desk.picked.includes(drag.name)) desk.picked = [drag.name];
  const box = drag.tile.getBoundingClientRect();
  drag.ghost = drag.tile.cloneNode(true);
  drag.ghost.classList.add("flying", "ghost");
  Object.assign(drag.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(drag.ghost);
  drag.tile.classList.add("lifted");
}

function light(goal) {
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
  goal?.classList.add("target");
}

function end() {
  clearTimeout(drag?.timer);
  drag?.ghost?.remove();
  drag?.tile?.classList.remove("lifted");
  light(null);
  drag = null;
}
