// Results entered without a network wait on this device, and are sent in order once there is a connection. Each has a
// key, so the server counts it once, even if its answer was lost. Pages outside tournaments load this script only while
// results wait: they send them, and show nothing.

import { keepResults, recallResults, STORE } from "../page/result-store.js";

const AGAIN_MS = 5_000; // between two attempts to send
const ANSWER_MS = 10_000; // a request without an answer for this long has failed
const TRY_LATER = [429, 502, 503, 504]; // the server is starting or busy
const root = document.documentElement;

/** @typedef {import("../page/result-store.js").WaitingResult} WaitingResult */

/**
 * The server's answer to a result: accepted (isTaken), to be sent again later (isLate), or refused with a sentence.
 * @typedef {{ isTaken: boolean, isLate: boolean, sentence: string }} Answer
 */

const section = document.getElementById("waiting");
const model = /** @type {HTMLTemplateElement | null} */ (section?.querySelector("template"));

const listOwn = () => recallResults().filter(({ who }) => who === root.dataset.who);

/** @param {string} key @param {string} [refused] */
function settle(key, refused) {
  const left = recallResults()
    .flatMap((result) => (result.key !== key ? [result] : refused ? [{ ...result, refused }] : []));
  keepResults(left);
  show();
}

/**
 * Sends a refused result again: the reason may be gone, because somebody has signed in or the round is played again.
 * @param {string} key
 */
function sendAgain(key) {
  keepResults(recallResults().map((result) => (result.key === key ? { ...result, refused: "" } : result)));
  show();
  void sendAll();
}

/**
 * @param {WaitingResult} result
 * @returns {Promise<Answer>}
 */
async function send({ address, fields, key, at }) {
  const body = new URLSearchParams(fields);
  body.set("key", key);
  body.set("waited", String(Math.max(0, Math.ceil((Date.now() - at) / 1000)) || 0));
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(address, {
      method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS),
      headers: { Accept: "application/json", "X-CSRFToken": token },
    });
  } catch {
    return { isTaken: false, isLate: true, sentence: "" };
  }
  if (answer.type === "opaqueredirect") return { isTaken: true, isLate: false, sentence: "" };
  const isLate = TRY_LATER.includes(answer.status);
  const { sentence = String(answer.status) } = await answer.json().catch(() => ({}));
  return { isTaken: false, isLate, sentence };
}

let isSending = false;

/** Sends waiting results in order, until one cannot be sent. A lock keeps two pages from doing it at once. */
async function sendAll() {
  if (isSending || !listOwn().some(({ refused }) => !refused)) return;
  isSending = true;
  const take = async () => {
    for (let next; (next = listOwn().find(({ refused }) => !refused));) {
      const { isLate, isTaken, sentence } = await send(next);
      if (isLate) return;
      settle(next.key, isTaken ? "" : sentence);
      if (isTaken && section && !listOwn().length) say(section.dataset.sent ?? "");
    }
  };
  await (navigator.locks ? navigator.locks.request(STORE, take) : take()).finally(() => (isSending = false));
}

/** @param {string} sentence */
const say = (sentence) => (document.getElementById("say").textContent = sentence);

/** Lists waiting and refused results at the top of the page. */
function show() {
  const list = section?.querySelector("ol");
  if (!section || !list || !model) return;
  const own = listOwn();
  section.hidden = !own.length;
  section.classList.toggle("error", own.some(({ refused }) => refused));
  list.replaceChildren(...own.map(({ key, address, label, refused }) => {
    const line = /** @type {HTMLElement} */ (model.content.firstElementChild?.cloneNode(true));
    const link = /** @type {HTMLAnchorElement} */ (line.querySelector("a"));
    Object.assign(link, { href: address, textContent: label });
    const state = /** @type {HTMLElement} */ (line.querySelector("span"));
    state.textContent = refused || (section.dataset.waits ?? "");
    // Only refused results have buttons: waiting ones are sent by themselves, and must not be discarded by mistake.
    for (const button of line.querySelectorAll("button")) {
      button.hidden = !refused;
      button.setAttribute("aria-label", `${button.textContent}: ${label}`);
    }
    line.querySelector(".again")?.addEventListener("click", () => sendAgain(key));
    line.querySelector(".discard")?.addEventListener("click", () => settle(key));
    return line;
  }));
}

/**
 * @param {HTMLFormElement} form
 * @param {string} sentence
 */
function refuse(form, sentence) {
  const note = form.querySelector(".refused")
    ?? Object.assign(document.createElement("p"), { className: "note error refused" });
  note.setAttribute("role", "alert");
  note.textContent = sentence;
  form.prepend(note);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
async function submit(form, button) {
  const data = new FormData(form);
  if (button?.name) data.set(button.name, button.value);
  data.delete("csrfmiddlewaretoken");
  const fields = new URLSearchParams(/** @type {[string, string][]} */ ([...data.entries()])).toString();
  const { who = "" } = root.dataset;
  const result = {
    key: crypto.randomUUID?.() ?? String(crypto.getRandomValues(new Uint32Array(2)).join("-")),
    // Not form.action: a button named "action" would hide that property.
    address: new URL(form.getAttribute("action") ?? "", location.href).pathname,
    label: form.dataset.resend ?? "", who, fields, at: Date.now(), refused: "",
  };
  const isFirst = !listOwn().some(({ refused }) => !refused); // results that wait are sent before this one
  if (isFirst) {
    const { isTaken, isLate, sentence } = await send(result);
    if (isTaken) return location.reload();
    if (!isLate) return refuse(form, sentence);
  }
  if (!keepResults([...recallResults(), result])) return refuse(form, root.dataset.offline ?? "");
  form.reset();
  form.querySelector(".refused")?.remove();
  const details = form.closest("details");
  if (details) details.open = false;
  show();
  section?.querySelector("li:last-child a")?.focus();
  say(`${result.label}: ${section?.dataset.waits}`);
  void sendAll();
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("form[data-resend]") || !section) return;
  event.preventDefault();
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const button = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
  void submit(form, button).finally(() => (form.ariaBusy = null));
});

addEventListener("online", () => void sendAll());
addEventListener("storage", ({ key }) => key === STORE && show());
document.addEventListener("visibilitychange", () => document.hidden || void sendAll());
setInterval(() => void sendAll(), AGAIN_MS);
show();
void sendAll();
