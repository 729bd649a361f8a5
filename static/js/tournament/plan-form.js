// The form of a tournament's or season's plan: hides fields that do not apply to what was chosen, and proposes the
// values that a format needs.

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.plan"));
const format = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem("format")); // of a tournament

/**
 * Whether a field applies. It may depend on a choice in another field, and on whether games are live or over days.
 * @param {HTMLElement} control
 * @returns {boolean}
 */
function isUsed(control) {
  const { by, values = "", pace } = control.dataset;
  if (by) {
    const choice = /** @type {HTMLSelectElement} */ (form.elements.namedItem(by));
    if (!values.split(" ").includes(choice.value) || !isUsed(choice)) return false;
  }
  return !pace || pace === (isOverDays() ? "days" : "live");
}

/** @returns {boolean} */
function isOverDays() {
  const pace = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem("pace"));
  return !!pace?.value && isUsed(pace);
}

/** A field with an error is always shown. */
function showFields() {
  const controls = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-by], [data-pace]"));
  for (const control of controls) {
    const field = /** @type {HTMLElement} */ (control.closest(".field"));
    field.hidden = !isUsed(control) && !field.matches(".wrong");
  }
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("details.further"))) {
    group.hidden = !group.querySelector(".field:not([hidden])");
  }
}

/** Fills in the values that the chosen format needs. What the reader has typed stays. */
function propose() {
  for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-proposed]"))) {
    const proposed = JSON.parse(control.dataset.proposed ?? "{}")[format?.value ?? ""] ?? "";
    if (control.value === (control.dataset.last ?? "")) control.value = proposed;
    control.dataset.last = proposed;
  }
}

/** Fills in the rounds and minutes that fit the evening, and marks them for the server as proposed, not typed. */
function takeNight() {
  const night = form.querySelector("[data-night]")?.dataset.night ?? "";
  const told = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("proposed"));
  if (!night || !told) return;
  ["rounds_planned", "round_minutes"].forEach((name, index) => {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    field.value = night.split(" ")[index] ?? "";
  });
  told.value = night;
}

/** Adds handles to drag tie-breaks and buttons to move them. Without scripts the list is used by its fields alone. */
function addMoves() {
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".in-order"))) {
    const selects = [...list.querySelectorAll("select")];
    if (selects.some((select) => select.disabled)) continue;
    selects.forEach((select, index) => {
      select.before(makeHandle(list, selects, index));
      const buttons = [];
      if (index > 0) buttons.push(makeButton("up", list.dataset.up, selects, index, index - 1));
      if (index + 1 < selects.length) buttons.push(makeButton("down", list.dataset.down, selects, index, index + 1));
      select.after(...buttons);
    });
  }
}

/**
 * Moves a choice to another place in the list.
 * @param {HTMLSelectElement[]} selects
 * @param {number} from
 * @param {number} to
 */
function move(selects, from, to) {
  const values = selects.map((select) => select.value);
  values.splice(to, 0, ...values.splice(from, 1));
  selects.forEach((select, index) => (select.value = values[index] ?? ""));
}

/**
 * A button that moves a tie-break. The focus moves with it, so that a second press moves the same tie-break again.
 * @param {string} way the class of its icon: up, down
 * @param {string | undefined} label
 * @param {HTMLSelectElement[]} selects
 * @param {number} from
 * @param {number} to
 */
function makeButton(way, label, selects, from, to) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "btn small" });
  button.append(Object.assign(document.createElement("i"), { className: `ico ${way}` }));
  button.setAttribute("aria-label", `${label} ${from + 1}`);
  button.classList.add(way);
  button.addEventListener("click", () => {
    move(selects, from, to);
    const buttons = [...(selects[to]?.parentElement?.querySelectorAll("button") ?? [])];
    (buttons.find((other) => other.classList.contains(way)) ?? buttons[0])?.focus();
  });
  return button;
}

/**
 * A handle to drag a tie-break by mouse, finger or pen. It is moved as soon as the pointer reaches another place.
 * @param {HTMLElement} list
 * @param {HTMLSelectElement[]} selects
 * @param {number} first
 */
function makeHandle(list, selects, first) {
  const handle = Object.assign(document.createElement("span"), { className: "drag" });
  handle.append(Object.assign(document.createElement("i"), { className: "ico ico-drag" }));
  handle.setAttribute("aria-hidden", "true");
  let current = first;
  const mark = (/** @type {boolean} */ isDragged) => selects.forEach((select, place) =>
    select.parentElement?.classList.toggle("dragged", isDragged && place === current));
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    current = first;
    mark(true);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest("li");
    const to = selects.findIndex((select) => select.parentElement === row && list.contains(row));
    if (to < 0 || to === current) return;
    move(selects, current, to);
    current = to;
    mark(true);
  });
  for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => mark(false));
  return handle;
}

addMoves();
document.addEventListener("htmx:afterSwap", takeNight);
form.addEventListener("change", showFields);
format?.addEventListener("change", propose);
addEventListener("pageshow", showFields); // the browser may restore values when the reader goes back
if (!form.querySelector(".wrong")) propose();
showFields();
