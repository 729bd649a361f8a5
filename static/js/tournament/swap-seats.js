// Swaps two people in a draft: one is dragged onto the other, or the buttons beside both names are pressed. Both ways
// fill in the form for swapping and send it, so that the server checks the same rules.

const PLACES = "[data-place]"; // an entrant and a table: somebody's seat or bye in the draft
/** @type {HTMLElement | null} the first of the two people to swap */
let picked = null;

const form = () => /** @type {HTMLFormElement | null} */ (document.querySelector("form.swap"));
const nameOf = (/** @type {HTMLElement} */ place) => (place.querySelector(".name") ?? place).textContent?.trim() ?? "";

/**
 * @param {HTMLElement} first
 * @param {HTMLElement} second
 */
function swap(first, second) {
  const swapping = form();
  if (!swapping || first.dataset.place === second.dataset.place) return;
  [first, second].forEach((place, index) => {
    const select = /** @type {HTMLSelectElement} */ (swapping.elements.namedItem(index ? "second" : "first"));
    select.value = place.dataset.place ?? "";
  });
  swapping.requestSubmit(swapping.querySelector("button"));
}

/** @param {HTMLElement | null} place */
function pick(place) {
  picked?.classList.remove("picked");
  picked?.querySelector(".swap-pick")?.setAttribute("aria-pressed", "false");
  picked = place;
  place?.classList.add("picked");
  place?.querySelector(".swap-pick")?.setAttribute("aria-pressed", "true");
  if (place) document.getElementById("say").textContent = form()?.dataset.picked ?? "";
}

function prepare() {
  picked = null;
  const swapping = form();
  if (!swapping) return;
  for (const place of document.querySelectorAll(PLACES)) {
    if (place.draggable) continue;
    place.draggable = true;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "btn small swap-pick" });
    button.append(Object.assign(document.createElement("i"), { className: "ico ico-swap" }));
    button.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-label", (swapping.dataset.pick ?? "").replace("%s", nameOf(place)));
    button.addEventListener("click", () => {
      if (!picked) pick(place);
      else if (picked === place) pick(null);
      else swap(picked, place);
    });
    place.append(button);
    place.addEventListener("dragstart", (event) => {
      pick(place);
      event.dataTransfer?.setData("text/plain", nameOf(place));
    });
    place.addEventListener("dragover", (event) => picked && event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      if (picked) swap(picked, place);
    });
    place.addEventListener("dragend", () => pick(null));
  }
}

document.addEventListener("keydown", (event) => event.key === "Escape" && pick(null));
document.addEventListener("menagerie:swapped", prepare);
prepare();
