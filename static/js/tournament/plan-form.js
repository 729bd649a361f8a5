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
  if (by && !values.split(" ").includes(/** @type {HTMLSelectElement} */ (form.elements.namedItem(by)).value))
    return false;
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

/** Buttons that move a tie-break up; the list works without them, too. */
function addMoves() {
  for (const list of form.querySelectorAll(".in-order")) {
    const label = /** @type {HTMLElement} */ (list).dataset.up ?? "";
    const selects = [...list.querySelectorAll("select")];
    selects.forEach((select, at) => {
      const above = selects[at - 1];
      if (!above || select.disabled) return;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "btn small" });
      button.textContent = "↑";
      button.setAttribute("aria-label", `${label} ${at + 1}`);
      button.addEventListener("click", () => {
        [above.value, select.value] = [select.value, above.value];
        above.focus();
      });
      select.after(button);
    });
  }
}

addMoves();
document.addEventListener("htmx:afterSwap", takeNight);
form.addEventListener("change", showFields);
format?.addEventListener("change", propose);
addEventListener("pageshow", showFields); // also with what the browser has kept of the form
if (!form.querySelector(".wrong")) propose();
showFields();
