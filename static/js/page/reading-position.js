// A reader keeps his place on a page that is drawn anew under him: what he has unfolded or folded, where his keyboard is, what he
// looks at. What has changed of that which concerns him is said aloud.

const TOLD = ["name", "value", "href", "data-tick-all"]; // of what is pressed and filled in
const CALLED = ["aria-label"]; // of a part that is moved sideways
const PASSING = ["csrfmiddlewaretoken", "key", "version"]; // of the moment at which the page was drawn, not of what is done

/** What a button does, and to what: in its place may stand one that takes back another step, or confirms another result. */
function nameDeed(element) {
  if (element.localName !== "button") return "";
  const fields = [...(element.form?.elements ?? [])].filter((one) => one.type === "hidden" && !PASSING.includes(one.name));
  return [element, ...fields].map((one) => `${one.name}=${one.value}`).join("&");
}

const listAlike = (home, { kind, deed }) => [...home.querySelectorAll(kind)].filter((one) => nameDeed(one) === deed);

/** What an element is among those of the nearest part with an id around it: its successor is the same there. */
export function describeElement(element) {
  if (element.id && element.localName !== "button") return { home: element.id };
  const names = element.localName === "div" ? CALLED : TOLD;
  const told = names.filter((name) => element.hasAttribute(name)).map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`);
  const one = { kind: element.localName + (element.id ? `#${element.id}` : told.join("")), deed: nameDeed(element) };
  const home = element.parentElement.closest("[id]");
  return { ...one, home: home.id, at: listAlike(home, one).indexOf(element) };
}

export function findElementAgain(one) {
  const there = document.getElementById(one.home);
  return (there && one.kind && listAlike(there, one)[one.at]) || there;
}

/** Where his keyboard is if that is on the screen; else, of all that can be found again, what is nearest to its top. */
function findMark(part, focused) {
  const own = focused && document.activeElement.getBoundingClientRect();
  if (own && own.bottom > 0 && own.top < innerHeight) return document.activeElement;
  const seen = [...part.querySelectorAll("[id]")].filter((one) => one.checkVisibility());
  const far = (one) => Math.abs(one.getBoundingClientRect().top);
  return seen.reduce((best, one) => (!best || far(one) < far(best) ? one : best), null);
}

/** Remember what the server has unfolded: what is not unfolded later the reader has folded. */
export function noteOpenDetails(part) {
  for (const one of part.querySelectorAll("details[open]")) one.dataset.unfolded = "";
}

const setFolds = (folds, open) => {
  for (const one of folds) {
    const details = findElementAgain(one)?.closest("details");
    if (details) details.open = open;
  }
};

/** Note where the reader is on this part of the page; what is returned brings him back there. */
export function holdPosition(part) {
  const focused = part.contains(document.activeElement) && describeElement(document.activeElement);
  const open = [...part.querySelectorAll("details[open] > summary")].map(describeElement);
  const folded = [...part.querySelectorAll("details[data-unfolded]:not([open]) > summary")].map(describeElement);
  const mark = scrollY > 0 && findMark(part, focused);
  const high = mark && { ...describeElement(mark), top: mark.getBoundingClientRect().top };
  const wide = [...part.querySelectorAll(".scroll")].filter((one) => one.scrollLeft);
  const sideways = wide.map((one) => ({ ...describeElement(one), left: one.scrollLeft }));
  const said = new Map([...part.querySelectorAll("[data-say]")].map((one) => [one.id, one.textContent]));

  return (fresh) => {
    noteOpenDetails(fresh);
    setFolds(open, true);
    setFolds(folded, false);
    if (focused && document.activeElement !== findElementAgain(focused)) {
      document.activeElement.blur(); // htmx gives it to whatever has the same id now
      for (const one of [findElementAgain(focused), fresh]) if (document.activeElement === document.body) one?.focus({ preventScroll: true });
    }
    for (const one of sideways) findElementAgain(one)?.scrollTo({ left: one.left, behavior: "instant" });
    const again = high && findElementAgain(high);
    if (again) scrollBy({ top: again.getBoundingClientRect().top - high.top, behavior: "instant" });
    const news = [...fresh.querySelectorAll("[data-say]")].filter((one) => said.get(one.id) !== one.textContent);
    if (news.length) document.getElementById("say").textContent = news.map((one) => one.textContent.trim()).join(". ");
  };
}
