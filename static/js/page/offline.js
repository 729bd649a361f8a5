// The page shown without a network: lists the results that wait on this device and the reader's tables as last seen,
// and goes back to the requested page as soon as the server answers.

import { recallTables } from "./installed-app.js";
import { formatMoment } from "./local-times.js";
import { recallResults } from "./result-store.js";

const AGAIN_MS = 5_000; // between two requests
const ANSWER_MS = 5_000; // a request without an answer for this long has failed
const list = document.getElementById("seen");
const when = document.getElementById("seen-at");
const none = document.getElementById("seen-none");
const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("seen-row"));

async function show() {
  const seen = await recallTables().catch(() => null);
  if (!list || !when || !none || !template || !seen?.tables.length) return;
  const time = when.querySelector("time");
  if (time) time.textContent = formatMoment(seen.at);
  for (const table of seen.tables) {
    const row = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    for (const [selector, text] of [["b", table.name], [".options", table.options], [".state", table.state]]) {
      const place = row.querySelector(selector);
      if (place) place.textContent = text;
    }
    for (const textContent of table.until ?? []) {
      const until = Object.assign(document.createElement("span"), { className: "until", textContent });
      row.querySelector(".what")?.append(until);
    }
    list.append(row);
  }
  const due = document.getElementById("seen-due");
  if (due) due.hidden = !list.querySelector(".until");
  none.hidden = true;
  when.hidden = list.hidden = false;
}

function showResults() {
  const section = document.getElementById("waiting");
  const results = recallResults();
  if (!section || !results.length) return;
  const lines = results.map(({ label, refused }) => {
    const state = Object.assign(document.createElement("span"), {
      className: "soft", textContent: refused || (section.dataset.waits ?? ""),
    });
    const line = document.createElement("li");
    line.append(`${label} `, state);
    return line;
  });
  section.querySelector("ol")?.replaceChildren(...lines);
  section.hidden = false;
}

/** Having a network is not enough, so the server itself is asked. While it starts, a proxy may answer in its place. */
async function comeBack() {
  if (document.hidden) return;
  const page = document.querySelector("main")?.dataset.page ?? "";
  const asked = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) };
  const answer = await fetch(page, /** @type {RequestInit} */ (asked)).catch(() => null);
  if (answer?.ok) location.reload();
}

void show();
showResults();
document.getElementById("again")?.addEventListener("click", () => location.reload());
addEventListener("online", () => location.reload());
document.addEventListener("visibilitychange", () => void comeBack());
setInterval(() => void comeBack(), AGAIN_MS);
