// Contributes to the coming duplicate deals from an entrant's page without being asked, and stores what it read and
// sent.

import { nameDeals, noteReceipt, readReceipt } from "./receipts.js";

/**
 * Deals as the page or the API describes them. `url`: where to send a contribution, empty if none is accepted; `mine`:
 * this entrant's contribution that counts.
 * @typedef {import("./receipts.js").DealsOfRound & { commitment: string, mine?: string, url?: string }} Deals
 */

const SPREAD_MS = 800; // longest random wait before sending, so that a whole club does not send at once
const TRY_AGAIN_MS = 5000;
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";
const makeRandomDigits = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
let isSending = false;

/**
 * Sends a contribution. Returns the contribution that counts now, which may be an earlier one; "" if it was refused.
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
 * Compares the commitment with the stored one, and contributes unless this entrant has done so already.
 * @param {Deals} deals
 */
async function contribute(deals) {
  const name = nameDeals(deals);
  noteReceipt(name, { commitment: deals.commitment });
  /** @type {import("./receipts.js").Receipt} */
  const known = readReceipt(name) ?? { commitment: deals.commitment };
  showChange(known.commitment !== deals.commitment);
  if (!deals.url || deals.mine || isSending || known.commitment !== deals.commitment) return;
  isSending = true;
  try {
    await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS));
    const entropy = known.entropy ?? makeRandomDigits();
    const counts = await send(deals.url, deals.commitment, entropy);
    if (counts) noteReceipt(name, { entropy: counts, isOwn: counts === entropy }, { replaces: true });
    showMine(deals.commitment, counts);
  } catch {
    setTimeout(contributeHere, TRY_AGAIN_MS);
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

function contributeHere() {
  const details = part();
  if (details) contribute(/** @type {Deals} */ ({ ...details.dataset }));
}

/** A page in the background is not refreshed, so it asks for new commitments here. */
async function ask() {
  const { coming, tournament } = part()?.dataset ?? {};
  if (!document.hidden || !coming || !tournament) return;
  try {
    const told = await (await fetch(coming, { headers: { Accept: "application/json" } })).json();
    if (!told.commitment) return;
    const url = told.may_add ? coming.replace(/[^/]+$/, "") + "contribute/" : "";
    contribute({ ...told, tournament, round: told.number, url });
  } catch {
    // Asked again with the next version, or when the page is shown.
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
document.addEventListener("menagerie:swapped", contributeHere);
document.addEventListener("menagerie:heard", ask);
contributeHere();
