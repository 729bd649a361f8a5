// Checks a deal in this browser, so that nobody has to trust the server: the receipt stored before the game must be in
// the record, and both hashes must match. docs/fair-deals.md specifies them byte by byte.

import { canHash, computeSeed, drawSeats, hashHex, parseHex } from "./hashes.js";
import { readReceipt } from "./receipts.js";

/**
 * The proof of a deal. `chairs`: by seat, the seat in the waiting room that its player had, if seats were drawn by lot.
 * @typedef {object} Proof
 * @property {string} secret
 * @property {string | null} table null for a record of another site
 * @property {(string | null)[] | null} entropy by seat
 * @property {number[] | null} chairs
 */

/** @type {Proof} */
const proof = JSON.parse(document.getElementById("proof")?.textContent ?? "");
/** @param {string} id */
const shown = (id) => document.getElementById(id)?.textContent?.trim();
const checks = document.getElementById("checks");

/**
 * holds: null where there is nothing to compare.
 * @param {string} id
 * @param {boolean | null} holds
 */
function say(id, holds) {
  const line = document.getElementById(id);
  if (!line) return;
  line.textContent = (holds === null ? line.dataset.none : holds ? line.dataset.yes : line.dataset.no) ?? "";
  line.className = holds === null ? "" : holds ? "holds" : "wrong";
  if (holds === false) {
    const [outcome, verdict] = ["outcome", "verdict"].map((name) => document.getElementById(name));
    if (outcome) outcome.hidden = true;
    if (verdict) verdict.hidden = false;
  }
}

/**
 * Whether the seats are those drawn by lot and mine is among them; without a lot, whether I kept my seat.
 * @param {import("./receipts.js").Receipt} receipt
 * @returns {Promise<boolean | null>}
 */
async function checkSeats({ seat, chair, isDrawn }) {
  const { chairs, entropy } = proof;
  const isNoted = seat !== undefined && chair !== undefined;
  if (isNoted && (isDrawn !== Boolean(chairs) || (chairs ? chairs[seat] : seat) !== chair)) return false;
  if (!chairs || !entropy || !canHash()) return isNoted && !chairs ? true : null;
  const byChair = entropy.map((_one, at) => entropy[chairs.indexOf(at)]);
  return String(await drawSeats({ secret: proof.secret, table: proof.table ?? "", byChair })) === String(chairs);
}

async function checkSeed() {
  const { secret, table, entropy } = proof;
  return table !== null && entropy ? (await computeSeed({ secret, table, entropy })) === shown("seed") : null;
}

/** @param {HTMLElement} checks */
async function check(checks) {
  const noted = (proof.table !== null && readReceipt(proof.table)) || {};
  const commitment = noted.commitment ?? shown("commitment");
  say("check-noted", noted.commitment ? noted.commitment === shown("commitment") : null);
  const mine = noted.seat === undefined ? proof.entropy : [proof.entropy?.[noted.seat]];
  say("check-sent", noted.entropy ? Boolean(mine?.includes(noted.entropy)) : null);
  say("check-hash", canHash() ? (await hashHex(parseHex(proof.secret))) === commitment : null);
  say("check-seats", await checkSeats(noted));
  say("check-seed", canHash() && shown("seed") ? await checkSeed() : null);
  checks.hidden = false;
}

if (checks) check(checks);
