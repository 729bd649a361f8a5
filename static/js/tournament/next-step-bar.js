// Keeps the next step in view: when its panel has scrolled away, a bar at the bottom of the screen shows its button.

const bar = Object.assign(document.createElement("div"), { className: "next-bar", hidden: true });
const watcher = new IntersectionObserver(([seen]) => {
  bar.hidden = seen.isIntersecting;
  uncover();
});

/** Keeps the focused element in view: the bar appears only after the page has been scrolled to it. */
function uncover() {
  const held = document.querySelector(":focus-visible"), box = held?.getBoundingClientRect();
  if (!bar.hidden && held && box && !bar.contains(held) && box.top < innerHeight
    && box.bottom > bar.getBoundingClientRect().top)
    held.scrollIntoView({ block: "nearest" });
}

/**
 * Copies the button of the panel. The copy sends the panel's form.
 * @param {HTMLButtonElement} button
 */
function copy(button) {
  const twin = /** @type {HTMLButtonElement} */ (button.cloneNode(true));
  twin.removeAttribute("id");
  twin.setAttribute("form", button.form?.id ?? "");
  twin.classList.remove("big");
  return twin;
}

function fill() {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("#next.go"));
  const said = /** @type {HTMLElement} */ (document.querySelector(".next .say"));
  const way = Object.assign(document.createElement("a"), { href: "#step", textContent: said.textContent?.trim() });
  bar.replaceChildren(way, ...(button ? [copy(button)] : []));
  watcher.disconnect();
  watcher.observe(button ?? said);
}

document.getElementById("main").append(bar);
document.addEventListener("menagerie:swapped", fill);
fill();
