// Follows the version of a page: over a socket that sends each new version at once, and by polling over HTTP while
// there is no socket.

const SILENCE_MS = 12_000; // the server repeats the version every 5 s; after this long without one the socket is dead
const LOOK_MS = 2_000; // between two checks whether the socket is dead
export const PAGE_TIMEOUT_MS = 20_000; // a page that takes longer will not arrive on this connection any more
const POLL_MS = 3_000;
const ANSWER_MS = 5_000; // a version that takes longer will not arrive on this connection any more
const CONNECTIONS = 6; // HTTP/1.1 connections that a browser keeps open to one server
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000]; // waits before each new socket, times 0.5 to 1.5 at random
const LOST_AFTER = 2; // failed requests in a row, without a socket, until the page says that it may be out of date
const CLOSED_FOR_GOOD = [4403, 4404]; // close codes: no longer allowed, gone

/**
 * What to follow, and callbacks.
 * @typedef {object} Feed
 * @property {string} socket path of the socket
 * @property {string} pulse path of the version as JSON
 * @property {(version: string) => void} hear called with every version received, repeated ones included
 * @property {(isLost: boolean) => void} lose called with whether the page may be out of date
 */

/** @param {Feed} feed */
export function followVersion({ socket: path, pulse, hear, lose }) {
  /** @type {WebSocket | null} */
  let socket = null;
  let failures = 0; // of the socket, in a row
  let missed = 0; // failed requests in a row
  let lastMessage = 0; // when the socket last received something, in ms of performance.now()
  let retry = 0;

  /** @param {string | number} version */
  function receive(version) {
    missed = 0;
    lose(false);
    hear(String(version));
  }

  function open() {
    clearTimeout(retry);
    if (socket) return;
    const mine = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${path}`);
    socket = mine;
    lastMessage = performance.now();
    mine.addEventListener("message", (event) => {
      if (mine !== socket) return;
      lastMessage = performance.now();
      failures = 0;
      receive(JSON.parse(event.data).version);
    });
    mine.addEventListener("close", (event) => {
      if (mine !== socket) return;
      if (CLOSED_FOR_GOOD.includes(event.code)) location.reload(); // the page that comes says why
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
   * Gives up a socket on which nothing arrives: its close event would come a minute later. The browser's other open
   * connections may be just as dead, so each of them gets a request that times out.
   */
  function abandon() {
    const connections = failures ? 1 : CONNECTIONS;
    socket?.close();
    drop();
    for (let asked = 1; asked < connections; asked += 1) ask();
  }

  async function ask() {
    const began = performance.now();
    try {
      const answer = await fetch(
        pulse, { cache: "no-store", headers: { Accept: "application/json" }, signal: AbortSignal.timeout(ANSWER_MS) });
      if (!answer.ok) throw new Error(String(answer.status));
      receive((await answer.json()).version);
    } catch {
      if (socket?.readyState === WebSocket.OPEN && lastMessage > began) return; // a socket has opened meanwhile
      missed += 1;
      lose(missed >= LOST_AFTER);
    }
  }

  setInterval(() => {
    if (socket && performance.now() - lastMessage > SILENCE_MS) abandon();
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
    ask(); // a phone that was asleep may have missed a message
  });
  open();
}
