// The texts that the server sends with a table's page, in the reader's language.

/**
 * The texts of every table. A game's own texts are declared in its scripts.
 * @typedef {object} TableWords
 * @property {string} turn
 * @property {string} seconds
 * @property {string} hours_left
 * @property {string} days_left
 * @property {string} bell
 * @property {string} bell_now
 * @property {string} live
 * @property {string} reconnecting
 * @property {string} polling
 * @property {string} crowded_network
 * @property {string} crowded_person
 * @property {string} sending
 * @property {string} slow
 * @property {string} wait
 * @property {string} watchers
 * @property {string} sound_on
 * @property {string} sound_off
 * @property {string} notify_denied
 * @property {string} notify_body
 * @property {[selector: string, sentence: string][]} [guide] of a first game: the last one that matches is shown
 */

/** @type {TableWords} */
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
/** @param {string} id */
export const find = (id) => document.getElementById(id);

/**
 * Fills named values into a text: fill("%(count)s cards", { count: 3 }).
 * @param {string} template
 * @param {Record<string, unknown>} values
 */
export const fill = (template, values) => template.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
