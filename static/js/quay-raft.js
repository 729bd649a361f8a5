// Tiles that leave their island by hand: on a raft they follow the finger, and let go on the water they lie beside
// the islands until the split is confirmed. Dragged onto my ark the whole island is taken; dragged back they stay.

const DRAG_PX = 10;
let drag = null; // what the finger holds: { tile, x, y, pointer, raft, isRaft, wasChosen }
let isMoored = false; // the raft lies on the water
let isSettled = false; // the click that follows is the end of a drag

const moored = () => document.querySelector("#islands > .raft");
const sourceOf = (word) => document.querySelector(`#islands .island .t[data-t="${word}"]`);
export const isAfloat = () => Boolean(drag?.raft) || isMoored;

/** The raft with these tiles, in their order. */
function build(kind, list) {
  const raft = Object.assign(document.createElement(kind), { className: "raft" });
  raft.setAttribute("aria-hidden", "true");
  for (const word of list) {
    const source = sourceOf(word);
    const tile = Object.assign(document.createElement("i"), { textContent: source.textContent });
    tile.className = [...source.classList].filter((name) => !["up", "off"].includes(name)).join(" ");
    tile.dataset.raft = word;
    raft.append(tile);
  }
  return raft;
}

/** Moors the raft, if one lies on the water, beside the islands: as it will be. Without tiles that leave there is none. */
export function drawRaft(list) {
  if (drag?.raft) return;
  moored()?.remove();
  isMoored &&= list.length > 0;
  if (isMoored) document.getElementById("islands").append(build("li", list));
}

/** quay: what can be done with tiles: isOpen, isChosen, choose, leave, take, listLeaving, refuse, draw. */
export function listen(quay) {
  document.addEventListener("pointerdown", (event) => {
    const tile = event.target.closest("#islands .t");
    drag = null;
    if (!tile || !quay.isOpen() || event.button !== 0) return;
    const isRaft = Boolean(tile.dataset.raft);
    drag = { tile: isRaft ? sourceOf(tile.dataset.raft) : tile, isRaft, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.raft && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= DRAG_PX) lift(quay);
    if (drag.raft) drag.raft.style.translate = `calc(${event.clientX}px - 50%) calc(${event.clientY}px - 50%)`;
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag?.raft) return tapRaft(quay);
    const held = drag;
    end();
    settle(quay, held, document.elementFromPoint(event.clientX, event.clientY));
    quay.draw();
    isSettled = true;
    setTimeout(() => (isSettled = false));
  });
  document.addEventListener("pointercancel", () => {
    if (!drag?.raft) return (drag = null);
    end();
    quay.draw();
  });
}

export const isEndOfDrag = () => isSettled;

/** A tap on a tile of the raft puts it back. */
function tapRaft(quay) {
  if (drag?.isRaft) quay.choose(drag.tile, false);
  drag = null;
}

function lift(quay) {
  drag.wasChosen = quay.isChosen(drag.tile);
  if (!drag.wasChosen) quay.choose(drag.tile, true);
  drag.raft = build("div", quay.listLeaving());
  drag.raft.classList.add("flying");
  document.body.append(drag.raft);
  moored()?.classList.add("lifted"); // removed, it would take the finger with it
  quay.draw();
}

function end() {
  drag?.raft?.remove();
  drag = null;
}

/** What letting go here means. */
function settle(quay, held, under) {
  const [home, island] = [held.tile.closest(".island"), under?.closest(".island")];
  if (island && island === home) return held.isRaft ? quay.leave() : quay.choose(held.tile, false);
  if (island) return (quay.choose(held.tile, held.wasChosen), quay.refuse());
  if (under?.closest("#ark, .seats li.at-0")) return quay.take(home.dataset.group);
  isMoored = true;
}
