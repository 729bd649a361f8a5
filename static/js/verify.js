// The page's own check of a deal, so that nobody has to believe the server: what this browser noted before the game stands
// in the record, and the two sums hold; docs/fair-deals.md says them byte by byte.

import { read } from "./receipts.js";

const proof = JSON.parse(document.getElementById("proof").textContent);
const encoder = new TextEncoder();
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sum = async (data) => hex(await crypto.subtle.digest("SHA-256", data));

function count(number) {
  const data = new Uint8Array(8);
  new DataView(data.buffer).setBigUint64(0, BigInt(number));
  return data;
}

function text(words) {
  const data = encoder.encode(words);
  return [...count(data.length), ...data];
}

function seedOf({ secret, table, entropy }) {
  const shares = entropy.flatMap((given) => (given === null ? [0] : [1, ...text(given)]));
  const all = [...encoder.encode("menagerie-seed/1"), 0, ...bytes(secret), ...text(table), ...count(entropy.length), ...shares];
  return sum(Uint8Array.from(all));
}

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

async function check() {
  const noted = (proof.table !== null && read(proof.table)) || {};
  const commitment = noted.commitment ?? shown("commitment");
  say("check-noted", noted.commitment ? noted.commitment === shown("commitment") : null);
  const mine = noted.seat === undefined ? proof.entropy : [proof.entropy?.[noted.seat]];
  say("check-sent", noted.entropy ? Boolean(mine?.includes(noted.entropy)) : null);
  const canHash = Boolean(globalThis.crypto?.subtle);
  say("check-hash", canHash ? (await sum(bytes(proof.secret))) === commitment : null);
  say("check-seed", canHash && shown("seed") && proof.entropy ? (await seedOf(proof)) === shown("seed") : null);
  checks.hidden = false;
}

if (checks) check();
