// The form of a plan of a tournament or season: fields that do not matter for what was chosen are hidden, and what a format needs is proposed.

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.plan"));
const format = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem("format")); // of a tournament

/** A field with an error is always shown. */
function showFields() {
  for (const control of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-by]"))) {
    const { by = "", values = "" } = control.dataset;
    const chosen = /** @type {HTMLSelectElement} */ (form.elements.namedItem(by)).value;
    const field = /** @type {HTMLElement} */ (control.closest(".field"));
    field.hidden = !values.split(" ").includes(chosen) && !field.matches(".wrong");
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

form.addEventListener("change", showFields);
format?.addEventListener("change", propose);
addEventListener("pageshow", showFields); // also with what the browser has kept of the form
if (!form.querySelector(".wrong")) propose();
showFields();
