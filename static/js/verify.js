// The two sums of a fair deal, worked out once more by this browser; docs/fair-deals.md says them byte by byte.

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

function say(id, holds) {
  const line = document.getElementById(id);
  if (!line) return;
  line.textContent = holds ? line.dataset.yes : line.dataset.no;
  line.classList.toggle("wrong", !holds);
}

const shown = (id) => document.getElementById(id)?.textContent.trim();

if (globalThis.crypto?.subtle && proof.secret) {
  if (shown("commitment")) say("browser-secret", (await sum(bytes(proof.secret))) === shown("commitment"));
  if (proof.table !== null && proof.entropy !== null && shown("seed")) say("browser-seed", (await seedOf(proof)) === shown("seed"));
}
