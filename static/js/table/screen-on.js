// Keeps a phone's screen on while a live game is played. Nobody touches it while others move, and a dark screen would
// not show whose turn it is.

import { find } from "./words.js";

const REST_MS = 300_000; // after this long without a touch or a move the screen may turn off

/** @type {WakeLockSentinel | null} */
let lock = null;
let isAsking = false;
let timer = 0;

function isWanted() {
  const { status, seat } = find("board")?.dataset ?? {};
  const isPaused = find("paused")?.hidden === false;
  return status === "playing" && Boolean(seat) && !isPaused && document.visibilityState === "visible";
}

async function keepOn() {
  clearTimeout(timer);
  if (!isWanted()) return letGo();
  timer = window.setTimeout(letGo, REST_MS);
  if (lock || isAsking || !navigator.wakeLock) return;
  isAsking = true;
  const got = await navigator.wakeLock.request("screen").catch(() => null); // refused when the battery is low
  isAsking = false;
  lock = got;
  got?.addEventListener("release", () => {
    if (lock === got) lock = null; // browsers release it when the page is hidden
  });
  if (!isWanted()) letGo();
}

function letGo() {
  clearTimeout(timer);
  void lock?.release();
  lock = null;
}

for (const event of ["menagerie:updated", "pointerdown", "keydown", "visibilitychange"])
  document.addEventListener(event, keepOn);
void keepOn();
