// The rules of melds: which cards make a run or a set, and what the table pays for. Pure. The server decides.

/**
 * A card, or a piece of clothing that lies in a meld as a wild.
 * @typedef {object} Piece
 * @property {string} word "7LG:G": its name, and the suit it counts as; "hand-G-1:7": a wild, and its number
 * @property {string} name
 * @property {number} number 0 or NaN for a wild that stands for nothing yet
 * @property {string} suit
 * @property {string[]} suits that it can be
 * @property {boolean} wild
 */

/**
 * @typedef {{ top: number, loop: boolean, mix?: boolean }} Rules
 *   `top`: the highest number; `loop`: runs continue from it with 1; `mix`: two runs together may pay for clothing
 */

/**
 * @typedef {{ fault: string, number?: number, suit?: string, card?: number }} Fault
 *   what is wrong with a meld: a key of the texts, and the values that the text names
 */

const SUITS = ["L", "G", "M", "C"];

/**
 * Reads "7LG:G" (a card, and the suit it counts as) or "hand-G-1:7" (a wild, and the number it stands for).
 * @param {string} word
 * @returns {Piece}
 */
export function parse(word) {
  const [name, meaning] = word.split(":");
  if (name.includes("-"))
    return { word, name, number: Number(meaning), suit: name.split("-")[1], suits: [name.split("-")[1]], wild: true };
  const [, number = "", pair = ""] = /^(\d+)(\w\w)$/.exec(name) ?? [];
  return { word, name, number: Number(number), suit: meaning ?? pair[0], suits: [...pair], wild: false };
}

/**
 * Compares cards by number, then by suit. This is also the server's order.
 * @param {string} first name of a card
 * @param {string} second
 */
export function compareNumbers(first, second) {
  const [a, b] = [parse(first), parse(second)];
  return a.number - b.number || compareEach(a.suits, b.suits);
}

/**
 * Compares cards by the upper suit, then by number.
 * @param {string} first name of a card
 * @param {string} second
 */
export function compareSuits(first, second) {
  const [a, b] = [parse(first), parse(second)];
  return SUITS.indexOf(a.suits[0]) - SUITS.indexOf(b.suits[0]) || a.number - b.number || compareEach(a.suits, b.suits);
}

/**
 * @param {string[]} suits
 * @param {string[]} others
 */
function compareEach(suits, others) {
  const [a, b] = [suits, others].map((all) => all.map((suit) => SUITS.indexOf(suit)));
  return a[0] - b[0] || a[1] - b[1];
}

/** @param {Piece} piece */
export const spell = (piece) => (piece.wild ? `${piece.name}:${piece.number}` : `${piece.name}:${piece.suit}`);

/**
 * What is wrong with these words as a meld; null for a valid one.
 * @param {string[]} words
 * @param {{ top: number, loop: boolean }} rules
 * @returns {Fault | null}
 */
export function findFault(words, { top, loop }) {
  const pieces = words.map(parse);
  if (pieces.length < 3) return { fault: "few" };
  const numbers = new Set(pieces.map((piece) => piece.number));
  if (numbers.size === 1) return findSetFault(pieces);
  return findRunFault(pieces, top, loop);
}

/**
 * @param {Piece[]} pieces
 * @returns {Fault | null}
 */
function findSetFault(pieces) {
  const suit = SUITS.find((each) => pieces.filter((piece) => piece.suit === each).length > 1);
  return suit ? { fault: "same", suit } : null;
}

/**
 * @param {Piece[]} pieces
 * @param {number} top
 * @param {boolean} loop
 * @returns {Fault | null}
 */
