// The search in the header: a combobox with a list (WAI-ARIA APG). The server fills the list as the reader types; this
// script handles the keys. "/" focuses the box from anywhere, arrows choose, Enter follows, Escape closes. If the
// header has no room for the box, the magnifying glass opens it below the header.

/** Adds keys and suggestions to the search in the header. */
export function suggestFound() {
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-search]"));
  const list = document.getElementById("suggestions");

  if (box && list) {
    const selector = '[role="option"]:not([aria-disabled])';
    const options = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(selector)]);
    const form = box.closest("form");
    const lens = /** @type {HTMLElement | null} */ (document.querySelector(".top .find"));
    let chosen = -1;

    /** @param {boolean} isOpen */
    const unfold = (isOpen) => {
      form?.classList.toggle("open", isOpen);
      lens?.setAttribute("aria-expanded", String(isOpen));
      if (isOpen) box.focus();
    };

    /** @param {number} wanted index of the option; one past either end chooses none */
    const choose = (wanted) => {
      const all = options();
      chosen = all.length ? (wanted + all.length + 1) % (all.length + 1) : all.length;
      all.forEach((option, index) => option.setAttribute("aria-selected", String(index === chosen)));
      const now = all[chosen];
      if (now) box.setAttribute("aria-activedescendant", now.id);
      else box.removeAttribute("aria-activedescendant");
      now?.scrollIntoView({ block: "nearest" });
    };

    /** @param {boolean} isOpen */
    const show = (isOpen) => {
      list.hidden = !isOpen || !list.childElementCount;
      box.setAttribute("aria-expanded", String(!list.hidden));
      if (list.hidden) choose(options().length);
    };

    /** @param {Element | null | undefined} option */
    const follow = (option) => option instanceof HTMLElement && option.dataset.href
      && location.assign(option.dataset.href);

    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
    list.addEventListener("click", (event) => follow(/** @type {Element} */ (event.target).closest('[role="option"]')));
    list.addEventListener("htmx:afterSwap", () => {
      choose(options().length);
      show(document.activeElement === box && box.value.trim() !== "");
    });
    box.addEventListener("focus", () => show(box.value.trim() !== ""));
    box.addEventListener("input", () => box.value.trim() || show(false));
    box.addEventListener("blur", () => setTimeout(() => {
      if (list.contains(document.activeElement) || document.activeElement === box) return;
      show(false);
      unfold(false);
    }, 150));
    lens?.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      unfold(!form?.classList.contains("open"));
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        show(true);
        choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
      } else if (event.key === "Escape" && !list.hidden) {
        event.preventDefault();
        show(false);
      } else if (event.key === "Escape" && form?.classList.contains("open")) {
        unfold(false);
        lens?.focus();
      } else if (event.key === "Enter" && options()[chosen]) {
        event.preventDefault();
        follow(options()[chosen]);
      }
    });
    document.addEventListener("keydown", (event) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement
        && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("[data-table]")) return; // a table has keys of its own
      event.preventDefault();
      if (box.offsetParent) box.focus();
      else unfold(true);
    });
  }
}
