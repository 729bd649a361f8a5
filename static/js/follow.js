// Follow a version: over a socket that says each new one at once, and by asking over HTTP while there is no socket.
// `hear` is called with every version that is told, `lose` with whether the page may be out of date.

const SILENCE_MS = 12_000; // the server repeats the version every 5 s: no word for so long, and the socket is dead
const LOOK_MS = 2_000;
const POLL_MS = 3_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000];
const LOST_AFTER = 2; // failures in a row of both ways
const FAREWELLS = [4403, 4404]; // no longer for us, or gone

export function follow({ socket: path, pulse, hear, lose }) {
  let socket = null;
  let failures = 0; // of the socket
  let missed = 0; // of asking
  let lastWord = 0;
  let retry = 0;

  function word(version) {
    missed = 0;
    lose(false);
    hear(String(version));
  }

  function open() {
    clearTimeout(retry);
    if (socket) return;
    socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${path}`);
    lastWord = performance.now();
    socket.addEventListener("message", (event) => {
      lastWord = performance.now();
      failures = 0;
      word(JSON.parse(event.data).version);
    });
    socket.addEventListener("close", (event) => {
      socket = null;
      if (FAREWELLS.includes(event.code)) {
        location.reload(); // the page says which
        return;
      }
      failures += 1;
      ask();
      retry = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] * (0.5 + Math.random()));
    });
  }

  async function ask() {
    try {
      const answer = await fetch(pulse, { cache: "no-store", headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(answer.status);
      word((await answer.json()).version);
    } catch {
      missed += 1;
      lose(missed >= LOST_AFTER);
    }
  }

  setInterval(() => {
    if (socket && performance.now() - lastWord > SILENCE_MS) socket.close();
  }, LOOK_MS);
  setInterval(() => socket?.readyState !== WebSocket.OPEN && !document.hidden && ask(), POLL_MS);
  addEventListener("offline", () => {
    missed = LOST_AFTER;
    lose(true);
    socket?.close();
  });
  addEventListener("online", ask);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    if (!socket) open();
    ask(); // a phone that was asleep may have slept through a word
  });
  open();
}
