// Follow a version: over a socket that says each new one at once, and by asking over HTTP while there is no socket.
// `hear` is called with every version that is told, `lose` with whether the page may be out of date.

const SILENCE_MS = 12_000; // the server repeats the version every 5 s: no word for so long, and the socket is dead
const LOOK_MS = 2_000;
export const PAGE_TIMEOUT_MS = 20_000; // a page that takes longer does not come on this connection any more
const POLL_MS = 3_000;
const ANSWER_MS = 5_000; // an answer so short that takes longer is on a connection on which nothing comes any more
const CONNECTIONS = 6; // that a browser keeps to ask on
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];
const LOST_AFTER = 2; // failures in a row of both ways
const FAREWELLS = [4403, 4404]; // no longer for us, or gone

/**
 * What is followed: the paths of its socket and of its version as JSON, and who is told.
 * @typedef {object} Feed
 * @property {string} socket
 * @property {string} pulse
 * @property {(version: string) => void} hear
 * @property {(isLost: boolean) => void} lose whether the page may be out of date
 */

/** @param {Feed} feed */
export function followVersion({ socket: path, pulse, hear, lose }) {
  /** @type {WebSocket | null} */
  let socket = null;
  let failures = 0; // of the socket
  let missed = 0; // of asking
  let lastWord = 0;
  let retry = 0;

  /** @param {string | number} version */
  function word(version) {
    missed = 0;
    lose(false);
    hear(String(version));
  }

  function open() {
    clearTimeout(retry);
    if (socket) return;
    const mine = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${path}`);
    socket = mine;
    lastWord = performance.now();
    mine.addEventListener("message", (event) => {
      if (mine !== socket) return;
      lastWord = performance.now();
      failures = 0;
      word(JSON.parse(event.data).version);
    });
    mine.addEventListener("close", (event) => {
      if (mine !== socket) return;
      if (FAREWELLS.includes(event.code)) location.reload(); // the page says which
      else drop();
    });
  }

  function drop() {
    socket = null;
    failures += 1;
    ask();
    retry = window.setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] * (0.5 + Math.random()));
  }

  /**
   * Does not wait for a socket on which nothing arrives: it would close a minute later. The browser's other open
   * connections may be just as dead.
   */
  function abandon() {
    const connections = failures ? 1 : CONNECTIONS;
    socket?.close();
    drop();
    for (let asked = 1; asked < connections; asked += 1) ask(); // a request without an answer gives its connection up
  }

  async function ask() {
    const began = performance.now();
    try {
      const answer = await fetch(
        pulse, { cache: "no-store", headers: { Accept: "application/json" }, signal: AbortSignal.timeout(ANSWER_MS) });
      if (!answer.ok) throw new Error(String(answer.status));
      word((await answer.json()).version);
    } catch {
      if (socket?.readyState === WebSocket.OPEN && lastWord > began) return; // the socket has told it meanwhile
      missed += 1;
      lose(missed >= LOST_AFTER);
    }
  }

  setInterval(() => {
    if (socket && performance.now() - lastWord > SILENCE_MS) abandon();
  }, LOOK_MS);
  setInterval(() => socket?.readyState !== WebSocket.OPEN && !document.hidden && ask(), POLL_MS);
  addEventListener("offline", () => {
    missed = LOST_AFTER;
    lose(true);
    if (socket) abandon();
  });
  addEventListener("online", ask);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (!socket) open();
    ask(); // a phone that was asleep may have slept through a word
  });
  open();
}
