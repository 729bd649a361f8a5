// The server's clock, as its messages tell it. Deadlines are compared with it and not with the device's clock.
let offset = 0; // the server's clock minus the device's, in ms

/** Milliseconds since 1970, by the server's clock. */
export const readServerClock = () => Date.now() + offset;

/** @param {number} now - the server's time at this moment, in ms since 1970 */
export function setServerClock(now) {
  offset = now - Date.now();
}
