// Hints: the button asks the server, which lets a bot think. The hint is shown over the board until it is closed or the
// table moves on.

import { find } from "./words.js";
import { setText } from "./write-changes.js";

const ASK_AGAIN_MS = 400;
const MAX_TRIES = 30;
let asked = 0; // counts requests: an answer to an earlier one is not shown
let askedPly = -1; // the ply of the table when it was asked
let said = "";

const note = () => find("hint-note");

/** @param {string} sentence */
function show(sentence) {
  said = sentence;
  const line = note()?.querySelector("p");
  if (line) setText(line, sentence);
}

/** @param {boolean} [isAgain] my turn goes on after an update: the old hint is shown until the new one comes */
async function ask(isAgain = false) {
  const tools = find("hints");
  const { address = "", thinking = "", failed = "" } = tools?.dataset ?? {};
  const mine = ++asked;
  askedPly = Number(find("board")?.dataset.ply);
  if (!isAgain) show(thinking);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
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
document.addEventListener("menagerie:move", close);
// Not every update ends my turn: a hint stays when somebody arrives, and is asked for again when others have moved.
document.addEventListener("menagerie:updated", ({ detail }) => {
  if (!said) return;
  if (detail.ply === askedPly) show(said);
  else if (find("action")?.classList.contains("mine")) void ask(true);
  else close();
});
