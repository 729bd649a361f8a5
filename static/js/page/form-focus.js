// Sets the keyboard focus after a form was sent: to the first error, or to where it was before the page was reloaded.

import { describeElement, findElementAgain } from "./reading-position.js";

const SENT = "sent"; // key in sessionStorage: { path, when, ...address of the pressed button }
const LASTS_MS = 60_000; // a page that comes later than this is not the answer to the form
const SUMMARY = ".notes .note.error, main form .note.error";
const FIELD = "main [aria-invalid='true'], main .wrong :is(input, select, textarea, button):not([type='hidden'])";

/** @typedef {import("./reading-position.js").Address & { path: string, when: number }} Sent */

/** The first error: a message about the whole form, else the first invalid field. */
const findFault = () => document.querySelector(SUMMARY) ?? document.querySelector(FIELD);

/** @param {HTMLElement} element */
function focus(element) {
  const fold = element.closest("details");
  if (fold) fold.open = true;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}

/** @param {HTMLElement | null} element */
function remember(element) {
  if (!element?.closest("main")) return;
  try {
    sessionStorage.setItem(
      SENT, JSON.stringify({ path: location.pathname, when: Date.now(), ...describeElement(element) }));
  } catch {
    // Nothing can be stored, so the focus starts at the top of the page.
  }
}

/** @returns {Sent | null} */
function take() {
  try {
    const sent = JSON.parse(sessionStorage.getItem(SENT) ?? "null");
    sessionStorage.removeItem(SENT);
    return sent && sent.path === location.pathname && Date.now() - sent.when < LASTS_MS ? sent : null;
  } catch {
    return null;
  }
}

/**
 * The pressed button if it exists again, else the main button of its part of the page, or the reader's own seat.
 * @param {Sent} sent
 */
function findPlace(sent) {
  const found = findElementAgain(sent);
  if (!found || found.id !== sent.home) return found;
  return found.querySelector(".btn.go:enabled") ?? document.getElementById("my-chair") ?? found;
}

/** Called once when the page has loaded. If the page has set the focus itself, it stays there. */
export function placeFocus() {
  const sent = take();
  if (document.activeElement !== document.body) return;
  const target = findFault() ?? (sent && findPlace(sent));
  if (target) focus(target);
}

document.addEventListener("submit", ({ target, submitter }) => remember(submitter ?? target.querySelector("button")));
document.addEventListener("htmx:beforeRequest", ({ detail }) => detail.elt.matches("button") && remember(detail.elt));
// An htmx answer without a redirect leaves the page in place, so nothing has to be remembered for the next one.
document.addEventListener("htmx:afterRequest", ({ detail }) => detail.xhr.getResponseHeader("HX-Redirect") || take());
