// Motion explains: cards travel from who played them to the middle, and from the middle to who won them;
// envelopes pass between two players.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const TRAVEL_MS = 260;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";
/**
 * @type {{ cards: HTMLElement, seat?: string, html: string, copy?: HTMLElement } | null}
 *   the play that lay in the middle
 */
let last = null;

/** @param {string | undefined} seat */
const seatOf = (seat) => document.querySelector(`.seats li[data-seat="${seat}"] .a`);
const middle = () => document.getElementById("middle");
/** @param {DOMRect} box */
const centre = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/** @param {string} seat */
function placeOf(seat) {
  const me = document.getElementById("board")?.dataset.seat;
  return (String(seat) === me ? document.getElementById("hand") : seatOf(seat)) ?? seatOf(seat);
}

/**
 * Moves an element from where another one is, to its own place or to a third one. Times in ms.
 * @param {Element} element
 * @param {Element} from
 * @param {{ fade?: boolean, delay?: number, to?: Element | null, duration?: number }} [way]
 */
function travel(element, from, { fade = false, delay = 0, to = null, duration = TRAVEL_MS } = {}) {
  const [x, y] = centre(element.getBoundingClientRect());
  const [x1, y1] = centre(from.getBoundingClientRect());
  const start = { transform: `translate(${x1 - x}px, ${y1 - y}px) scale(0.45)`, opacity: 0.4 };
  const end = { transform: "none", opacity: 1 };
  if (to) {
    const [x2, y2] = centre(to.getBoundingClientRect());
    end.transform = `translate(${x2 - x}px, ${y2 - y}px) scale(0.45)`;
    if (fade) end.opacity = 0;
    start.transform = from === element ? "none" : `translate(${x1 - x}px, ${y1 - y}px)`;
    start.opacity = 1;
  }
  return element.animate([start, end], { duration, delay, easing: EASE, fill: "backwards" });
}

/**
 * A copy that lies over the page at the same place.
 * @param {HTMLElement} element
 */
function lift(element) {
  const box = element.getBoundingClientRect();
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  copy.classList.add("flying");
  Object.assign(
    copy.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  copy.style.setProperty("--cw", getComputedStyle(element).getPropertyValue("--cw"));
  document.body.append(copy);
  return copy;
}

function showPlay() {
  const cards = middle()?.querySelector(".cards");
  const seat = middle()?.dataset.seat;
  const from = seat === undefined ? null : placeOf(seat);
  if (cards && from) travel(cards, from);
}

/**
 * @param {string | undefined} seat
 * @param {HTMLElement} copy
 */
function collect(seat, copy) {
  const to = seatOf(seat);
  if (!to) return copy.remove();
  travel(copy, copy, { to, fade: true }).onfinish = () => copy.remove();
}

function passEnvelopes() {
  let turn = 0;
  for (const row of document.querySelectorAll("#exchange li")) {
    for (const [from, to] of [[row.dataset.from, row.dataset.to], [row.dataset.to, row.dataset.from]]) {
      const [start, end] = [seatOf(from), seatOf(to)];
      if (!start || !end) continue;
      const envelope = Object.assign(document.createElement("i"), { className: "envelope flying" });
      const [x, y] = centre(start.getBoundingClientRect());
      Object.assign(envelope.style, { left: `${x - 13}px`, top: `${y - 9}px` });
      document.body.append(envelope);
      const [x2, y2] = centre(end.getBoundingClientRect());
      const path =
        [{ transform: "none", opacity: 1 }, { transform: `translate(${x2 - x}px, ${y2 - y}px)`, opacity: 1 }];
      envelope.animate(path, { duration: 300, delay: 150 + turn * 180, easing: EASE, fill: "both" }).onfinish = () =>
        envelope.remove();
    }
    turn += 1;
  }
}

document.addEventListener("menagerie:before", ({ detail }) => {
  if (detail.id !== "middle" || calm.matches || document.hidden) return;
  const cards = middle()?.querySelector(".cards");
  const lying = middle();
  last = lying && cards ? { cards, seat: lying.dataset.seat, html: lying.outerHTML } : null;
  if (last && cards && !/data-seat=/.test(detail.html)) last.copy = lift(cards);
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (calm.matches || document.hidden) return;
  if (detail.id === "middle" && middle()?.outerHTML !== last?.html) {
    if (last?.copy) collect(last.seat, last.copy);
    else showPlay();
    last = null;
  }
});

/** Nothing passes over the new chairs while they are shown. */
document.addEventListener("menagerie:dealt", () => {
  if (!calm.matches && !document.hidden) passEnvelopes();
});

if (!calm.matches) passEnvelopes();
