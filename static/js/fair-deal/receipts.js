// Stores a receipt of each deal in this browser, so that nobody can change it afterwards: the first commitment that the
// page showed, this browser's contribution, and its seat. Only receipts of the newest tables are kept.

const KEY = "menagerie:deals";
const MOST = 200;

/**
 * The receipt of one deal. `isOwn`: the contribution was made by this browser, not by another one of the same person.
 * @typedef {object} Receipt
 * @property {string} [commitment]
 * @property {string} [entropy]
 * @property {boolean} [isOwn]
 * @property {number} [chair] before the game
 * @property {boolean} [isDrawn] whether a lot decides the seats
 * @property {number} [seat] in the game
 */

/**
 * @typedef {object} DealsOfRound
 * @property {string} tournament
 * @property {number | string} round
 * @property {number | string} seating
 * @property {number | string} [attempt]
 */

/** @returns {Record<string, Receipt>} by table, or by round of a tournament */
function readAll() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // no storage, or not ours
  }
}

/**
 * The receipt of a table, or null.
 * @param {string} key
 * @returns {Receipt | undefined}
 */
export const readReceipt = (key) => readAll()[key];

/**
 * Stores parts of a table's receipt. What is stored already stays, unless `replaces`.
 * @param {string} key
 * @param {Receipt} values
 * @param {{ replaces?: boolean }} [how]
 */
export function noteReceipt(key, values, { replaces = false } = {}) {
  const all = readAll();
  const known = all[key];
  const next = replaces ? { ...known, ...values } : { ...values, ...known };
  if (JSON.stringify(next) === JSON.stringify(known)) return;
  delete all[key];
  all[key] = next; // the newest is the last
  for (const old of Object.keys(all).slice(0, -MOST)) delete all[old];
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // The storage is full or forbidden, so this browser will have nothing to compare.
  }
}

/**
 * The key of a receipt for the duplicate deals of a round: { tournament, round, seating, attempt }.
 * @param {DealsOfRound} deals
 */
export function nameDeals({ tournament, round, seating, attempt = 1 }) {
  return `round:${tournament}/${round}/${seating}${Number(attempt) > 1 ? `/${attempt}` : ""}`;
}
