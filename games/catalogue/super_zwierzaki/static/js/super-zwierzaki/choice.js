// Which cards can be chosen in Super Zwierzaki, and the move that they make. Pure: nothing here touches the page.

/**
 * What the table asks me to do. `plays`: by kind, how many copies I may play; `nine`: I am choosing nine colours;
 * `plans`: it is not my turn, but I can choose a play for my next turn.
 * @typedef {{ mine: boolean, phase: string, need: number, plays: Record<string, number>, nine: boolean,
 *   plans?: boolean }} Asked
 */

/** @typedef {{ kind: string, count: number, colour: string }} Pile identical cards of my hand */

/** @typedef {Map<string, number>} Picked copies by kind, in the order of choosing */

/**
 * @typedef {{ sigma: number[], from: number, to: number }} HandDeal
 *   `sigma`: by seat, the seat that gets its hand; `from` gives half of its hand `to`
 */

const SEVERAL = ["discard", "give"]; // phases in which several kinds are chosen

/**
 * Whether cards are chosen in this phase to be discarded or given away, not to be played.
 * @param {string} phase
 */
export const isSeveral = (phase) => SEVERAL.includes(phase);

/** @param {Picked} picked */
export const total = (picked) => [...picked.values()].reduce((sum, count) => sum + count, 0);

/**
 * How many copies of a pile can be chosen now.
 * @param {Asked} asked
 * @param {Pile} pile
 */
export function most(asked, pile) {
  if (!asked.mine) return asked.plans ? pile.count : 0;
  if (isSeveral(asked.phase)) return pile.count;
  if (asked.nine) return pile.colour === "ALL" ? 0 : 1;
  return asked.plays[pile.kind] ?? 0;
}

/**
 * The choice after a tap on a pile. `wrong` says why it has not changed: "wait", "nine_all", "why" (see the sentence in
 * what is asked) or "enough"; "" if it has. piles: by kind.
 * @param {Asked} asked
 * @param {Picked} picked
 * @param {Map<string, Pile>} piles
 * @param {string} kind
 * @returns {{ picked: Picked, wrong: string }}
 */
export function pick(asked, picked, piles, kind) {
  const pile = piles.get(kind);
  if (!(asked.mine || asked.plans) || !pile) return { picked, wrong: "wait" };
  if (asked.nine) return pickNine(picked, piles, pile);
  if (!most(asked, pile)) return { picked, wrong: "why" };
  if (isSeveral(asked.phase)) return pickOneMore(asked, picked, pile);
  const now = picked.get(kind) ?? 0;
  return { picked: now >= most(asked, pile) ? new Map() : new Map([[kind, now + 1]]), wrong: "" };
}

/**
 * Chooses one card of each colour. Another card of the same colour replaces the one chosen before.
 * @param {Picked} picked
 * @param {Map<string, Pile>} piles
 * @param {Pile} pile
 */
function pickNine(picked, piles, pile) {
  if (pile.colour === "ALL") return { picked, wrong: "nine_all" };
  if (picked.has(pile.kind)) return { picked: without(picked, (kind) => kind === pile.kind), wrong: "" };
  const rest = without(picked, (kind) => piles.get(kind)?.colour === pile.colour);
  return { picked: rest.set(pile.kind, 1), wrong: "" };
}

/**
 * @param {Asked} asked
 * @param {Picked} picked
 * @param {Pile} pile
 */
function pickOneMore(asked, picked, pile) {
  const now = picked.get(pile.kind) ?? 0;
  if (now < pile.count && total(picked) < asked.need)
    return { picked: new Map(picked).set(pile.kind, now + 1), wrong: "" };
  if (now) return { picked: without(picked, (kind) => kind === pile.kind), wrong: "" };
  return { picked, wrong: "enough" };
}

/**
 * @param {Picked} picked
 * @param {(kind: string) => boolean} isGone
 */
const without = (picked, isGone) => new Map([...picked].filter(([kind]) => !isGone(kind)));

/**
 * The move that is chosen, or null while something is missing. more: the players chosen (seats), the kind named, and
 * which hand goes to which seat.
 * @param {Asked} asked
 * @param {Picked} picked
 * @param {{ seats: number[], kind?: string | null, deal: HandDeal }} more
 * @returns {Move | null}
 */
export function compose(asked, picked, more) {
  if (!asked.mine) return null;
  const copies = [...picked].flatMap(([kind, count]) => Array(count).fill(kind));
  const isWhole = copies.length === asked.need;
  if (asked.nine) return copies.length === 9 ? { nine: copies } : null;
  switch (asked.phase) {
    case "discard":
      return isWhole ? { discard: copies } : null;
    case "give":
      return isWhole && more.seats.length === 1 ? { give: copies, to: more.seats[0] } : null;
    case "swap":
      return more.seats.length === 2 ? { swap: more.seats } : null;
    case "name":
      return more.kind ? { name: more.kind } : null;
    case "sigma":
      return isDeal(more.deal) ? more.deal : null;
  }
  if (!picked.size) return null;
  const [[kind, count]] = picked;
  if (asked.phase === "reaction" || asked.phase === "win") return { react: kind };
  return count > 1 ? { play: kind, n: count } : { play: kind };
}

/**
 * The play that is chosen for my next turn, or null.
 * @param {Asked} asked
 * @param {Picked} picked
 * @returns {Move | null}
 */
export function plan(asked, picked) {
  if (asked.mine || !asked.plans || !picked.size) return null;
  const [[kind, count]] = picked;
  return count > 1 ? { play: kind, n: count } : { play: kind };
}

/**
 * Whether a planned move can be made in this turn, as far as the page knows.
 * @param {Asked} asked
 * @param {Move} move
 * @param {Move[]} offered moves that have a button of their own
 */
export function isPossible(asked, move, offered) {
  if (!asked.mine || asked.phase !== "turn") return false;
  if (typeof move.play === "string") return (asked.plays[move.play] ?? 0) >= Number(move.n ?? 1);
  return offered.some((other) => "draw" in other && "draw" in move);
}

const MUTE = ["draw", "accept", "fold"]; // moves with which nothing can be called

/**
 * The move with the call for the last card added, unless it only takes cards or lets a window pass.
 * @param {string} phase
 * @param {Move} move
 */
export function call(phase, move) {
  const isMute = MUTE.some((verb) => verb in move) || ("decline" in move && ["reaction", "win"].includes(phase));
  return isMute ? move : { ...move, call: true };
}

/**
 * Whether every player gets exactly one hand, and half of a hand goes to another player.
 * @param {HandDeal} deal
 */
const isDeal = ({ sigma, from, to }) => new Set(sigma).size === sigma.length && from !== to;
