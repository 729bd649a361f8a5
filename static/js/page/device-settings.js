// Settings stored on this device: sounds, volume, vibration, how a table is shown.

/** @type {Map<string, string>} wishes that hold for this page only, where the browser keeps nothing */
const unkept = new Map();

/**
 * @param {string} name
 * @returns {boolean}
 */
export const recall = (name) => read(name) === "1";

/**
 * @param {string} name
 * @param {number} usual without a wish
 * @returns {number}
 */
export function recallNumber(name, usual) {
  const text = read(name);
  return text && Number.isFinite(Number(text)) ? Number(text) : usual;
}

/**
 * @param {string} name
 * @returns {string} empty without a wish
 */
export const recallText = (name) => read(name) ?? "";

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    unkept.set(name, value);
  }
}

/** @param {string} name */
function read(name) {
  try {
    return unkept.get(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}
