// What this browser has noted of each deal, so that nobody can change it afterwards: the commitment as it first stood on
// the page, what this browser contributed, and at which seat. The newest tables only.

const KEY = "menagerie:deals";
const MOST = 200;

function readAll() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // no storage, or not ours
  }
}

/** What was noted of a table, or nothing. */
export const readReceipt = (table) => readAll()[table];

/** Note this of a table; what is noted already stays, unless it is to be replaced. */
export function noteReceipt(table, values, { replaces = false } = {}) {
  const all = readAll();
  const known = all[table];
  const next = replaces ? { ...known, ...values } : { ...values, ...known };
  if (JSON.stringify(next) === JSON.stringify(known)) return;
  delete all[table];
  all[table] = next; // the newest is the last
  for (const old of Object.keys(all).slice(0, -MOST)) delete all[old];
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // No room, or not allowed: this browser will have nothing to compare.
  }
}

/** The key of a receipt for the duplicate deals of a round: { tournament, round, seating, attempt }. */
export function nameDeals({ tournament, round, seating, attempt = 1 }) {
  return `round:${tournament}/${round}/${seating}${Number(attempt) > 1 ? `/${attempt}` : ""}`;
}
