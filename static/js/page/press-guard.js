// Keeps an element in place while it is pressed: if it were replaced, the press would be lost or hit something else.

const MAX_MS = 5_000; // a longer press selects text, or the browser sent no event for its end
const AFTER_MS = 100; // browsers send the click a little after the pointer is released
/** @type {{ timer: number, waiting: (() => void)[] } | null} the press under way, and what waits for its end */
let press = null;

export const isPressing = () => Boolean(press);

/**
 * Resolves when nothing is pressed.
 * @returns {Promise<void>}
 */
export const waitForRelease = () => new Promise((done) => void (press ? press.waiting.push(done) : done()));

/** A second press right after the first extends it: what waits for the first waits for both. */
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
// The space bar presses a button when the key is released.
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && begin(), true);
