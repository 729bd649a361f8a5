// Announces to screen readers what happens: the new lines of the log, then what is asked of the reader. Each update is
// one announcement, because the next one would interrupt it. Lines that were announced before are left out.

import { find, words } from "./words.js";

const MAX_LINES = 12; // the newest; the rest can be read in the log
const MIN_OUTAGE_MS = 2_000; // shorter outages are not announced
/** @param {string} text */
const say = (text) => (document.getElementById("say").textContent = text);
const readLog = () => [...(find("log")?.children ?? [])].map((line) => line.textContent ?? "");
const readAsked = () => document.querySelector("#action .ask")?.textContent
  ?? (find("action")?.classList.contains("mine") ? words.turn : "");

let told = readLog();
let asked = ""; // the last question that was announced
let outageTimer = 0;
let isOutageAnnounced = false;

/**
 * The lines of `now` that follow those of `before`. The server may have dropped the first lines of `before`.
 * @param {string[]} before
 * @param {string[]} now
 * @returns {string[]}
 */
function listNewLines(before, now) {
  const first = before.findIndex((_, from) => before.slice(from).every((line, index) => line === now[index]));
  return first < 0 ? now : now.slice(before.length - first);
}

function announce() {
  const [log, ask] = [readLog(), readAsked()];
  const lines = [...listNewLines(told, log).slice(-MAX_LINES), ...(ask === asked ? [] : [ask])].filter(Boolean);
  [told, asked] = [log, ask];
  if (lines.length) say(lines.join(" "));
}

document.addEventListener("menagerie:updated", announce);

document.addEventListener("menagerie:connection", ({ detail: { state } }) => {
  clearTimeout(outageTimer);
  if (state === "live" && !isOutageAnnounced) return;
  const tell = () => {
    isOutageAnnounced = state !== "live";
    say(words[state]);
  };
  if (state === "live") tell();
  else outageTimer = setTimeout(tell, MIN_OUTAGE_MS);
});

if (words.turn) announce();
