// Computes the duplicate deals of a round in this browser, and compares them with the receipts stored before the round.
// docs/fair-deals.md specifies the hashes byte by byte.

import { canHash, computeRoundSeed, hashHex, parseHex } from "./hashes.js";
import { nameDeals, readReceipt } from "./receipts.js";

const MAX_ATTEMPTS = 9;
/** @typedef {import("./receipts.js").Receipt} Receipt */

/**
 * The deals of one commitment, as the API lists them; times in ISO 8601.
 * @typedef {object} PublishedDeals
 * @property {number} round
 * @property {number} seating
 * @property {number} attempt
 * @property {string} commitment
 * @property {string | null} secret
 * @property {string} committed_at
 * @property {string} revealed_at
 */

/** @type {{ secret: string, duplicate: import("./hashes.js").RoundDeals }} */
const proof = JSON.parse(document.getElementById("proof")?.textContent ?? "");

/**
 * @param {string} id
 * @param {"yes" | "no" | "none" | "other" | "unknown"} key
 * @param {boolean} isWrong
 */
function say(id, key, isWrong) {
  const line = document.getElementById(id);
  if (!line) return;
  const sentence = line.dataset[key] ?? "";
  line.textContent = sentence;
  line.classList.toggle("wrong", isWrong);
  line.closest("p")?.classList.toggle("wrong", isWrong);
  const [holds, claim] = ["holds", "claim"].map((name) => document.getElementById(name));
  if (!isWrong || !holds || !claim) return;
  holds.hidden = true;
  claim.className = "note wrong";
  claim.textContent = sentence;
}

/** @param {string} id */
const shown = (id) => document.getElementById(id)?.textContent?.trim();

/**
 * This browser's receipt of the round: the first commitment's, or a later one's if the earlier deals were published.
 * @returns {Receipt[]}
 */
function listReceipts() {
  const noted = [];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1)
    noted.push(readReceipt(nameDeals({ ...proof.duplicate, attempt })));
  return noted.filter((receipt) => receipt !== undefined);
}

/** @param {Receipt[]} known */
function compareReceipts(known) {
  if (!known.length) return say("receipt-commitment", "none", false);
  const receipt = known.find(({ commitment }) => commitment === shown("commitment"));
  say("receipt-commitment", receipt ? "yes" : "no", !receipt);
  const { entropy, isOwn } = receipt ?? known[0];
  if (!entropy) return;
  const isThere = proof.duplicate.contributions.includes(entropy);
  say("receipt-entropy", isThere && !isOwn ? "other" : isThere ? "yes" : "no", !isThere);
}

if (canHash() && proof.secret) {
  const isKept = (await hashHex(parseHex(proof.secret))) === shown("commitment");
  if (shown("commitment")) say("browser-secret", isKept ? "yes" : "no", !isKept);
  const isMade = (await computeRoundSeed(proof)) === shown("seed");
  if (shown("seed")) say("browser-seed", isMade ? "yes" : "no", !isMade);
}

/**
 * Whether the secret of this earlier commitment was published before the next commitment was made.
 * @param {string | undefined} commitment
 * @param {PublishedDeals[]} rows
 */
async function isPublished(commitment, rows) {
  const row = rows.find((deals) => deals.commitment === commitment);
  if (!row?.secret || (await hashHex(parseHex(row.secret))) !== commitment) return false;
  const next = rows.find((deals) => deals.attempt === row.attempt + 1);
  return !next || row.revealed_at <= next.committed_at;
}

/**
 * The deals of this round that the tournament lists: one entry for each commitment.
 * @param {import("./hashes.js").RoundDeals} round
 * @returns {Promise<PublishedDeals[]>}
 */
async function fetchDeals({ tournament, round, seating }) {
  const answer = await fetch(`/api/v1/tournaments/${encodeURIComponent(tournament)}/deals`);
  if (!answer.ok) throw new Error(String(answer.status));
  /** @type {PublishedDeals[]} */
  const deals = await answer.json();
  return deals.filter((each) => each.round === round && each.seating === seating);
}

/**
 * A server that could drop deals in silence could deal until it likes the cards, so each earlier secret must be public.
 * @param {Receipt[]} known
 */
async function checkEarlier(known) {
  const earlier = known.filter(({ commitment }) => commitment !== shown("commitment"));
  if (!earlier.length || earlier.length === known.length || !canHash()) return;
  try {
    const rows = await fetchDeals(proof.duplicate);
    const checks = await Promise.all(earlier.map(({ commitment }) => isPublished(commitment, rows)));
    say("receipt-earlier", checks.every(Boolean) ? "yes" : "no", !checks.every(Boolean));
  } catch {
    say("receipt-earlier", "unknown", false);
  }
}

const known = listReceipts();
compareReceipts(known);
checkEarlier(known);
