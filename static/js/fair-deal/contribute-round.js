// The page of an entrant contributes to the duplicate deals that come, by itself, and notes what it has read and sent.

import { nameDeals, noteReceipt, readReceipt } from "./receipts.js";

const SPREAD_MS = 800; // not a whole club in the same moment
const TRY_AGAIN_MS = 5000;
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";
const drawDigits = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let isSending = false;

/** Send it; what counts afterwards, which is what was there before unless it is to be replaced. Nothing if it was refused. */
async function send(url, commitment, entropy) {
  const body = new URLSearchParams({ commitment, entropy });
  const answer = await fetch(url, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": csrf() } });
  if (answer.status >= 500 || answer.status === 429) throw new Error(answer.status);
  return answer.ok ? (await answer.json()).entropy : "";
}

/** The deals of a page, or of an answer: { tournament, round, seating, attempt, commitment, mine, url }. */
async function look(deals) {
  const name = nameDeals(deals);
  noteReceipt(name, { commitment: deals.commitment });
  const known = readReceipt(name) ?? { commitment: deals.commitment };
  showChange(known.commitment !== deals.commitment);
  if (!deals.url || deals.mine || isSending || known.commitment !== deals.commitment) return;
  isSending = true;
  try {
    await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS));
    const entropy = known.entropy ?? drawDigits();
    const counts = await send(deals.url, deals.commitment, entropy);
    if (counts) noteReceipt(name, { entropy: counts, isOwn: counts === entropy }, { replaces: true });
    showMine(deals.commitment, counts);
  } catch {
    setTimeout(lookHere, TRY_AGAIN_MS);
  } finally {
    isSending = false;
  }
}

const part = () => document.getElementById("promise");

function showChange(is) {
  const line = document.getElementById("promise-changed");
  if (!line) return;
  line.hidden = !is;
  if (is) part().open = true;
}

function showMine(commitment, counts) {
  const line = document.getElementById("promise-mine");
  if (!line || !counts || part().dataset.commitment !== commitment) return;
  part().dataset.mine = counts;
  line.querySelector(".hex").textContent = counts;
  line.hidden = false;
}

function lookHere() {
  if (part()) look({ ...part().dataset });
}

/** A page that nobody looks at is not drawn anew: it asks what has been committed to since. */
async function ask() {
  if (!document.hidden || !part()) return;
  const { coming, tournament } = part().dataset;
  try {
    const told = await (await fetch(coming, { headers: { Accept: "application/json" } })).json();
    if (!told.commitment) return;
    const url = told.may_add ? coming.replace(/[^/]+$/, "") + "contribute/" : "";
    look({ ...told, tournament, round: told.number, url });
  } catch {
    // The next word asks again, or the page as soon as it is looked at.
  }
}

document.addEventListener("submit", ({ target }) => {
  if (!part()?.contains(target)) return;
  const { commitment, entropy } = target.elements;
  if (commitment.value === part().dataset.commitment) noteReceipt(nameDeals(part().dataset), { entropy: entropy.value.trim(), isOwn: true }, { replaces: true });
});
document.addEventListener("menagerie:swapped", lookHere);
document.addEventListener("menagerie:heard", ask);
lookHere();
