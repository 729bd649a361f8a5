// The server's clock, as its answers tell it: clocks on screens are compared with it and not with the device's.
let offset = 0; // the server's clock minus ours, ms

/** Milliseconds since 1970, by the server's clock. */
export const readServerClock = () => Date.now() + offset;

/** @param {number} now - what the server's clock says in this moment, in ms since 1970 */
export function setServerClock(now) {
  offset = now - Date.now();
}
