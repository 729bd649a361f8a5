// The page of an entrant contributes to the duplicate deals that come, by itself, and notes what it has read and sent.

import { nameDeals, noteReceipt, readReceipt } from "./receipts.js";

/**
 * The deals of a page, or of an answer; `url`: where a contribution is sent, if there may be one; `mine`: the one that
 * counts.
 * @typedef {import("./receipts.js").DealsOfRound & { commitment: string, mine?: string, url?: string }} Deals
 */

const SPREAD_MS = 800; // not a whole club in the same moment
const TRY_AGAIN_MS = 5000;
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";
const drawDigits = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let isSending = false;

/**
 * Send it; what counts afterwards, which is what was there before unless it is to be replaced. Nothing if it was
 * refused.
 * @param {string} url
 * @param {string} commitment
 * @param {string} entropy
 * @returns {Promise<string>}
 */
async function send(url, commitment, entropy) {
  const body = new URLSearchParams({ commitment, entropy });
  const answer =
    await fetch(url, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": csrf() } });
  if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
  return answer.ok ? (await answer.json()).entropy : "";
}

/**
 * Compare with what was noted of these deals, and contribute to them unless somebody here has.
 * @param {Deals} deals
 */
async function look(deals) {
  const name = nameDeals(deals);
  noteReceipt(name, { commitment: deals.commitment });
  /** @type {import("./receipts.js").Receipt} */
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

const part = () => /** @type {HTMLDetailsElement | null} */ (document.getElementById("promise"));

/** @param {boolean} is */
function showChange(is) {
  const line = document.getElementById("promise-changed");
  if (!line) return;
  line.hidden = !is;
  const details = part();
  if (is && details) details.open = true;
}

/**
 * @param {string} commitment
 * @param {string} counts
 */
function showMine(commitment, counts) {
  const [line, details] = [document.getElementById("promise-mine"), part()];
  const digits = line?.querySelector(".hex");
  if (!line || !digits || !counts || details?.dataset.commitment !== commitment) return;
  details.dataset.mine = counts;
  digits.textContent = counts;
  line.hidden = false;
}

function lookHere() {
  const details = part();
  if (details) look(/** @type {Deals} */ ({ ...details.dataset }));
}

/** A page that nobody looks at is not drawn anew: it asks what has been committed to since. */
async function ask() {
  const { coming, tournament } = part()?.dataset ?? {};
  if (!document.hidden || !coming || !tournament) return;
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
  const details = part();
  if (!details?.contains(target)) return;
  const { commitment, entropy } = /** @type {import("./contribute-table.js").ContributionForm} */ (target).elements;
  const deals = /** @type {Deals} */ ({ ...details.dataset });
  if (commitment.value !== deals.commitment) return;
  noteReceipt(nameDeals(deals), { entropy: entropy.value.trim(), isOwn: true }, { replaces: true });
});
document.addEventListener("menagerie:swapped", lookHere);
document.addEventListener("menagerie:heard", ask);
lookHere();
