// Stores results that wait on this device for a connection, of all people who use this browser.

export const STORE = "waiting-results";

/**
 * @typedef {object} WaitingResult
 * @property {string} key
 * @property {string} who the reader whose result it is
 * @property {string} address where it is sent
 * @property {string} label what it is the result of
 * @property {string} fields of the form, URL-encoded
 * @property {number} at when it was entered, in milliseconds since 1970 by this device's clock
 * @property {string} refused why the server did not take it; "" while it waits
 */

/** @returns {WaitingResult[]} in the order in which they were entered */
export function recallResults() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * @param {WaitingResult[]} results
 * @returns {boolean} whether this browser keeps them
 */
export function keepResults(results) {
  try {
    if (results.length) localStorage.setItem(STORE, JSON.stringify(results));
    else localStorage.removeItem(STORE);
    return true;
  } catch {
    return false;
  }
}
