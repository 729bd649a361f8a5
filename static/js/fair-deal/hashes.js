// The hashes that prove a deal, computed in this browser. docs/fair-deals.md specifies them byte by byte.

/** @typedef {string | null} Contribution what somebody contributed; null is nobody's */

/**
 * What decides the duplicate deals of a round.
 * @typedef {object} RoundDeals
 * @property {string} tournament
 * @property {number} round
 * @property {number} seating
 * @property {number} seats
 * @property {Contribution[]} contributions
 */

const encoder = new TextEncoder();
const WORD = 8;
const SPAN = 1n << 64n;

/** Whether this browser can compute them: it can on HTTPS pages and on localhost only. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

/** @param {string} digits */
export const parseHex = (digits) =>
  Uint8Array.from(digits.match(/../g) ?? [], (/** @type {string} */ pair) => parseInt(pair, 16));
/** @param {Iterable<number>} data */
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {Iterable<number>} data */
const hash = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(data)));

/**
 * SHA-256 as 64 hexadecimal digits.
 * @param {Iterable<number>} data
 */
export const hashHex = async (data) => hex(await hash(data));

/** @param {number} number */
export function encodeNumber(number) {
  const data = new Uint8Array(WORD);
  new DataView(data.buffer).setBigUint64(0, BigInt(number));
  return [...data];
}

/** @param {string} words */
export function encodeText(words) {
  const data = encoder.encode(words);
  return [...encodeNumber(data.length), ...data];
}

/** @param {string} words */
const ascii = (words) => [...encoder.encode(words)];

/**
 * The contributions in order as bytes, with their number first; null for a seat without one.
 * @param {Contribution[]} given
 */
const entries = (given) =>
  [...encodeNumber(given.length), ...given.flatMap((text) => (text === null ? [0] : [1, ...encodeText(text)]))];

/**
 * @param {string} domain
 * @param {string} secret
 * @param {number[]} parts
 */
const spell = (domain, secret, parts) => [...ascii(domain), 0, ...parseHex(secret), ...parts];

/**
 * The seed of a table. contributions: by seat.
 * @param {{ secret: string, table: string, entropy: Contribution[] }} proof
 */
export const computeSeed = ({ secret, table, entropy }) =>
  hashHex(spell("menagerie-seed/1", secret, [...encodeText(table), ...entries(entropy)]));

/**
 * The seed of all tables of one size in a round with duplicate deals.
 * @param {{ secret: string, duplicate: RoundDeals }} proof
 */
export const computeRoundSeed = ({ secret, duplicate: { tournament, round, seating, seats, contributions } }) =>
  hashHex(spell("menagerie-round-seed/1", secret, [
    ...encodeText(tournament), ...[round, seating, seats].flatMap(encodeNumber), ...entries(contributions),
  ]));

/**
 * Draws the seats by lot. Returns, by seat, the seat in the waiting room that its player had; contributions are listed
 * by seat in the waiting room.
 * @param {{ secret: string, table: string, byChair: Contribution[] }} deal
 * @returns {Promise<number[]>}
 */
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

/**
 * The stream of random numbers of a seed: unsigned, 8 bytes each, four in a block.
 * @param {Uint8Array} root
 * @param {string} name
 * @param {number} number
 * @returns {AsyncGenerator<bigint, never>}
 */
async function* stream(root, name, number) {
  for (let block = 0; ; block += 1) {
    const data =
      [...ascii("menagerie-chance/1"), 0, ...root, ...ascii(name), 0, ...encodeNumber(number), ...encodeNumber(block)];
    const view = new DataView((await hash(data)).buffer);
    for (let at = 0; at < view.byteLength; at += WORD) yield view.getBigUint64(at);
  }
}

/**
 * A number below n, each equally likely.
 * @param {AsyncGenerator<bigint, never>} words
 * @param {number} n
 */
async function below(words, n) {
  const limit = SPAN - (SPAN % BigInt(n));
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return Number(value % BigInt(n));
  }
}
