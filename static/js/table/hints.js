// Hints: the button asks the server, which lets a bot think; what it says stands over the board until it is closed, or
// the table moves on.

import { find } from "./words.js";

const ASK_AGAIN_MS = 400;
const MOST_TRIES = 30;
let asked = 0; // counts questions: an answer to an earlier one is not shown

const note = () => find("hint-note");

/** @param {string} sentence */
function show(sentence) {
  const line = note()?.querySelector("p");
  if (line) line.textContent = sentence;
}

async function ask() {
  const tools = find("hints");
  const { address = "", thinking = "", failed = "" } = tools?.dataset ?? {};
  const mine = ++asked;
  show(thinking);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await post(address);
    if (mine !== asked) return;
    if (answer?.status !== 202) return show(answer?.sentence || failed);
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
    if (mine !== asked) return;
  }
  show(failed);
}

/**
 * @param {string} address
 * @returns {Promise<{ status: number, sentence?: string } | null>}
 */
async function post(address) {
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const answer = await fetch(address, { method: "POST", headers }).catch(() => null);
  return answer?.json().catch(() => null) ?? null;
}

function close() {
  asked += 1;
  show("");
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("#ask-hint")) void ask();
  else if (target.closest("#close-hint")) (close(), find("ask-hint")?.focus());
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") close();
});
document.addEventListener("menagerie:updated", close);
