// Keeps an element in place while it is pressed: if it were replaced, the press would be lost or hit something else.

const MAX_MS = 5_000; // a longer press selects text, or its end was lost
const AFTER_MS = 100; // a click comes a little after the finger has gone
/** @type {{ timer: number, waiting: (() => void)[] } | null} what goes on when it is over */
let press = null;

export const isPressing = () => Boolean(press);

/**
 * Until nothing is pressed.
 * @returns {Promise<void>}
 */
export const waitForRelease = () => new Promise((done) => void (press ? press.waiting.push(done) : done()));

/** A second press right after the first goes on with it: what waits for the first waits for both. */
function begin() {
  clearTimeout(press?.timer);
  press = { timer: window.setTimeout(end, MAX_MS), waiting: press?.waiting ?? [] };
}

function end() {
  const ended = press;
  press = null;
  clearTimeout(ended?.timer);
  for (const done of ended?.waiting ?? []) done();
}

function letGo() {
  const ended = press;
  if (ended) setTimeout(() => press === ended && end(), AFTER_MS);
}

addEventListener("pointerdown", begin, true);
for (const kind of ["pointerup", "pointercancel", "keyup"]) addEventListener(kind, letGo, true);
// A button is pressed when the key comes up.
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && begin(), true);
