// Announces what happens: the new lines of the log, then what is asked of the reader. One announcement a picture, as
// each one cuts off the one before; only the new lines, as a whole board brings the old ones along.

import { find, words } from "./words.js";

const MAX_LINES = 12; // who comes back after a long while reads the rest
const MIN_OUTAGE_MS = 2_000; // milliseconds; a connection that is back sooner was not away
/** @param {string} text */
const say = (text) => (document.getElementById("say").textContent = text);
const readLog = () => [...(find("log")?.children ?? [])].map((line) => line.textContent ?? "");
const readAsked = () => document.querySelector("#action .ask")?.textContent
  ?? (find("action")?.classList.contains("mine") ? words.turn : "");

let told = readLog();
let asked = ""; // what is asked of me, as it was said last
let missing = 0; // the timer of a connection that is away
let isMissed = false; // and that this was said

/**
 * The lines of `now` that come after those of `before`, whose first ones may have been let go.
 * @param {string[]} before
 * @param {string[]} now
 * @returns {string[]}
 */
function gained(before, now) {
  const first = before.findIndex((_, from) => before.slice(from).every((line, index) => line === now[index]));
  return first < 0 ? now : now.slice(before.length - first);
}

function speakUp() {
  const [log, ask] = [readLog(), readAsked()];
  const lines = [...gained(told, log).slice(-MAX_LINES), ...(ask === asked ? [] : [ask])].filter(Boolean);
  [told, asked] = [log, ask];
  if (lines.length) say(lines.join(" "));
}

document.addEventListener("menagerie:updated", speakUp);

document.addEventListener("menagerie:connection", ({ detail: { state } }) => {
  clearTimeout(missing);
  if (state === "live" && !isMissed) return;
  const tell = () => {
    isMissed = state !== "live";
    say(words[state]);
  };
  if (state === "live") tell();
  else missing = setTimeout(tell, MIN_OUTAGE_MS);
});

if (words.turn) speakUp();
