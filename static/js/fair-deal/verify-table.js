// The page's own check of a deal, so that nobody has to believe the server: what this browser noted before the game stands
// in the record, and the two sums hold; docs/fair-deals.md says them byte by byte.

import { parseHex, canHash, drawSeats, computeSeed, hashHex } from "./hashes.js";
import { readReceipt } from "./receipts.js";

const proof = JSON.parse(document.getElementById("proof").textContent);
const shown = (id) => document.getElementById(id)?.textContent.trim();
const checks = document.getElementById("checks");

/** holds: null where there is nothing to compare. */
function say(id, holds) {
  const line = document.getElementById(id);
  if (!line) return;
  line.textContent = holds === null ? line.dataset.none : holds ? line.dataset.yes : line.dataset.no;
  line.className = holds === null ? "" : holds ? "holds" : "wrong";
  if (holds === false) {
    document.getElementById("claim").hidden = true;
    document.getElementById("verdict").hidden = false;
  }
}

/** Whether the seats are those of the lot, and mine the one that it gave me; where nobody drew them, the one I had. */
async function checkSeats({ seat, chair, isDrawn }) {
  const { chairs, entropy } = proof;
  const isNoted = seat !== undefined && chair !== undefined;
  if (isNoted && (isDrawn !== Boolean(chairs) || (chairs ? chairs[seat] : seat) !== chair)) return false;
  if (!chairs || !entropy || !canHash()) return isNoted && !chairs ? true : null;
  const byChair = entropy.map((_one, at) => entropy[chairs.indexOf(at)]);
  return String(await drawSeats({ ...proof, byChair })) === String(chairs);
}

async function check() {
  const noted = (proof.table !== null && readReceipt(proof.table)) || {};
  const commitment = noted.commitment ?? shown("commitment");
  say("check-noted", noted.commitment ? noted.commitment === shown("commitment") : null);
  const mine = noted.seat === undefined ? proof.entropy : [proof.entropy?.[noted.seat]];
  say("check-sent", noted.entropy ? Boolean(mine?.includes(noted.entropy)) : null);
  say("check-hash", canHash() ? (await hashHex(parseHex(proof.secret))) === commitment : null);
  say("check-seats", await checkSeats(noted));
  say("check-seed", canHash() && shown("seed") && proof.entropy ? (await computeSeed(proof)) === shown("seed") : null);
  checks.hidden = false;
}

if (checks) check();
