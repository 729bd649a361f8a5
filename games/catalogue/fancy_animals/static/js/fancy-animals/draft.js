// A draft of a move: the table after each step of it, with undo and redo. It does not touch the page.

import { arrange, findFault, parse, spell } from "./melds.js";

/** @typedef {import("./melds.js").Rules} Rules */

/**
 * The table after a step of the draft, and the other parts of the move.
 * @typedef {object} Step
 * @property {string[][]} melds pieces as words, see melds.js
 * @property {string[]} hand names of cards
 * @property {Record<string, string[]>} worn by spot, a pile of clothes
 * @property {string | null} claim clothing to take
 * @property {string | null} spot where to wear it
 * @property {string | null} back clothing to put back under its deck
 * @property {string | null} rule the special rule to activate
 */

/**
 * The first step of a draft: nothing is done yet.
 * @param {string[][]} melds
 * @param {string[]} hand
 * @param {Record<string, string[]>} worn
 * @returns {Step}
 */
export function begin(melds, hand, worn) {
  return { melds, hand, worn, claim: null, spot: null, back: null, rule: null };
}

export class Draft {
  /**
   * @param {Step} first
   * @param {Rules} rules
   */
  constructor(first, rules) {
    this.rules = rules;
    this.steps = [first];
    this.at = 0;
  }

  get first() {
    return this.steps[0];
  }

  get now() {
    return this.steps[this.at];
  }

  get isTouched() {
    return JSON.stringify(this.now) !== JSON.stringify(this.first);
  }

  /** @param {Step} next */
  step(next) {
    this.steps = [...this.steps.slice(0, this.at + 1), next];
    this.at += 1;
  }

  undo() {
    if (!this.at) return false;
    this.at -= 1;
    return true;
  }

  redo() {
    if (this.at === this.steps.length - 1) return false;
    this.at += 1;
    return true;
  }

  reset() {
    if (this.isTouched) this.step(this.first);
  }

  /** Names of cards from my hand that the draft puts on the table. */
  get played() {
    return this.first.hand.filter((name) => !this.now.hand.includes(name));
  }

  /** Clothes of my animal that the draft puts on the table as wilds. */
  get wilds() {
    const before = Object.values(this.first.worn).flat();
    const now = Object.values(this.now.worn).flat();
    return before.filter((name) => !now.includes(name));
  }

  /** @param {string} name */
  isOwn(name) {
    return this.first.hand.includes(name) || Object.values(this.first.worn).flat().includes(name);
  }

  /**
   * What this meld would be with these names in it.
   * @param {string[]} names
   * @param {number} target
   */
  preview(names, target) {
    const left = this.now.melds[target].filter((word) => !names.includes(parse(word).name));
    return arrange([...left, ...names.map((name) => this.wordOf(name))], this.rules);
  }

  /**
   * Puts these names into a meld (its number), or into a new one (null).
   * @param {string[]} names
   * @param {number | null} target
   */
  place(names, target) {
    const words = names.map((name) => this.wordOf(name));
    const chosen = target === null ? null : this.now.melds[target];
    const rest = this.without(names);
    const melds = this.now.melds.map((meld) => {
      const left = meld.filter((word) => !names.includes(parse(word).name));
      if (target !== null && meld === chosen) return this.preview(names, target);
      return left.length === meld.length ? meld : left;
    });
    if (target === null) melds.push(arrange(words, this.rules));
    this.step({ ...this.now, ...rest, melds: melds.filter((meld) => meld.length) });
  }

  /**
   * Takes my own tiles among these back to my hand and my animal. Returns whether there were any.
   * @param {string[]} names
   * @returns {boolean}
   */
  takeBack(names) {
    const own = names.filter((name) => this.isOwn(name));
    if (!own.length) return false;
    const melds = this.now.melds.map((meld) => meld.filter((word) => !own.includes(parse(word).name)));
    const hand = this.first.hand.filter((name) => this.now.hand.includes(name) || own.includes(name));
    const worn = Object.fromEntries(Object.entries(this.first.worn).map(([spot, pile]) =>
      [spot, pile.filter((name) => own.includes(name) || (this.now.worn[spot] ?? []).includes(name))]));
    this.step({ ...this.now, hand, worn, melds: melds.filter((meld) => meld.length) });
    return true;
  }

  /**
   * Turns a card to its other suit, and its whole run if all cards of it have that suit; gives a wild its next number.
   * @param {string} name
   */
  flip(name) {
    const { top } = this.rules;
    const turn = (/** @type {string} */ word) => {
      const piece = parse(word);
      if (piece.name !== name) return word;
      return piece.wild ? spell({ ...piece, number: (piece.number % top) + 1 })
        : spell({ ...piece, suit: piece.suits.find((suit) => suit !== piece.suit) ?? piece.suit });
    };
    this.step({ ...this.now, melds: this.now.melds.map((meld) => this.turnRun(meld, meld.map(turn), name)) });
  }

  /**
   * A meld after one of its cards was turned. If that breaks a run, all its cards are turned if that makes a run again.
   * @param {string[]} before
   * @param {string[]} after
   * @param {string} name
   */
  turnRun(before, after, name) {
    const turned = after.map(parse).find((piece) => piece.name === name);
    if (!turned || turned.wild || findFault(before, this.rules) || !findFault(after, this.rules)) return after;
    const whole = after.map(parse).map((piece) =>
      (piece.suits.includes(turned.suit) && !piece.wild ? spell({ ...piece, suit: turned.suit }) : piece.word));
    return findFault(whole, this.rules) ? after : whole;
  }

  /**
   * Splits a meld in two before this piece.
   * @param {string} name
   */
  split(name) {
    const melds = this.now.melds.flatMap((meld) => {
      const index = meld.findIndex((word) => parse(word).name === name);
      return index > 0 ? [meld.slice(0, index), meld.slice(index)] : [meld];
    });
    if (melds.length > this.now.melds.length) this.step({ ...this.now, melds });
  }

  /**
   * Changes the parts of the move besides cards: claim, spot, back, rule.
   * @param {Partial<Step>} what
   */
  choose(what) {
    this.step({ ...this.now, ...what });
  }

  /**
   * Makes the draft of a move, as the server's hint describes it.
   * @param {{ play: string[], table: string[][], wilds?: string[], claim?: string, spot?: string }} move
   */
  follow(move) {
    const wilds = move.wilds ?? [];
    this.step({
      ...this.first,
      melds: move.table,
      hand: this.first.hand.filter((name) => !move.play.includes(name)),
      worn: Object.fromEntries(
        Object.entries(this.first.worn).map(([spot, pile]) => [spot, pile.filter((name) => !wilds.includes(name))])),
      claim: move.claim ?? null,
      spot: move.spot ?? null,
    });
  }

  /** @param {string} name */
  wordOf(name) {
    const lying = this.now.melds.flat().find((word) => parse(word).name === name);
    if (lying) return lying;
    return name.includes("-") ? `${name}:0` : `${name}:${parse(name).suit}`;
  }

  /** @param {string[]} names */
  without(names) {
    const hand = this.now.hand.filter((name) => !names.includes(name));
    const worn = Object.fromEntries(
      Object.entries(this.now.worn).map(([spot, pile]) => [spot, pile.filter((name) => !names.includes(name))]));
    return { hand, worn };
  }
}
