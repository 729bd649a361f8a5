// A search box over a long list on the page: it shows only the rows that contain the words typed. The list is marked
// with data-filter="LABEL" and a key. It gets a box if it has more than twenty rows, and keeps it when it is refreshed.
// Rows are searched by their names and headings, or by their whole text if they have none. A long <select> that is
// marked in the same way gets a box, too.

const MAX_BARE = 20; // rows that a list may have without a box
const NAMES = '.name, th[scope="row"], h2, h3';
/** @type {Map<string, string>} */
const words = new Map();
const fold = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  .replaceAll("ł", "l").replaceAll("ß", "ss");

/** @param {HTMLElement} row */
const read = (row) => {
  const names = [...row.querySelectorAll(NAMES)];
  return fold((names.length ? names : [row]).map((element) => element.textContent ?? "").join(" "));
};

/** @param {HTMLElement} list */
const narrow = (list) => {
  const key = list.dataset.filterKey ?? "";
  const wanted = fold(words.get(key) ?? "").split(/\s+/).filter(Boolean);
  if (!wanted.length && !list.dataset.narrowed) return;
  list.dataset.narrowed = wanted.join(" ");
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  let shown = 0;
  for (const row of rows) {
    const text = wanted.length ? read(row) : "";
    const fits = wanted.every((word) => text.includes(word));
    row.classList.toggle("left-out", !fits); // not `hidden`, which says other things, as that somebody is muted
    if (fits) shown++;
  }
  const count = document.getElementById(`filter-count-${key}`);
  const said = wanted.length ? `${shown} / ${rows.length}` : "";
  if (count && count.textContent !== said) count.textContent = said;
};

/** @param {string} id @param {string} label */
const makeBox = (id, label) => {
  const box = document.createElement("input");
  Object.assign(box, { type: "search", id, maxLength: 40, autocomplete: "off", spellcheck: false, placeholder: label });
  box.setAttribute("aria-label", label);
  box.className = "list-filter";
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // the list may be inside a form, which is not sent by it
  });
  return box;
};

/** @param {HTMLElement} list */
const equip = (list) => {
  const key = list.dataset.filterKey ?? "";
  if (list.childElementCount > MAX_BARE && !document.getElementById(`filter-${key}`)) {
    const box = makeBox(`filter-${key}`, list.dataset.filter ?? "");
    box.value = words.get(key) ?? "";
    box.addEventListener("input", () => {
      words.set(key, box.value);
      const now = document.querySelector(`[data-filter-key="${key}"]`);
      if (now instanceof HTMLElement) narrow(now);
    });
    const count = document.createElement("output");
    Object.assign(count, { id: `filter-count-${key}`, className: "list-count soft" });
    count.setAttribute("for", box.id);
    const place = list.closest(".scroll, table") ?? list;
    place.before(box, count);
  }
  narrow(list);
};

/** @type {WeakMap<HTMLSelectElement, { group: HTMLElement | null, options: HTMLOptionElement[] }[]>} */
const choices = new WeakMap();

/** @param {HTMLSelectElement} select */
const readChoices = (select) => [...select.children].map((child) => (child instanceof HTMLOptGroupElement
  ? { group: child, options: /** @type {HTMLOptionElement[]} */ ([...child.children]) }
  : { group: null, options: [/** @type {HTMLOptionElement} */ (child)] }));

/** Options that do not match are taken out, because some browsers show hidden ones.
 * @param {HTMLSelectElement} select @param {string} typed */
const narrowChoice = (select, typed) => {
  const wanted = fold(typed).split(/\s+/).filter(Boolean);
  const chosen = select.value;
  const fits = (/** @type {HTMLOptionElement} */ option) => !option.value
    || wanted.every((word) => fold(option.text).includes(word));
  select.replaceChildren(...(choices.get(select) ?? []).flatMap(({ group, options }) => {
    const left = options.filter(fits);
    if (!group) return left;
    group.replaceChildren(...left);
    return left.length ? [group] : [];
  }));
  const left = [...select.options].filter((option) => option.value);
  if (wanted.length && left.length === 1) select.value = left[0].value; // the only one that is meant
  else if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
};

/** @param {HTMLSelectElement} select */
const equipChoice = (select) => {
  if (choices.has(select) || select.options.length <= MAX_BARE) return;
  choices.set(select, readChoices(select));
  const box = makeBox(`filter-${select.id}`, select.dataset.filter ?? "");
  box.addEventListener("input", () => narrowChoice(select, box.value));
  select.before(box);
};

const equipAll = () => {
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (
    document.querySelectorAll("select[data-filter]"))) equipChoice(select);
  /** @type {NodeListOf<HTMLElement>} */
  const lists = document.querySelectorAll("[data-filter-key]");
  for (const list of lists) equip(list);
};

/** Adds the box to each long list on the page, and to lists that are added or refreshed later. */
export function filterLists() {
  /** @type {{ id: string, at: number | null } | null} */
  let typing = null;
  document.addEventListener("htmx:beforeSwap", () => {
    const box = document.activeElement;
    typing = box instanceof HTMLInputElement && box.classList.contains("list-filter")
      ? { id: box.id, at: box.selectionStart } : null;
  });
  document.addEventListener("htmx:afterSwap", () => {
    equipAll();
    const box = typing && document.getElementById(typing.id);
    if (box instanceof HTMLInputElement && box !== document.activeElement) {
      box.focus();
      box.setSelectionRange(typing?.at ?? null, typing?.at ?? null);
    }
  });
  const main = document.querySelector("main") ?? document.body;
  new MutationObserver(equipAll).observe(main, { childList: true, subtree: true });
  equipAll();
}
