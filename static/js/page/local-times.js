// Times as the reader writes them, where he is: also on the first page, which the server wrote before it knew.

/** His kind of the page's language: days as a British reader writes them, or an American one. */
function tongue() {
  const { lang } = document.documentElement;
  return navigator.languages.find((one) => one.split("-")[0] === lang) ?? lang;
}

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }; // as the server writes hours, in every language
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric", ...CLOCK };

/**
 * A moment (milliseconds since 1970, or ISO 8601) in his way.
 * @param {number | string} at
 */
export const formatMoment = (at) => new Intl.DateTimeFormat(tongue(), DAY).format(new Date(at));

/** Where the server has written for another zone than the reader's. */
export function showMoments() {
  if (Intl.DateTimeFormat().resolvedOptions().timeZone === document.documentElement.dataset.zone) return;
  const format = new Intl.DateTimeFormat(tongue(), DAY);
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-moment]"))) time.textContent = format.format(new Date(time.dateTime));
}

/** The hours of what is to come and what was done, where he is. */
export function showHours() {
  const format = new Intl.DateTimeFormat(tongue(), CLOCK);
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-clock]"))) time.textContent = format.format(new Date(time.dateTime));
}
