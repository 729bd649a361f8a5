// Shows times in the reader's notation and time zone, also on the first page, when the server does not know them yet.

/** The reader's variant of the page's language, e.g. British or American: it decides how a date is written. */
function tongue() {
  const { lang } = document.documentElement;
  return navigator.languages.find((tag) => tag.split("-")[0] === lang) ?? lang;
}

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }; // as the server writes hours, in every language
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric", ...CLOCK };

/**
 * Formats a moment (milliseconds since 1970, or ISO 8601) in the reader's language.
 * @param {number | string} at
 */
export const formatMoment = (at) => new Intl.DateTimeFormat(tongue(), DAY).format(new Date(at));

/** Rewrites times that the server rendered for another time zone than the reader's. */
export function showMoments() {
  if (Intl.DateTimeFormat().resolvedOptions().timeZone === document.documentElement.dataset.zone) return;
  const format = new Intl.DateTimeFormat(tongue(), DAY);
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-moment]")))
    time.textContent = format.format(new Date(time.dateTime));
  for (const chip of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-chip]"))) {
    const at = new Date(chip.dateTime);
    const [number, month] = chip.children;
    if (number) number.textContent = String(at.getDate());
    if (month) month.textContent = new Intl.DateTimeFormat(tongue(), { month: "short" }).format(at);
  }
}

/** Shows clock times in the reader's time zone. */
export function showHours() {
  const format = new Intl.DateTimeFormat(tongue(), CLOCK);
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-clock]")))
    time.textContent = format.format(new Date(time.dateTime));
}
