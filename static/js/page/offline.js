// The page without a network: the reader's tables as last seen, and back to the page as soon as there is a network.

import { recallTables } from "./installed-app.js";
import { formatMoment } from "./local-times.js";

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

void show();
document.getElementById("again")?.addEventListener("click", () => location.reload());
addEventListener("online", () => location.reload());
