// Judges a draft: what is wrong with it, what it pays for, and which move it makes. Pure. The server decides.

import { findFault, findOrphan, findReach, listSpots, parse } from "./melds.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @typedef {{ slot: string, suit: string, length: number, name: string, points: number }} Clothing
 *   a piece of clothing: its spot, the material and length of the run that pays for it, its points
 */

/**
 * @typedef {{ clothing: Record<string, Clothing>, active: string[], canDraw: boolean }} Shop
 *   what a turn offers besides cards
 */

/**
 * `faults`: by meld; `orphan`: the card whose place a moved wild leaves empty; `reach`: by suit, the length of the
 * longest run; `isWhole`: nothing is wrong.
 * @typedef {object} Verdict
 * @property {(import("./melds.js").Fault | null)[]} faults
 * @property {string | null} orphan
 * @property {Record<string, number>} reach
 * @property {boolean} isWhole
 */

/**
 * Checks all melds of a draft, and what they pay for.
 * @param {Draft} draft
 * @returns {Verdict}
 */
export function judge(draft) {
  const { melds } = draft.now;
  const faults = melds.map((meld) => findFault(meld, draft.rules));
  const orphan = findOrphan(draft.first.melds, melds);
  const reach = findReach(melds.filter((_, i) => !faults[i]), draft.played, draft.rules);
  return { faults, orphan, reach, isWhole: !orphan && faults.every((fault) => !fault) };
}

/**
 * The set that can activate a special rule: the only new meld, with cards of my hand only.
 * @param {Draft} draft
 * @returns {string[] | null}
 */
export function findRuleSet(draft) {
  const { melds } = draft.now;
  const before = new Set(draft.first.melds.map((meld) => meld.join()));
  const fresh = melds.filter((meld) => !before.has(meld.join()));
  if (fresh.length !== 1 || melds.length !== draft.first.melds.length + 1 || draft.wilds.length) return null;
  const pieces = fresh[0].map(parse);
  const isSet = new Set(pieces.map((piece) => piece.number)).size === 1 && !findFault(fresh[0], draft.rules);
  return isSet && pieces.every((piece) => draft.first.hand.includes(piece.name)) ? fresh[0] : null;
}

/**
 * The spots where this piece could be worn now.
 * @param {Draft} draft
 * @param {string} slug
 * @param {Shop} shop
 */
export function spotsFor(draft, slug, shop) {
  return listSpots(shop.clothing[slug].slot, draft.now.worn, shop.active.includes("cover"));
}

/**
 * Whether the draft pays for this piece, and there is a spot for it.
 * @param {Draft} draft
 * @param {string} slug
 * @param {Shop} shop
 * @param {Pick<Verdict, "reach">} verdict
 */
export function isPaid(draft, slug, shop, { reach }) {
  const { suit, length } = shop.clothing[slug];
  return draft.played.length > 0 && reach[suit] >= length && spotsFor(draft, slug, shop).length > 0;
}

/**
 * Whether clothing may be put back in this turn.
 * @param {Draft} draft
 * @param {Shop} shop
 */
export const canReturn = (draft, shop) => shop.active.includes("return") || draft.now.rule === "return";

/**
 * The move that the draft makes; null while it makes none.
 * @param {Draft} draft
 * @param {Shop} shop
 * @returns {Move | null}
 */
export function makeMove(draft, shop) {
  if (!draft.isTouched) return shop.canDraw ? { draw: true } : { pass: true };
  const { claim, spot, back, rule, melds } = draft.now;
  if (!judge(draft).isWhole || !draft.played.length) return null;
  const set = findRuleSet(draft);
  if (rule && set) return { activate: rule, set, ...(back ? { return: back } : {}) };
  const spots = claim ? spotsFor(draft, claim, shop) : [];
  if (claim && spots.length > 1 && !spot) return null;
  /** @type {Move} */
  const move = { play: draft.played, table: melds };
  if (draft.wilds.length) move.wilds = draft.wilds;
  if (claim) Object.assign(move, { claim, spot: spot ?? spots[0] });
  else if (back) move.return = back;
  return move;
}

/**
 * Drops what no longer applies: a claim that is not paid for, a rule without its set, clothing put back without a play.
 * @param {Draft} draft
 * @param {Shop} shop
 */
export function revise(draft, shop) {
  const { claim, spot, back, rule } = draft.now;
  const keepsRule = Boolean(rule && findRuleSet(draft));
  const mayReturn = shop.active.includes("return") || (rule === "return" && keepsRule);
  /** @type {Partial<import("./draft.js").Step>} */
  const what = {};
  if (claim && !isPaid(draft, claim, shop, judge(draft))) Object.assign(what, { claim: null, spot: null });
  else if (claim && spot && !spotsFor(draft, claim, shop).includes(spot)) what.spot = null;
  if (rule && !keepsRule) what.rule = null;
  if (back && (!draft.played.length || !mayReturn)) what.back = null;
  if (Object.keys(what).length) Object.assign(draft.now, what);
}

/**
 * The names of the cards that have moved: new ones, and those that left the meld in which most of its cards stay.
 * @param {string[][]} before
 * @param {string[][]} after
 * @returns {string[]}
 */
export function findMoved(before, after) {
  const homes = new Map(before.flatMap((meld, index) => meld.map((word) => [parse(word).name, index])));
  /** @type {Set<number | undefined>} former melds that continue in one of the new ones */
  const kept = new Set();
  return [...after].sort((first, second) => second.length - first.length).flatMap((meld) => {
    const names = meld.map((word) => parse(word).name);
    const countFrom = (/** @type {number} */ home) => names.filter((name) => homes.get(name) === home).length;
    const homesOf = [...new Set(names.map((name) => homes.get(name)))].filter((home) => home !== undefined);
    const [home] = homesOf.filter((each) => !kept.has(each)).sort((a, b) => countFrom(b) - countFrom(a));
    kept.add(home);
    return names.filter((name) => home === undefined || homes.get(name) !== home);
  });
}
