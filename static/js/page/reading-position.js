// Readers keep their place on a page whose parts are replaced: what they have folded or unfolded, the keyboard focus,
// and what is in view. Changes that concern them are announced.

const TOLD = ["name", "value", "href", "data-tick-all"]; // of what is pressed and filled in
const CALLED = ["aria-label"]; // of a part that is moved sideways
// These change each time the page is rendered; they do not tell forms apart.
const PASSING = ["csrfmiddlewaretoken", "key", "version"];

/** @typedef {{ kind: string, deed: string }} Likeness what an element is, to tell it from others beside it */

/**
 * @typedef {Partial<Likeness> & { home: string, at?: number }} Address
 *   the part around an element, and which of those alike it is
 */

/**
 * What a button does, and to what: in its place may stand one that takes back another step, or confirms another result.
 * @param {Element} element
 */
function nameDeed(element) {
  if (!(element instanceof HTMLButtonElement)) return "";
  const form = /** @type {Field[]} */ ([...(element.form?.elements ?? [])]);
  const fields = form.filter((one) => one.type === "hidden" && !PASSING.includes(one.name));
  return [element, ...fields].map((one) => `${one.name}=${one.value}`).join("&");
}

/**
 * @param {Element} home
 * @param {Likeness} one
 */
const listAlike = (home, { kind, deed }) => [...home.querySelectorAll(kind)].filter((one) => nameDeed(one) === deed);

/**
 * What an element is among those of the nearest part with an id around it: its successor is the same there.
 * @param {Element} element
 * @returns {Address}
 */
export function describeElement(element) {
  if (element.id && element.localName !== "button") return { home: element.id };
  const names = element.localName === "div" ? CALLED : TOLD;
  const told = names.filter((name) => element.hasAttribute(name))
    .map((name) => `[${name}="${CSS.escape(element.getAttribute(name) ?? "")}"]`);
  const likeness =
    { kind: element.localName + (element.id ? `#${element.id}` : told.join("")), deed: nameDeed(element) };
  const home = /** @type {HTMLElement} */ (element.parentElement?.closest("[id]"));
  return { ...likeness, home: home.id, at: listAlike(home, likeness).findIndex((one) => one === element) };
}

/** @param {Address} one */
export function findElementAgain(one) {
  const there = document.getElementById(one.home);
  if (!there || !one.kind || one.at === undefined) return there;
  return listAlike(there, { kind: one.kind, deed: one.deed ?? "" })[one.at] ?? there;
}

/**
 * The element with the focus if it is on the screen; else, of all that can be found again, the one nearest to its top.
 * @param {Element} part
 * @param {Address | null} focused
 */
function findMark(part, focused) {
  const active = document.activeElement;
  const own = focused && active?.getBoundingClientRect();
  if (own && own.bottom > 0 && own.top < innerHeight) return active;
  const seen = [...part.querySelectorAll("[id]")].filter((one) => one.checkVisibility());
  /** @param {Element} one */
  const far = (one) => Math.abs(one.getBoundingClientRect().top);
  return seen.reduce(
    (best, one) => (!best || far(one) < far(best) ? one : best), /** @type {HTMLElement | null} */ (null));
}

/**
 * Remember what the server has unfolded: what is not unfolded later the reader has folded.
 * @param {Element} part
 */
export function noteOpenDetails(part) {
  for (const one of part.querySelectorAll("details[open]")) one.dataset.unfolded = "";
}

/**
 * @param {Address[]} folds
 * @param {boolean} open
 */
const setFolds = (folds, open) => {
  for (const one of folds) {
    const details = findElementAgain(one)?.closest("details");
    if (details) details.open = open;
  }
};

/**
 * Note where the reader is on this part of the page; the function returned goes back there.
 * @param {Element} part
 * @returns {(fresh: HTMLElement) => void}
 */
export function holdPosition(part) {
  const active = document.activeElement;
  const focused = active && part.contains(active) ? describeElement(active) : null;
  const open = [...part.querySelectorAll("details[open] > summary")].map(describeElement);
  const folded = [...part.querySelectorAll("details[data-unfolded]:not([open]) > summary")].map(describeElement);
  const mark = scrollY > 0 ? findMark(part, focused) : null;
  const high = mark && { ...describeElement(mark), top: mark.getBoundingClientRect().top };
  const wide = [...part.querySelectorAll(".scroll")].filter((one) => one.scrollLeft);
  const sideways = wide.map((one) => ({ ...describeElement(one), left: one.scrollLeft }));
  const said = new Map([...part.querySelectorAll("[data-say]")].map((one) => [one.id, one.textContent]));

  return (fresh) => {
    noteOpenDetails(fresh);
    setFolds(open, true);
    setFolds(folded, false);
    if (focused && document.activeElement !== findElementAgain(focused)) {
      // htmx would give the focus to the element that has the same id now.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      for (const one of [findElementAgain(focused), fresh]) if (document.activeElement === document.body)
        one?.focus({ preventScroll: true });
    }
    for (const one of sideways) findElementAgain(one)?.scrollTo({ left: one.left, behavior: "instant" });
    const again = high && findElementAgain(high);
    if (again) scrollBy({ top: again.getBoundingClientRect().top - high.top, behavior: "instant" });
    const news = [...fresh.querySelectorAll("[data-say]")].filter((one) => said.get(one.id) !== one.textContent);
    if (news.length) document.getElementById("say").textContent = news.map(readAloud).join(". ");
  };
}

/**
 * What a screen reader reads of an element: its text without what is hidden from it.
 * @param {Element} one
 * @returns {string}
 */
function readAloud(one) {
  const copy = /** @type {Element} */ (one.cloneNode(true));
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}
