// Animation that explains a move: a group that is split drifts apart, and tiles that are taken travel to their ark.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const DRIFT_MS = 280;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";
/** @type {Map<string | undefined, { box: DOMRect, copy: HTMLElement }>} by tile, its place and a copy of it */
let before = new Map();

const lying = () => [...document.querySelectorAll("#islands .island .t")];

function remember() {
  before = new Map();
  for (const tile of lying()) {
    const shown = document.querySelector(`.raft [data-raft="${tile.dataset.t}"]`) ?? tile;
    before.set(
      tile.dataset.t, { box: shown.getBoundingClientRect(), copy: /** @type {HTMLElement} */ (shown.cloneNode(true)) });
  }
}

/** @param {string} seat */
function shipOf(seat) {
  const mine = String(seat) === document.getElementById("board")?.dataset.seat;
  return (mine && document.querySelector("#ark .hull"))
    || document.querySelector(`.seats li[data-seat="${seat}"] .ship`);
}

function drift() {
  for (const tile of lying()) {
    const old = before.get(tile.dataset.t);
    const now = tile.getBoundingClientRect();
    if (old) {
      const [x, y] = [old.box.left - now.left, old.box.top - now.top];
      if (x || y) tile.animate(
        [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: DRIFT_MS, easing: EASE });
      before.delete(tile.dataset.t);
    } else if (before.size) {
      tile.animate([{ opacity: 0, scale: 0.6 }, { opacity: 1, scale: 1 }], { duration: DRIFT_MS, easing: EASE });
    }
  }
}

/**
 * Animates the tiles that are gone to the ark of this seat.
 * @param {string} seat
 */
function load(seat) {
  const ship = shipOf(seat)?.getBoundingClientRect();
  if (!ship) return;
  for (const { box, copy } of before.values()) {
    copy.classList.add("flying");
    copy.classList.remove("up");
    Object.assign(copy.style, { left: `${box.left}px`, top: `${box.top}px` });
    copy.style.setProperty("--tw", `${box.width}px`);
    copy.setAttribute("aria-hidden", "true");
    for (const name of ["role", "tabindex", "aria-label", "aria-pressed", "data-t"]) copy.removeAttribute(name);
    document.body.append(copy);
    const [x, y] =
      [ship.left + ship.width / 2 - box.left - box.width / 2, ship.top + ship.height / 2 - box.top - box.height / 2];
    const path =
      [{ transform: "none", opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 0.2 }];
    copy.animate(path, { duration: DRIFT_MS, easing: EASE }).onfinish = () => copy.remove();
  }
}

document.addEventListener("menagerie:before", ({ detail }) => {
  if (detail.id === "islands" && !calm.matches && !document.hidden) remember();
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id !== "islands" || calm.matches || document.hidden) return;
  drift();
  const taker = document.getElementById("islands")?.dataset.taker;
  if (taker !== undefined) load(taker);
  before = new Map();
});
