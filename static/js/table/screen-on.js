// At a game that is played at once the screen of a phone stays on: while it waits for others nobody touches it, and a
// dark one shows no turn.

import { find } from "./words.js";

const REST_MS = 300_000; // without a touch or a move for so long nobody is looking

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
  const got = await navigator.wakeLock.request("screen").catch(() => null); // with little battery left it is refused
  isAsking = false;
  lock = got;
  got?.addEventListener("release", () => {
    if (lock === got) lock = null; // as the browser does by itself when the page is hidden; a later one stays known
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
