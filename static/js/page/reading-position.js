// Keeps the reader's place while parts of a page are replaced: open and closed sections, the keyboard focus, and what
// is in view. Announces changed elements that are marked with data-say.

const FIELD_ATTRIBUTES = ["name", "value", "href", "data-tick-all"]; // these identify buttons, links and fields
const SCROLLER_ATTRIBUTES = ["aria-label"]; // these identify parts that scroll sideways
// These change each time the page is rendered, so they do not identify a form.
const CHANGING_FIELDS = ["csrfmiddlewaretoken", "key", "version"];

/** @typedef {{ kind: string, deed: string }} Likeness a selector for the element, and what it does if it is a button */

/**
 * @typedef {Partial<Likeness> & { home: string, at?: number }} Address
 *   how to find an element again: the id of the part around it, and its index among those alike in that part
 */

/**
 * Names and values of a button and of the hidden fields of its form. They tell it from a button that takes its place
 * and undoes another step, or confirms another result.
 * @param {Element} element
 */
function nameDeed(element) {
  if (!(element instanceof HTMLButtonElement)) return "";
  const form = /** @type {Field[]} */ ([...(element.form?.elements ?? [])]);
  const fields = form.filter((field) => field.type === "hidden" && !CHANGING_FIELDS.includes(field.name));
  return [element, ...fields].map((field) => `${field.name}=${field.value}`).join("&");
}

/**
 * @param {Element} home
 * @param {Likeness} likeness
 */
const listAlike = (home, { kind, deed }) => [...home.querySelectorAll(kind)].filter((each) => nameDeed(each) === deed);

/**
 * Describes an element so that `findElementAgain` finds the one that has replaced it.
 * @param {Element} element
 * @returns {Address}
 */
export function describeElement(element) {
  if (element.id && element.localName !== "button") return { home: element.id };
  const names = element.localName === "div" ? SCROLLER_ATTRIBUTES : FIELD_ATTRIBUTES;
  const attributes = names.filter((name) => element.hasAttribute(name))
    .map((name) => `[${name}="${CSS.escape(element.getAttribute(name) ?? "")}"]`);
  const likeness =
    { kind: element.localName + (element.id ? `#${element.id}` : attributes.join("")), deed: nameDeed(element) };
  const home = /** @type {HTMLElement} */ (element.parentElement?.closest("[id]"));
  return { ...likeness, home: home.id, at: listAlike(home, likeness).findIndex((each) => each === element) };
}

/**
 * The element at this address, else the part in which it was; null if that is gone, too.
 * @param {Address} address
 */
export function findElementAgain({ home, kind, deed = "", at }) {
  const part = document.getElementById(home);
  if (!part || !kind || at === undefined) return part;
  return listAlike(part, { kind, deed })[at] ?? part;
}

/**
 * The element that is kept at its height on the screen: the one with the focus if it is in view, else the element with
 * an id nearest to the top.
 * @param {Element} part
 * @param {Address | null} focused
 */
function findMark(part, focused) {
  const active = document.activeElement;
  const own = focused && active?.getBoundingClientRect();
  if (own && own.bottom > 0 && own.top < innerHeight) return active;
  const visible = [...part.querySelectorAll("[id]")].filter((element) => element.checkVisibility());
  /** @param {Element} element */
  const distance = (element) => Math.abs(element.getBoundingClientRect().top);
  return visible.reduce((best, element) => (!best || distance(element) < distance(best) ? element : best),
    /** @type {HTMLElement | null} */ (null));
}

/**
 * Marks sections that the server rendered open. If one of them is closed later, the reader has closed it.
 * @param {Element} part
 */
export function noteOpenDetails(part) {
  for (const details of part.querySelectorAll("details[open]")) details.dataset.unfolded = "";
}

/**
 * @param {Address[]} folds
 * @param {boolean} open
 */
const setFolds = (folds, open) => {
  for (const fold of folds) {
    const details = findElementAgain(fold)?.closest("details");
    if (details) details.open = open;
  }
};

/**
 * Stores where the reader is in this part of the page. Returns a function that restores it in the part's replacement.
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
  const scrolled = [...part.querySelectorAll(".scroll")].filter((scroller) => scroller.scrollLeft);
  const sideways = scrolled.map((scroller) => ({ ...describeElement(scroller), left: scroller.scrollLeft }));
  const texts = new Map([...part.querySelectorAll("[data-say]")].map((element) => [element.id, element.textContent]));

  return (fresh) => {
    noteOpenDetails(fresh);
    setFolds(open, true);
    setFolds(folded, false);
    if (focused && document.activeElement !== findElementAgain(focused)) {
      // htmx has given the focus to the new element with the same id.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      for (const target of [findElementAgain(focused), fresh]) if (document.activeElement === document.body)
        target?.focus({ preventScroll: true });
    }
    for (const place of sideways) findElementAgain(place)?.scrollTo({ left: place.left, behavior: "instant" });
    const again = high && findElementAgain(high);
    if (again) scrollBy({ top: again.getBoundingClientRect().top - high.top, behavior: "instant" });
    const news = [...fresh.querySelectorAll("[data-say]")]
      .filter((element) => texts.get(element.id) !== element.textContent);
    if (news.length) document.getElementById("say").textContent = news.map(readAloud).join(". ");
  };
}

/**
 * An element's text without the parts that are hidden from screen readers.
 * @param {Element} element
 * @returns {string}
 */
function readAloud(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}
