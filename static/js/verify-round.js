// Duplicate deals, worked out once more by this browser, and compared with what it noted before the round.
// docs/fair-deals.md says the sums byte by byte.

import { bytes, canHash, roundSeedOf, sum } from "./deal-sums.js";
import { nameDeals } from "./deals-name.js";
import { read } from "./receipts.js";

const MOST_ATTEMPTS = 9;
const proof = JSON.parse(document.getElementById("proof").textContent);

function say(id, sentence, isWrong) {
  const line = document.getElementById(id);
  if (!line) return;
  line.textContent = line.dataset[sentence];
  line.classList.toggle("wrong", isWrong);
  line.closest("p").classList.toggle("wrong", isWrong);
  if (isWrong) document.getElementById("claim").textContent = line.dataset[sentence];
}

const shown = (id) => document.getElementById(id)?.textContent.trim();

/** What this browser noted of the round: of the first commitment, and of later ones where its deals were published. */
function compareReceipts() {
  const noted = [];
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) noted.push(read(nameDeals({ ...proof.duplicate, attempt })));
  const known = noted.filter(Boolean);
  if (!known.length) return say("receipt-commitment", "none", false);
  const receipt = known.find(({ commitment }) => commitment === shown("commitment"));
  say("receipt-commitment", receipt ? "yes" : "no", !receipt);
  const { entropy, isOwn } = receipt ?? known[0];
  if (!entropy) return;
  const isThere = proof.duplicate.contributions.includes(entropy);
  say("receipt-entropy", isThere && !isOwn ? "other" : isThere ? "yes" : "no", !isThere);
}

if (canHash() && proof.secret) {
  const isKept = (await sum(bytes(proof.secret))) === shown("commitment");
  if (shown("commitment")) say("browser-secret", isKept ? "yes" : "no", !isKept);
  const isMade = (await roundSeedOf(proof)) === shown("seed");
  if (shown("seed")) say("browser-seed", isMade ? "yes" : "no", !isMade);
}
compareReceipts();
