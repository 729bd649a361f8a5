// A draft outlives the page: kept in this tab for its table, as long as the game stands where it stood.

import { find } from "./desk-state.js";

const name = () => `draft:${find("board")?.dataset.table}`;

/**
 * Keeps what the draft is, with all that undo and redo lead to; for this ply.
 * @param {import("./draft.js").Draft} draft
 * @param {number} ply
 */
export function storeDraft({ steps, at }, ply) {
  try {
    sessionStorage.setItem(name(), JSON.stringify({ ply, steps, at }));
  } catch {
    // Lasts as long as this page, then.
  }
}

/**
 * The draft goes on where it was left, if it began with the same table and cards; what is of the past is dropped.
 * @param {import("./draft.js").Draft | null} draft
 * @param {number} ply
 */
export function resumeDraft(draft, ply) {
  const kept = recall();
  if (kept && kept.ply !== ply) return forgetDraft();
  if (!draft || !kept || JSON.stringify(kept.steps[0]) !== JSON.stringify(draft.first)) return;
  Object.assign(draft, { steps: kept.steps, at: kept.at });
}

export function forgetDraft() {
  try {
    sessionStorage.removeItem(name());
  } catch {
    // Nothing has been kept.
  }
}

/** @returns {{ ply: number, steps: import("./draft.js").Step[], at: number } | null} */
function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(name()) ?? "null");
  } catch {
    return null;
  }
}
