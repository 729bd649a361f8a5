// Stores the draft in this tab, so that it survives a reload of the page while the table has not moved on.

import { find } from "./desk-state.js";

const name = () => `draft:${find("board")?.dataset.table}`;

/**
 * Stores the draft with its undo history, for this ply.
 * @param {import("./draft.js").Draft} draft
 * @param {number} ply
 */
export function storeDraft({ steps, at }, ply) {
  try {
    sessionStorage.setItem(name(), JSON.stringify({ ply, steps, at }));
  } catch {
    // Storage may be forbidden; then the draft lasts as long as the page.
  }
}

/**
 * Restores the stored draft if it began with the same table and cards. Deletes one of another ply.
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
    // Storage is forbidden, so there is no draft.
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
