// The chat of a table or a club. Messages come as plain text and are inserted as text, never as HTML.

import { followVersion, PAGE_TIMEOUT_MS } from "./version-feed.js";
import { formatMoment } from "./local-times.js";

/** @type {HTMLDetailsElement | null} */
const talk = document.getElementById("talk");
const panel = /** @type {HTMLDetailsElement} */ (talk); // nothing here is called on a page without it
const list = /** @type {HTMLElement} */ (document.getElementById("remarks"));
const model = /** @type {HTMLTemplateElement} */ (document.getElementById("remark"));
const listLines = () => /** @type {HTMLElement[]} */ ([...list.children]);
const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const POLL_MS = 5_000;

/** @returns {Set<string>} */
function recall() {
  try {
    return new Set(JSON.parse(localStorage.getItem("muted") ?? "[]"));
  } catch {
    return new Set();
  }
}

const muted = talk ? recall() : new Set();

function remember() {
  try {
    localStorage.setItem("muted", JSON.stringify([...muted]));
  } catch {
    // Storage may be forbidden; then people stay muted on this page only.
  }
}

/** @param {string} text */
const announce = (text) => (document.getElementById("say").textContent = text);

/** @param {Remark} remark */
function buildLine({ number, author, seat, name, words, at, role, has_account }) {
  const line = /** @type {HTMLElement} */ (model.content.firstElementChild?.cloneNode(true));
  const within = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (line.querySelector(selector));
  line.dataset.number = String(number);
  line.dataset.author = author;
  within("b").textContent = name;
  if (role) within(".badge").textContent = role;
  else within(".badge").remove();
  if (!has_account) within(".account").remove();
  const watches = line.querySelector(".watches"); // tables only: marks spectators
  if (watches) watches.hidden = seat !== null;
  within(".words").textContent = words;
  const time = line.querySelector("time"); // clubs only: messages at a table are recent
  if (time) Object.assign(time, { dateTime: new Date(at).toISOString(), textContent: formatMoment(at) });
  if (author && author === panel.dataset.me) within(".do").remove();
  else /** @type {HTMLFormElement} */ (within("form")).action = `${panel.dataset.talk}${number}/report/`;
  return line;
}

function show() {
  const lines = listLines();
  for (const line of lines) {
    line.hidden = muted.has(line.dataset.author ?? "");
    const button = line.querySelector(".mute-one");
    if (button) button.hidden = !line.dataset.author;
  }
  const heard = lines.filter((line) => !line.hidden);
  const last = heard.at(-1);
  find("nothing-said").hidden = lines.length > 0;
  find("all-muted").hidden = !lines.length || heard.length > 0;
  find("unmute").hidden = !lines.some((line) => line.hidden);
  find("last-said").textContent = last ? sentence(last) : "";
  list.scrollTop = list.scrollHeight;
}

/** @param {Element} line */
const sentence = (line) => `${line.querySelector("b")?.textContent}: ${line.querySelector(".words")?.textContent}`;

let cleared = 0; // messages with a lower number are removed, even if an older answer that has them comes later
const numberOf = (/** @type {HTMLElement} */ line) => Number(line.dataset.number);

/** @param {Talk} talk @param {boolean} [isWhole] whether these are all messages, and not the new ones alone */
function hear({ since, remarks, hidden }, isWhole = false) {
  cleared = isWhole ? since : Math.max(cleared, since);
  for (const line of listLines())
    if (numberOf(line) < cleared || hidden.includes(numberOf(line))) line.remove();
  const known = new Set(listLines().map(numberOf));
  for (const remark of remarks) {
    if (known.has(remark.number) || remark.number < cleared) continue;
    const line = buildLine(remark);
    list.insertBefore(line, listLines().find((other) => numberOf(other) > remark.number) ?? null);
    const isMine = remark.author && remark.author === panel.dataset.me;
    if (!panel.open && !isMine && !muted.has(remark.author)) announce(sentence(line));
  }
  show();
}

/** Fetches the messages. Returns whether the server answered. */
async function ask() {
  try {
    const answer = await fetch(panel.dataset.talk ?? "", {
      headers: { Accept: "application/json" },
      cache: "no-store",
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    });
    if (answer.ok) hear(await answer.json(), true);
    return answer.ok;
  } catch {
    return false; // the page already shows that there is no connection
  }
}

/** A club's page has no table socket: its socket tells that there are new messages, and this fetches them. */
function followClub() {
  let known = panel.dataset.version;
  for (const time of list.querySelectorAll("time")) time.textContent = formatMoment(time.dateTime);
  followVersion({
    socket: panel.dataset.socket ?? "",
    pulse: `${panel.dataset.talk}pulse.json`,
    hear: async (version) => {
      if (version !== known && (await ask())) known = version; // if it fails, the repeated version asks again
    },
    lose: (isLost) => (find("talk-lost").hidden = !isLost),
  });
}

if (talk) {
  document.addEventListener("menagerie:talk", ({ detail }) => hear(detail));

  panel.addEventListener("click", (event) => {
    const button = event.target.closest(".mute-one");
    if (button) muted.add(button.closest("li")?.dataset.author ?? "");
    else if (event.target.closest("#unmute")) muted.clear();
    else return;
    remember();
    show();
    list.focus();
  });

  panel.addEventListener("submit", async (event) => {
    if (!event.target.closest("#remarks")) return;
    event.preventDefault();
    const body = new FormData(event.target);
    const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    const headers = { Accept: "application/json", "X-CSRFToken": token };
    const answer = await fetch(event.target.action, { method: "POST", body, headers });
    const { sentence: said } = await answer.json();
    announce(said);
    event.target.replaceWith(Object.assign(document.createElement("small"), { textContent: said }));
  });

  panel.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) return;
    if (detail.elt instanceof HTMLFormElement && detail.elt.matches(".words")) detail.elt.reset();
    // Without a socket the own message does not arrive by itself.
    if (document.documentElement.dataset.connection !== "live") ask();
  });

  if (panel.dataset.socket) followClub();
  else setInterval(() => document.documentElement.dataset.connection === "polling" && ask(), POLL_MS);

  show();
}
