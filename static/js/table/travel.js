// Motion that explains: an element travels from where it was, or to whom it went. Under 300 ms, and none at all for
// readers who want none.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const TRAVEL_MS = 260;
export const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** Whether nothing is to move: the reader wants that, or does not look. */
export const isStill = () => calm.matches || document.hidden;

/** @param {string | number | undefined} seat */
export const findFace = (seat) => document.querySelector(`.seats li[data-seat="${seat}"] .a`);

/**
 * Where the cards of this seat are: my hand, or somebody's picture.
 * @param {string | number | undefined} seat
 */
export function findHand(seat) {
  const isMine = String(seat) === document.getElementById("board")?.dataset.seat;
  return (isMine ? document.getElementById("hand") : null) ?? findFace(seat);
}

/** @param {DOMRect} box */
const centre = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/**
 * Moves an element to its own place from where another one is, or was.
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
 * Moves what was lifted to another place, where it vanishes.
 * @param {HTMLElement} copy
 * @param {Element | null} to
 * @param {{ delay?: number, isWhole?: boolean }} [way] isWhole: it keeps its size
 */
export function depart(copy, to, { delay = 0, isWhole = false } = {}) {
  if (!to) return copy.remove();
  const [x, y] = centre(copy.getBoundingClientRect());
  const [x2, y2] = centre(to.getBoundingClientRect());
  const end = { transform: `translate(${x2 - x}px, ${y2 - y}px)${isWhole ? "" : " scale(0.45)"}`, opacity: isWhole ? 1 : 0 };
  const path = [{ transform: "none", opacity: 1 }, end];
  copy.animate(path, { duration: TRAVEL_MS, delay, easing: EASE, fill: "both" }).onfinish = () => copy.remove();
}

/**
 * A copy that lies over the page at the same place, for eyes only.
 * @param {HTMLElement} element
 * @param {string} size the custom property on which its size hangs
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
