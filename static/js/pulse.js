// A tournament's page that stays the present: told of another version it fetches itself anew.
// What somebody is filling in is never taken from under his hands: then a line says that something has changed.

import { follow } from "./follow.js";
import { tongue } from "./times.js";

const SPREAD_MS = 500;
const live = () => document.getElementById("live");
let fetched = ""; // the version for which the page was fetched last
let isFetching = false;
let isLost = false;
let offset = 0;

/** Count down to what the server has promised, by its clock. */
function tick() {
  for (const clock of document.querySelectorAll("[data-countdown]")) {
    const left = Math.ceil((Number(clock.dataset.countdown) - Date.now() - offset) / 1000);
    const words = left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : clock.dataset.over;
    if (clock.textContent !== words) clock.textContent = words;
  }
}

function setClock() {
  const now = document.querySelector("#live [data-now]");
  if (now) offset = Number(now.dataset.now) - Date.now();
  tick();
}

function showClocks() {
  const format = new Intl.DateTimeFormat(tongue(), { hour: "2-digit", minute: "2-digit" });
  for (const clock of document.querySelectorAll("time[data-clock]")) clock.textContent = format.format(new Date(clock.dateTime));
  for (const button of document.querySelectorAll("[data-tick-all]")) button.hidden = false;
}

function isBusy() {
  const part = live();
  if ([...part.querySelectorAll("details[open]")].some((one) => one.querySelector("form") && one.contains(document.activeElement))) return true;
  return [...part.querySelectorAll("input:not([type=hidden]), textarea, select")].some((field) => {
    if (field === document.activeElement && field.type !== "checkbox" && field.type !== "radio") return true;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") return [...field.options].some((option, index) => option.selected !== (option.defaultSelected || (index === 0 && ![...field.options].some((other) => other.defaultSelected))));
    return field.value !== field.defaultValue;
  });
}

function remark(sentence, action) {
  const id = "pulse-remark";
  document.getElementById(id)?.remove();
  if (!sentence) return;
  const note = Object.assign(document.createElement("p"), { id, className: "note pulse" });
  note.setAttribute("role", "status");
  note.append(sentence, " ");
  if (action) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn small", textContent: action });
    button.addEventListener("click", () => refresh(true));
    note.append(button);
  }
  live().before(note);
}

/** Fetch the page, and show it. isAsked: by the reader, who may have begun to fill something in. Returns whether it is shown. */
async function refresh(isAsked) {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("live");
  if (!fresh) return location.reload();
  if (!isAsked && isBusy()) return sayChanged(); // begun while the page was on its way
  const waited = live().querySelector("[data-waits]");
  const open = [...live().querySelectorAll("details[open]")].map((one) => one.querySelector("summary")?.textContent);
  window.htmx.swap("#live", fresh.outerHTML, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
  for (const one of live().querySelectorAll("details")) {
    if (open.includes(one.querySelector("summary")?.textContent)) one.open = true;
  }
  remark("");
  showClocks();
  setClock();
  const table = live().querySelector("[data-summon]");
  if (waited && table) {
    document.title = waited.dataset.waits;
    location.assign(table.href);
  }
  document.dispatchEvent(new CustomEvent("menagerie:swapped"));
  return true;
}

function sayChanged() {
  remark(live().dataset.changed, live().dataset.look);
  return false;
}

async function settle(version) {
  const part = live();
  if (version === part.dataset.version || version === fetched || isFetching) return;
  if (document.hidden && !part.querySelector("[data-waits]")) return; // told again as soon as it is looked at
  if (isBusy()) return sayChanged();
  isFetching = true;
  await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS)); // not a whole club at the same moment
  try {
    if (await refresh(false)) fetched = version;
  } catch {
    // the server is away for a moment; the next word asks again
  } finally {
    isFetching = false;
  }
}

function lose(is) {
  if (is === isLost) return;
  isLost = is;
  remark(is ? live().dataset.lost : "");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-tick-all]");
  if (!button) return;
  const boxes = [...document.querySelectorAll(`input[name="${button.dataset.tickAll}"]`)];
  const tick = boxes.some((box) => !box.checked);
  for (const box of boxes) box.checked = tick;
});

showClocks();
setClock();
if (document.querySelector("[data-countdown]") || live()?.dataset.pulse) setInterval(tick, 500);
if (live()?.dataset.pulse) follow({ socket: live().dataset.socket, pulse: live().dataset.pulse, hear: settle, lose });