function findRunFault(pieces, top, loop) {
  const counts = SUITS.map((suit) => pieces.filter((piece) => piece.suit === suit).length);
  const main = SUITS[counts.indexOf(Math.max(...counts))];
  const stray = pieces.find((piece) => piece.suit !== main);
  if (stray && (
    Math.max(...counts) === pieces.length - 1 || new Set(pieces.map((piece) => piece.number)).size === pieces.length)) {
    return { fault: "stray", card: stray.number, suit: main };
  }
  if (stray) return { fault: "neither" };
  for (let i = 1; i < pieces.length; i += 1) {
    const [before, after] = [pieces[i - 1].number, pieces[i].number];
    if (pieces.findIndex((piece) => piece.number === after) < i) return { fault: "twice", number: after };
    if (after !== before + 1 && !(loop && before === top && after === 1))
      return { fault: "gap", number: (before % top) + 1 };
  }
  return null;
}

/**
 * Arranges pieces as a run or set if they can be one, with cards turned and wilds set; otherwise sorts them by number.
 * @param {string[]} words
 * @param {Rules} rules
 * @returns {string[]}
 */
export function arrange(words, rules) {
  const pieces = words.map(parse);
  const sets = asSet(pieces);
  const runs = SUITS.map((suit) => asRun(pieces, suit, rules));
  const kept = (/** @type {string[]} */ found) => found.filter((word) => words.includes(word)).length;
  const ways = [sets, ...runs].filter((found) => found !== null).sort((a, b) => kept(b) - kept(a));
  const best = ways.find((found) => !findFault(found, rules));
  if (best) return best;
  const part = pieces.length < 3 ? ways[0] : null;
  return part ?? [...pieces].sort((a, b) => a.number - b.number).map(spell);
}

/**
 * @param {Piece[]} pieces
 * @returns {string[] | null}
 */
function asSet(pieces) {
  const number = pieces.find((piece) => !piece.wild)?.number;
  if (number === undefined || pieces.some((piece) => !piece.wild && piece.number !== number) || pieces.length > 4)
    return null;
  /** @type {(left: Piece[], used: string[]) => string[] | null} */
  const turn = (left, used) => {
    if (!left.length) return [];
    const [piece, ...rest] = left;
    for (const suit of [piece.suit, ...piece.suits]) {
      if (used.includes(suit)) continue;
      const others = turn(rest, [...used, suit]);
      if (others) return [spell({ ...piece, suit, number }), ...others];
    }
    return null;
  };
  return turn(pieces, []);
}

/**
 * @param {Piece[]} pieces
 * @param {string} suit
 * @param {Rules} rules
 * @returns {string[] | null}
 */
function asRun(pieces, suit, { top, loop }) {
  if (pieces.length > top || pieces.some((piece) => !piece.suits.includes(suit))) return null;
  /** @type {Map<number, string>} */
  const cards = new Map();
  for (const piece of pieces.filter((each) => !each.wild)) {
    if (cards.has(piece.number)) return null;
    cards.set(piece.number, spell({ ...piece, suit }));
  }
  const wilds = pieces.filter((piece) => piece.wild);
  const staying =
    wilds.filter((piece) => piece.number && !cards.has(piece.number) && cards.set(piece.number, spell(piece)));
  return lineUp(cards, wilds.filter((piece) => !staying.includes(piece)), top, loop)
    ?? refill(pieces, wilds, suit, top, loop);
}

/**
 * Tries a run in which all wilds get a new number, because there is none with their present numbers.
 * @param {Piece[]} pieces
 * @param {Piece[]} wilds
 * @param {string} suit
 * @param {number} top
 * @param {boolean} loop
 */
function refill(pieces, wilds, suit, top, loop) {
  /** @type {Map<number, string>} */
  const cards =
    new Map(pieces.filter((piece) => !piece.wild).map((piece) => [piece.number, spell({ ...piece, suit })]));
  return lineUp(cards, wilds, top, loop);
}

/**
 * @param {Map<number, string>} cards
 * @param {Piece[]} wilds
 * @param {number} top
 * @param {boolean} loop
 * @returns {string[] | null}
 */
