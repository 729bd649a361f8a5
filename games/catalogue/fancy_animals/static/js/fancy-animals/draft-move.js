// What a draft comes to: what is wrong with it, what it pays for, the move that it means. Pure; the server decides.

import { findFault, findOrphan, findReach, listSpots, parse } from "./melds.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @typedef {{ slot: string, suit: string, length: number, name: string, points: number }} Clothing
 *   what it takes, and what it is worth
 */

/**
 * @typedef {{ clothing: Record<string, Clothing>, active: string[], canDraw: boolean }} Shop
 *   what a turn has besides the draft
 */

/**
 * What a draft is worth: by meld what is wrong with it, the cell that a wild has left without a card, by suit the
 * longest run.
 * @typedef {object} Verdict
 * @property {(import("./melds.js").Fault | null)[]} faults
 * @property {string | null} orphan
 * @property {Record<string, number>} reach
 * @property {boolean} isWhole
 */

/**
 * By meld what is wrong with it, what a wild has left without a card, how long a run is paid for by material.
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
 * The set that could switch a special rule on: one new meld, all of it from my hand, and nothing else.
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
 * Where this piece could be worn now.
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
 * The move that the draft means; null while it is none.
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
 * What no longer holds is dropped: a claim that is not paid for, a rule without its set, clothing put back for nothing.
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
 * The names of the cards that lie elsewhere: new ones, and those that have left the meld with which most of theirs stay.
 * @param {string[][]} before
 * @param {string[][]} after
 * @returns {string[]}
 */
export function findMoved(before, after) {
  const homes = new Map(before.flatMap((meld, at) => meld.map((word) => [parse(word).name, at])));
  /** @type {Set<number | undefined>} melds that go on as one of the new ones */
  const kept = new Set();
  return [...after].sort((one, other) => other.length - one.length).flatMap((meld) => {
    const names = meld.map((word) => parse(word).name);
    const countFrom = (/** @type {number} */ home) => names.filter((name) => homes.get(name) === home).length;
    const homesOf = [...new Set(names.map((name) => homes.get(name)))].filter((home) => home !== undefined);
    const home = homesOf.filter((each) => !kept.has(each)).sort((one, other) => countFrom(other) - countFrom(one))[0];
    kept.add(home);
    return names.filter((name) => home === undefined || homes.get(name) !== home);
  });
}
