// The texts that the server sends with a table's page, in the reader's language, and the elements that have them.

export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const find = (id) => document.getElementById(id);

/** The text with its named values: fill("%(count)s cards", { count: 3 }). */
export const fill = (template, values) => template.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
