// The state that all scripts of the table share: the draft, the tiles picked up, and what the server says of this turn.

import { explain as sayWhyNot, GUARD_MS, whyWait } from "../table/moves.js";
import { fill, find, words as tableWords } from "../table/words.js";

/**
 * The texts of Fancy Animals.
 * @typedef {object} DeskWords
 * @property {Record<string, string>} suits
 * @property {Record<string, string>} spots
 * @property {Record<string, [name: string, sentence: string]>} rules
 * @property {Record<string, import("./draft-move.js").Clothing>} clothing
 * @property {Record<string, string>} faults
 * @property {string} draw
 * @property {string} pass
 * @property {string[]} play
 * @property {string} take
 * @property {string} back
 * @property {string} switch
 * @property {string} none
 * @property {string} choose_spot
 * @property {string} card
 * @property {string} wild
 * @property {string} wild_home
 * @property {string} picked
 * @property {string} mine
 * @property {string} run
 * @property {string} set
 * @property {string} broken
 * @property {string} here
 * @property {string} new
 * @property {string} bare
 * @property {string} offer
 * @property {string} paid
 * @property {string} taken
 * @property {string} returned
 * @property {string} unpaid
 * @property {string} moved
 * @property {string} flipped
 * @property {string} undone
 * @property {string} redone
 * @property {string} lost
 * @property {string} no_hint
 * @property {string} hinted
 * @property {string} thinking
 * @property {string} all_own
 * @property {string[]} lay
 * @property {string} select
 * @property {string} begun
 * @property {string} sort_suit
 * @property {string} sort_number
 * @property {string} sorted_suit
 * @property {string} sorted_number
 * @property {string} zoomed
 */

export const words = /** @type {import("../table/words.js").TableWords & DeskWords} */ (tableWords);

export { fill, find, GUARD_MS, whyWait };
/** @param {string} text */
export const say = (text) => (document.getElementById("say").textContent = text);

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} kind
 * @param {Partial<HTMLElementTagNameMap[K]>} properties
 * @returns {HTMLElementTagNameMap[K]}
 */
export const build = (kind, properties) => Object.assign(document.createElement(kind), properties);

/** @param {string} name */
export const tool = (name) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-do="${name}"]`));
export const buildBare = () => build("p", { className: "soft", textContent: words.bare });

/**
 * What the server says of this turn. Some of it is sent only in my turn.
 * @typedef {object} Asked
 * @property {number} [top] the highest number
 * @property {string[]} active special rules
 * @property {Record<string, string[]>} worn by my animal
 * @property {boolean} [draw] whether a card can be drawn
 * @property {boolean} [hints]
 */

/**
 * The shared state: the draft (null while it is not my turn), the names of the tiles picked up, the name of the tile
 * that Tab leads to, and whether a move is being sent.
 * @type {{ draft: import("./draft.js").Draft | null, picked: string[], focus: string | null, isSending: boolean }}
 */
export const desk = { draft: null, picked: [], focus: null, isSending: false };

export const isMine = () => find("action")?.classList.contains("mine") ?? false;
export const mayDraft = () => "draft" in (find("action")?.dataset ?? {}); // also while the table is paused
/** @returns {Asked} */
export const asked = () => JSON.parse(find("action")?.dataset.rules || "{}");

/**
 * What a turn offers besides cards: the clothing, the active special rules, whether a card can be drawn.
 * @returns {import("./draft-move.js").Shop}
 */
export function shop() {
  const { active = [], draw = false } = asked();
  return { clothing: words.clothing, active, canDraw: draw };
}

/**
 * @param {string} sentence
 * @param {boolean} [isAdvice]
 */
export function explain(sentence, isAdvice = false) {
  sayWhyNot(sentence);
  find("why")?.classList.toggle("advice", isAdvice);
}
