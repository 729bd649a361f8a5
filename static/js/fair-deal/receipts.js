// What this browser has noted of each deal, so that nobody can change it afterwards: the commitment as it first stood
// on the page, what this browser contributed, and at which seat. The newest tables only.

const KEY = "menagerie:deals";
const MOST = 200;

/**
 * What was noted of one deal; `isOwn`: the contribution is this browser's, no other one of the same person.
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
 * What was noted of a table, or nothing.
 * @param {string} key
 * @returns {Receipt | undefined}
 */
export const readReceipt = (key) => readAll()[key];

/**
 * Note this of a table; what is noted already stays, unless it is to be replaced.
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
    // No room, or not allowed: this browser will have nothing to compare.
  }
}

/**
 * The key of a receipt for the duplicate deals of a round: { tournament, round, seating, attempt }.
 * @param {DealsOfRound} deals
 */
export function nameDeals({ tournament, round, seating, attempt = 1 }) {
  return `round:${tournament}/${round}/${seating}${Number(attempt) > 1 ? `/${attempt}` : ""}`;
}
