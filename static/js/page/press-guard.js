// What is being pressed stays where it is: drawn anew under the finger it would not be pressed, or something else would.

const MOST_MS = 5_000; // whoever presses for longer marks words, or has forgotten it
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
  press = { timer: window.setTimeout(end, MOST_MS), waiting: press?.waiting ?? [] };
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
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && begin(), true); // a button is pressed as the key comes up
