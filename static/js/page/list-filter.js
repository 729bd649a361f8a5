// A box that narrows a long list on the page to what contains the words in it. The list is marked with
// data-filter="LABEL" and a key; it gets a box where it has more than twenty rows, and keeps it when it is refreshed.

const LEAST = 20;
/** @type {Map<string, string>} */
const words = new Map();
const fold = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  .replaceAll("ł", "l").replaceAll("ß", "ss");

/** @param {HTMLElement} list */
const narrow = (list) => {
  const wanted = fold(words.get(list.dataset.filterKey ?? "") ?? "").split(/\s+/).filter(Boolean);
  for (const row of /** @type {HTMLElement[]} */ ([...list.children])) {
    const name = row.querySelector('.name, th[scope="row"]') ?? row;
    const text = fold(name.textContent ?? "");
    const isHidden = !wanted.every((word) => text.includes(word));
    if (row.hidden !== isHidden) row.hidden = isHidden;
  }
};

/** @param {HTMLElement} list */
const equip = (list) => {
  const key = list.dataset.filterKey ?? "";
  if (list.childElementCount > LEAST && !document.getElementById(`filter-${key}`)) {
    const box = document.createElement("input");
    Object.assign(box, { type: "search", id: `filter-${key}`, maxLength: 40, autocomplete: "off", spellcheck: false });
    box.value = words.get(key) ?? "";
    box.placeholder = list.dataset.filter ?? "";
    box.setAttribute("aria-label", list.dataset.filter ?? "");
    box.className = "list-filter";
    box.addEventListener("input", () => {
      words.set(key, box.value);
      const now = document.querySelector(`[data-filter-key="${key}"]`);
      if (now instanceof HTMLElement) narrow(now);
    });
    (list.closest(".scroll, table") ?? list).before(box);
  }
  narrow(list);
};

const equipAll = () => {
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-filter]"))) equip(list);
};

/** Gives each long list on the page its box, also where the list comes or is refreshed later. */
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