function lineUp(cards, wilds, top, loop) {
  const starts = cards.size ? [...cards.keys()].sort((a, b) => a - b) : [wilds[0]?.number || 1];
  for (const start of starts) {
    const free = [...wilds];
    /** @type {string[]} */
    const run = [];
    let number = start;
    for (let left = cards.size; left > 0 || free.length; number = loop ? (number % top) + 1 : number + 1) {
      if (run.length === top || number > top) break;
      const card = left > 0 ? cards.get(number) : undefined;
      const wild = card ? undefined : free.shift();
      if (card) [left] = [left - 1, run.push(card)];
      else if (wild) run.push(spell({ ...wild, number }));
      else break;
    }
    for (let below = start - 1; below > 0; below -= 1) {
      const wild = free.shift();
      if (!wild) break;
      run.unshift(spell({ ...wild, number: below }));
    }
    if (run.length === cards.size + wilds.length) return run;
  }
  return null;
}

/**
 * By suit, the length of the longest run that pays for clothing. `hand`: the names of the cards played in this turn.
 * @param {string[][]} melds
 * @param {string[]} hand
 * @param {Rules} rules
 * @returns {Record<string, number>}
 */
export function findReach(melds, hand, { top, loop, mix }) {
  /** @type {Record<string, number>} */
  const reach = { L: 0, G: 0, M: 0, C: 0 };
  const runs = melds.map((meld) => meld.map(parse))
    .filter((pieces) => new Set(pieces.map((piece) => piece.number)).size > 1);
  for (const run of runs) reach[run[0].suit] = Math.max(reach[run[0].suit], run.length);
  if (!mix) return reach;
  for (const own of runs.filter((run) => run.every((piece) => hand.includes(piece.name)))) {
    for (const other of runs.filter((run) => run[0].suit !== own[0].suit)) {
      const length = Math.min(top, own.length + findStretch(own, other, top, loop));
      for (const run of [own, other]) reach[run[0].suit] = Math.max(reach[run[0].suit], length);
    }
  }
  return reach;
}

/**
 * @param {Piece[]} own
 * @param {Piece[]} other
 * @param {number} top
 * @param {boolean} loop
 */
function findStretch(own, other, top, loop) {
  const numbers = other.map((piece) => piece.number);
  if (loop && numbers.length === top) return top;
  let [above, below] = [own[own.length - 1].number + 1, own[0].number - 1];
  if (loop) [above, below] = [above > top ? 1 : above, below || top];
  const up = numbers.includes(above) ? numbers.length - numbers.indexOf(above) : 0;
  return Math.max(up, numbers.indexOf(below) + 1);
}

/**
 * The card whose place a moved wild leaves empty, e.g. "11M"; null if there is none.
 * @param {string[][]} before
 * @param {string[][]} after
 * @returns {string | null}
 */
export function findOrphan(before, after) {
  const wilds = before.flat().map(parse).filter((piece) => piece.wild);
  const homes = new Map(wilds.map((piece) => [piece.name, piece]));
  const now = after.flat().map(parse);
  /** @type {Record<string, number>} */
  const left = {};
  for (const piece of now) {
    const old = homes.get(piece.name);
    if (old && old.number !== piece.number)
      left[`${old.number}${old.suit}`] = (left[`${old.number}${old.suit}`] ?? 0) + 1;
  }
  const stands = (/** @type {string} */ cell) =>
    now.filter((piece) => !piece.wild && `${piece.number}${piece.suit}` === cell).length;
  return Object.keys(left).find((cell) => stands(cell) < left[cell]) ?? null;
}

/**
 * The spots where a piece can be worn.
 * @param {string} slot
 * @param {Record<string, string[]>} worn
 * @param {boolean} cover
 */
export function listSpots(slot, worn, cover) {
  const all = ["head", "body", "hand", "feet"];
  const free = all.filter((spot) => !(worn[spot] ?? []).length);
  const open = free.includes(slot) ? [slot] : free;
  return cover ? [...open, ...all.filter((spot) => !free.includes(spot))] : open;
}
