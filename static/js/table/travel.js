// Animation that explains a move: an element travels from where it was, or to the player who gets it. It takes less
// than 300 ms, and does not happen for readers who prefer reduced motion.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const TRAVEL_MS = 260;
export const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** Whether nothing is animated: the reader prefers that, or the page is hidden. */
export const isStill = () => calm.matches || document.hidden;

/** @param {string | number | undefined} seat */
export const findFace = (seat) => document.querySelector(`.seats li[data-seat="${seat}"] .a`);

/**
 * The element that stands for a seat's cards: my hand, or the picture of another player.
 * @param {string | number | undefined} seat
 */
export function findHand(seat) {
  const isMine = String(seat) === document.getElementById("board")?.dataset.seat;
  return (isMine ? document.getElementById("hand") : null) ?? findFace(seat);
}

/** @param {DOMRect} box */
const centre = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/**
 * Animates an element from another place to its own.
 * @param {Element} element
 * @param {DOMRect} from
 */
export function arrive(element, from) {
  const [x, y] = centre(element.getBoundingClientRect());
  const [x1, y1] = centre(from);
  const start = { transform: `translate(${x1 - x}px, ${y1 - y}px) scale(0.45)`, opacity: 0.4 };
  return element.animate([start, { transform: "none", opacity: 1 }], { duration: TRAVEL_MS, easing: EASE });
}

/**
 * Animates a copy to another place, where it vanishes.
 * @param {HTMLElement} copy as `lift` makes it
 * @param {Element | null} to
 * @param {{ delay?: number, isWhole?: boolean }} [way] isWhole: it keeps its size
 */
export function depart(copy, to, { delay = 0, isWhole = false } = {}) {
  if (!to) return copy.remove();
  const [x, y] = centre(copy.getBoundingClientRect());
  const [x2, y2] = centre(to.getBoundingClientRect());
  const [scale, opacity] = isWhole ? ["", 1] : [" scale(0.45)", 0];
  const end = { transform: `translate(${x2 - x}px, ${y2 - y}px)${scale}`, opacity };
  const path = [{ transform: "none", opacity: 1 }, end];
  copy.animate(path, { duration: TRAVEL_MS, delay, easing: EASE, fill: "both" }).onfinish = () => copy.remove();
}

/**
 * Copies an element into a layer over the page, at the same place, hidden from screen readers.
 * @param {HTMLElement} element
 * @param {string} size the custom property that sets its size
 * @returns {HTMLElement}
 */
export function lift(element, size = "--cw") {
  const box = element.getBoundingClientRect();
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  copy.classList.add("flying");
  Object.assign(copy.style, {
    position: "fixed", left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`,
  });
  copy.style.setProperty(size, getComputedStyle(element).getPropertyValue(size));
  copy.setAttribute("aria-hidden", "true");
  for (const name of ["id", "role", "tabindex", "aria-label", "aria-pressed"]) copy.removeAttribute(name);
  document.body.append(copy);
  return copy;
}
