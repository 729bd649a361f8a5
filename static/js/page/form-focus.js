// Where the keyboard is after a form was sent: at what is wrong with it, or where it was on a page that came back anew.

import { describeElement, findElementAgain } from "./reading-position.js";

const SENT = "sent"; // in the session's storage: { path, when, ...what was pressed }
const LASTS_MS = 60_000; // an answer that takes longer is to something else
const SUMMARY = ".notes .note.error, main form .note.error";
const FIELD = "main [aria-invalid='true'], main .wrong :is(input, select, textarea, button):not([type='hidden'])";

/** @typedef {import("./reading-position.js").Address & { path: string, when: number }} Sent */

/** The first thing that says what is wrong: a sentence about the whole form, else the first field that is at fault. */
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
    // Nothing can be kept: the keyboard begins at the top.
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
 * What was pressed, if it is there again; else the main button of its part of the page, or the reader's own seat.
 * @param {Sent} sent
 */
function findPlace(sent) {
  const found = findElementAgain(sent);
  if (!found || found.id !== sent.home) return found;
  return found.querySelector(".btn.go:enabled") ?? document.getElementById("my-chair") ?? found;
}

/** Once, as the page comes: a page that has put the keyboard somewhere itself is left alone. */
export function placeFocus() {
  const sent = take();
  if (document.activeElement !== document.body) return;
  const there = findFault() ?? (sent && findPlace(sent));
  if (there) focus(there);
}

document.addEventListener("submit", ({ target, submitter }) => remember(submitter ?? target.querySelector("button")));
document.addEventListener("htmx:beforeRequest", ({ detail }) => detail.elt.matches("button") && remember(detail.elt));
// The page stays
document.addEventListener("htmx:afterRequest", ({ detail }) => detail.xhr.getResponseHeader("HX-Redirect") || take());
