// The form of a plan of a tournament or season: fields that do not matter for what was chosen are hidden, and what a format needs is proposed.

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.plan"));
const format = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem("format")); // of a tournament

/**
 * What a field depends on: a choice in another field, and whether games are live or played over days.
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

/** What somebody has typed stays. */
function propose() {
  for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-proposed]"))) {
    const proposed = JSON.parse(control.dataset.proposed ?? "{}")[format?.value ?? ""] ?? "";
    if (control.value === (control.dataset.last ?? "")) control.value = proposed;
    control.dataset.last = proposed;
  }
}

/** Rounds and minutes that fit the evening: filled in, and told to the server as what nobody has typed. */
function takeNight() {
  const night = form.querySelector("[data-night]")?.dataset.night ?? "";
  const told = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("proposed"));
  if (!night || !told) return;
  ["rounds_planned", "round_minutes"].forEach((name, at) => {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    field.value = night.split(" ")[at] ?? "";
  });
  told.value = night;
}

/** Handles to drag a tie-break by, and buttons that move it; the list works without them, too. */
function addMoves() {
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".in-order"))) {
    const selects = [...list.querySelectorAll("select")];
    if (selects.some((select) => select.disabled)) continue;
    selects.forEach((select, at) => {
      select.before(makeHandle(list, selects, at));
      const buttons = [];
      if (at > 0) buttons.push(makeButton("up", list.dataset.up, selects, at, at - 1));
      if (at + 1 < selects.length) buttons.push(makeButton("down", list.dataset.down, selects, at, at + 1));
      select.after(...buttons);
    });
  }
}

/**
 * Take a choice out of the list and put it in another place.
 * @param {HTMLSelectElement[]} selects
 * @param {number} from
 * @param {number} to
 */
function move(selects, from, to) {
  const values = selects.map((select) => select.value);
  values.splice(to, 0, ...values.splice(from, 1));
  selects.forEach((select, at) => (select.value = values[at] ?? ""));
}

/**
 * The focus goes along, so that a second press moves the same tie-break on.
 * @param {string} way
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
    const there = [...(selects[to]?.parentElement?.querySelectorAll("button") ?? [])];
    (there.find((other) => other.classList.contains(way)) ?? there[0])?.focus();
  });
  return button;
}

/**
 * By mouse, finger or pen. The choice is moved at once when the pointer comes to another place.
 * @param {HTMLElement} list
 * @param {HTMLSelectElement[]} selects
 * @param {number} first
 */
function makeHandle(list, selects, first) {
  const handle = Object.assign(document.createElement("span"), { className: "drag" });
  handle.append(Object.assign(document.createElement("i"), { className: "ico ico-drag" }));
  handle.setAttribute("aria-hidden", "true");
  let at = first;
  const mark = (/** @type {boolean} */ isDragged) =>
    selects.forEach((select, place) => select.parentElement?.classList.toggle("dragged", isDragged && place === at));
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    at = first;
    mark(true);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest("li");
    const to = selects.findIndex((select) => select.parentElement === row && list.contains(row));
    if (to < 0 || to === at) return;
    move(selects, at, to);
    at = to;
    mark(true);
  });
  for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => mark(false));
  return handle;
}

addMoves();
document.addEventListener("htmx:afterSwap", takeNight);
form.addEventListener("change", showFields);
format?.addEventListener("change", propose);
addEventListener("pageshow", showFields); // also with what the browser has kept of the form
if (!form.querySelector(".wrong")) propose();
showFields();
