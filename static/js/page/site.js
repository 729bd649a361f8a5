// Runs on every page: theme, copy buttons, fresh random digits for forms, and error messages of htmx requests.

import { placeFocus } from "./form-focus.js";
import { installWorker } from "./installed-app.js";
import { filterLists } from "./list-filter.js";
import { isPressing } from "./press-guard.js";
import { recallResults } from "./result-store.js";
import { showMoments } from "./local-times.js";
import { suggestFound } from "./search-box.js";
import { offerToShow } from "./show-password.js";

showMoments();
placeFocus();
installWorker();
filterLists();
suggestFound();
offerToShow();
if (recallResults().length) void import("../tournament/waiting-results.js"); // sends results that wait on this device

const root = document.documentElement;
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";

// --- theme ---------------------------------------------------------------------------------------

const toggle = document.querySelector("[data-theme-toggle]");
if (toggle) {
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // Storage may be forbidden; then the theme holds for this page only.
    }
  });
}

// --- scrolls the link to the current page into view in rows that are wider than the screen ----------

for (const current of document.querySelectorAll("nav a[aria-current]")) {
  const row = current.parentElement;
  if (row && row.scrollWidth > row.clientWidth)
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
}

// --- settings stored on this device -----------------------------------------------------------------

for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-remember]"))) {
  const name = box.dataset.remember ?? "";
  try {
    box.checked = localStorage.getItem(name) === "1";
    const section = box.closest("section");
    if (section) section.hidden = false;
  } catch {
    continue; // storage is forbidden
  }
  box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "1" : ""));
}

// --- another account in another tab -------------------------------------------------------------------

// Every page tells the others who is signed in. A table that was rendered for somebody else reloads, because it may
// show what this person must not see, or lack what they may.
if ("BroadcastChannel" in window) {
  const others = new BroadcastChannel("who");
  others.postMessage(root.dataset.who);
  if (!document.querySelector("[data-table]")) others.close();
  else others.addEventListener("message", ({ data }) => data !== root.dataset.who && location.reload());
}

// After signing out, drafts of moves are deleted, so that the next person on this device sees nothing of a hand.
if (!root.dataset.who) {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith("draft:")) sessionStorage.removeItem(name);
  } catch {
    // Storage is forbidden, so there are no drafts.
  }
}

// --- forms ---------------------------------------------------------------------------------------

document.addEventListener("change", (event) => {
  const form = /** @type {HTMLFormElement | null} */ (event.target.closest("form[data-autosubmit]"));
  if (form) form.requestSubmit();
});

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrf();
});

// A list that is fetched every few seconds is not replaced while something is pressed: the next answer will replace it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isPressing() && detail.requestConfig.elt.matches("[hx-trigger^='every']")) detail.shouldSwap = false;
});

document.addEventListener("htmx:responseError", (event) => say(event.detail.xhr.responseText));

/** @type {HTMLElement | null} the message that the server does not answer, shown until it does */
let silence = null;
for (const kind of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(kind, () => {
    if (!silence?.isConnected) silence = say(root.dataset.offline || "…");
  });
}
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && silence?.isConnected) silence.parentElement?.remove();
});

/**
 * Shows an error message at the top of the page and announces it. Returns its element.
 * @param {string} sentence
 * @returns {HTMLElement}
 */
function say(sentence) {
  const notes = document.querySelector(".notes")
    ?? Object.assign(document.createElement("div"), { className: "notes" });
  if (!notes.isConnected) document.getElementById("main").before(notes);
  const note = Object.assign(document.createElement("p"), { className: "note error", textContent: sentence });
  note.setAttribute("role", "alert");
  notes.replaceChildren(note);
  return note;
}

// --- fresh random digits for forms that must count once ---------------------------------------------

const makeRandomDigits = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// A double tap sends the same digits twice and opens one table. After "back" the form gets new digits, for another one.
addEventListener("pageshow", ({ persisted }) => {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (!persisted && navigation?.type !== "back_forward") return;
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-once]")))
    field.value = makeRandomDigits();
});

// --- copying -------------------------------------------------------------------------------------

function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}
offerCopies();
document.addEventListener("menagerie:swapped", offerCopies);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  const { copy = "", done = "" } = button?.dataset ?? {};
  const field = copy && /** @type {HTMLInputElement | null} */ (document.querySelector(copy));
  const label = button?.querySelector("span");
  if (!button || !field || !label) return;
  const before = (button.dataset.before ??= label.textContent ?? "");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages without HTTPS have no navigator.clipboard
  }
  label.textContent = done;
  document.getElementById("say").textContent = done;
  setTimeout(() => (label.textContent = before), 1800);
});
