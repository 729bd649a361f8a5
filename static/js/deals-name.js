/** What the receipts of this browser call the duplicate deals of a round: { tournament, round, seating, attempt }. */
export function nameDeals({ tournament, round, seating, attempt = 1 }) {
  return `round:${tournament}/${round}/${seating}${Number(attempt) > 1 ? `/${attempt}` : ""}`;
}
