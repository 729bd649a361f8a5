// The replay of a game: steps, a slider, autoplay and keys. Every moment also has an address of its own.

const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const findField = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (find(id));
const root = find("replay");
const scene = () => find("scene");
const BEAT_MS = 1_600; // between two moves at the usual speed
const speeds = /** @type {HTMLSelectElement} */ (document.getElementById("speed"));
/** @type {string | null} the address requested last; answers to earlier requests are not shown */
let wanted = null;
let timer = 0;

const ply = () => Number(scene().dataset.ply);
const last = () => Number(scene().dataset.last);
/** @param {number | string} number */
const address = (number) => {
  const query = new URLSearchParams({ eyes: findField("eyes").value, ply: String(number) });
  if (speeds.value !== "1") query.set("speed", speeds.value);
  return `${root.dataset.base}?${query}`;
};

/** The ply requested last, so that a key pressed twice goes two moves on even if the server is slow. */
const goal = () => (wanted ? Number(new URL(wanted, location.href).searchParams.get("ply")) : ply());
/** @param {number} steps */
const onward = (steps) => address(Math.max(0, Math.min(last(), goal() + steps)));
/** @type {Record<string, number>} */
const STEPS = { "to-before": -1, "to-after": 1 };

/** @param {string} url */
async function load(url) {
  wanted = url;
  try {
    const answer = await fetch(url, { headers: { "X-Scene": "1" } });
    if (!answer.ok) return location.assign(url);
    const html = await answer.text();
    if (wanted === url) show(html, url);
  } catch {
    if (wanted === url) reset();
  }
}

/** Resets the fields to the moment that is shown, because another one could not be loaded. */
function reset() {
  stop();
  wanted = null;
  findField("ply").value = String(ply());
  findField("eyes").value = scene().dataset.eyes ?? "";
}

/**
 * @param {string} html
 * @param {string} url
 */
function show(html, url) {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  const fresh = /** @type {HTMLElement} */ (parsed.content.firstElementChild);
  const within = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (fresh.querySelector(selector));
  const now = scene();
  const open = [...now.querySelectorAll("details")].map((part) => part.open);
  wanted = null;
  for (const name of ["ply", "last", "eyes"]) now.dataset[name] = fresh.dataset[name];
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (now.querySelectorAll(".steps a"))) {
    link.href = /** @type {HTMLAnchorElement} */ (within(`#${link.id}`)).href;
  }
  now.querySelector(".scrub label")?.replaceWith(within(".scrub label"));
  const field = findField("ply");
  if (document.activeElement !== field || Number(field.value) !== ply()) field.value = String(ply());
  now.querySelector(".stage")?.replaceWith(within(".stage"));
  now.querySelector(".hands")?.remove();
  const hands = fresh.querySelector(".hands");
  if (hands) now.querySelector(".stage")?.after(hands);
  findField("here").value = /** @type {HTMLInputElement} */ (within("#here")).value;
  const details = [...now.querySelectorAll("details")];
  if (details.length === open.length) details.forEach((part, i) => (part.open = open[i]));
  history.replaceState(null, "", url);
  settle();
  const said =
    [...now.querySelectorAll(`#log .way[data-ply="${ply()}"]`)].map((way) => way.nextSibling?.textContent ?? "");
  find("say").textContent = said.join(" ");
}

function settle() {
  const log = document.getElementById("log");
  if (log) log.scrollTop = log.scrollHeight;
  if (ply() === last()) stop();
}

function play() {
  const button = find("autoplay");
  button.setAttribute("aria-pressed", "true");
  button.textContent = button.dataset.stop ?? "";
  if (ply() === last()) load(address(0));
  // Waits for the moment requested last, so that none is skipped.
  timer = window.setInterval(() => wanted ?? load(onward(1)), BEAT_MS / Number(speeds.value));
}

/** Applies the chosen speed to autoplay and to the link to this moment. */
function changeSpeed() {
  const link = new URL(findField("here").value);
  link.searchParams.delete("speed");
  if (speeds.value !== "1") link.searchParams.set("speed", speeds.value);
  findField("here").value = link.href;
  if (!timer) return;
  clearInterval(timer);
  timer = window.setInterval(() => wanted ?? load(onward(1)), BEAT_MS / Number(speeds.value));
}

/** @param {number} steps */
function stepSpeed(steps) {
  speeds.selectedIndex = Math.max(0, Math.min(speeds.options.length - 1, speeds.selectedIndex + steps));
  changeSpeed();
  find("say").textContent = speeds.selectedOptions[0].textContent;
}

/** @param {string} name */
function unfold(name) {
  const part = /** @type {HTMLDetailsElement | null} */ (document.querySelector(`details.${name}`));
  if (!part) return;
  part.open = !part.open;
  if (part.open) part.querySelector("summary")?.focus();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  const button = find("autoplay");
  button.setAttribute("aria-pressed", "false");
  button.textContent = button.dataset.play ?? "";
}

const toggle = () => (timer ? stop() : play());

document.addEventListener("click", (event) => {
  if (!event.target.closest("#replay, .chapters")) return;
  const link = /** @type {HTMLAnchorElement | null} */ (event.target.closest(".steps a, a.way"));
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    stop();
    const chosen = new URL(link.href).searchParams.get("ply") ?? 0;
    // Not the address of the link, which lacks the chosen speed and view.
    load(link.id in STEPS ? onward(STEPS[link.id]) : address(chosen));
    if (link.closest(".chapters")) scene().scrollIntoView({ block: "start" });
  } else if (event.target.closest("#autoplay")) {
    toggle();
  }
});

root.addEventListener("input", (event) => {
  if (event.target.id !== "ply") return;
  stop();
  load(address(event.target.value));
});
root.addEventListener("change", (event) => {
  if (event.target.id === "eyes") load(address(goal()));
  if (event.target.id === "speed") changeSpeed();
});
root.addEventListener("submit", (event) => {
  event.preventDefault();
  load(address(findField("ply").value));
});

/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "to-before",
  ArrowRight: "to-after",
  PageUp: "to-chapter-before",
  PageDown: "to-chapter-after",
  Home: "to-first",
  End: "to-last",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "+" || event.key === "-") stepSpeed(event.key === "+" ? 1 : -1);
  else if (event.key === "?") unfold("keys");
  else if (event.key === " " && !event.target.closest("button, summary, a")) toggle();
  else if (event.key in KEYS && !event.target.closest("#log")) find(KEYS[event.key]).click();
  else return;
  event.preventDefault();
});

find("autoplay").hidden = false;
speeds.hidden = false;
settle();
