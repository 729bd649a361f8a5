// The sums that prove a deal, for this browser to do itself. docs/fair-deals.md says them byte by byte.

const encoder = new TextEncoder();
const WORD = 8;
const SPAN = 1n << 64n;

/** Whether this browser can do them: only on a page with https, or on the machine itself. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

export const parseHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const hash = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(data)));

/** SHA-256 as 64 hexadecimal digits. */
export const hashHex = async (data) => hex(await hash(data));

export function encodeNumber(number) {
  const data = new Uint8Array(WORD);
  new DataView(data.buffer).setBigUint64(0, BigInt(number));
  return [...data];
}

export function encodeText(words) {
  const data = encoder.encode(words);
  return [...encodeNumber(data.length), ...data];
}

const ascii = (words) => [...encoder.encode(words)];

/** What people contributed, with its number before it; null is nobody's. */
const entries = (given) => [...encodeNumber(given.length), ...given.flatMap((one) => (one === null ? [0] : [1, ...encodeText(one)]))];

const spell = (domain, secret, parts) => [...ascii(domain), 0, ...parseHex(secret), ...parts];

/** The seed of a table, of the contributions by seat. */
export const computeSeed = ({ secret, table, entropy }) =>
  hashHex(spell("menagerie-seed/1", secret, [...encodeText(table), ...entries(entropy)]));

/** The seed of all tables of one size in a round with duplicate deals. */
export const computeRoundSeed = ({ secret, duplicate: { tournament, round, seating, seats, contributions } }) =>
  hashHex(spell("menagerie-round-seed/1", secret, [
    ...encodeText(tournament), ...[round, seating, seats].flatMap(encodeNumber), ...entries(contributions),
  ]));

/** By seat, the chair of the waiting room from which its player came; contributions by chair. */
export async function drawSeats({ secret, table, byChair }) {
  const root = await hash(spell("menagerie-seats/1", secret, [...encodeText(table), ...entries(byChair)]));
  const words = stream(root, "seats", 0);
  const chairs = byChair.map((_one, chair) => chair);
  for (let last = chairs.length - 1; last > 0; last -= 1) {
    const other = await below(words, last + 1);
    [chairs[last], chairs[other]] = [chairs[other], chairs[last]];
  }
  return chairs;
}

/** The words of a stream: numbers of 8 bytes, four a block. */
async function* stream(root, name, number) {
  for (let block = 0; ; block += 1) {
    const data = [...ascii("menagerie-chance/1"), 0, ...root, ...ascii(name), 0, ...encodeNumber(number), ...encodeNumber(block)];
    const view = new DataView((await hash(data)).buffer);
    for (let at = 0; at < view.byteLength; at += WORD) yield view.getBigUint64(at);
  }
}

/** A number below n, each equally likely. */
async function below(words, n) {
  const limit = SPAN - (SPAN % BigInt(n));
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return Number(value % BigInt(n));
  }
}
