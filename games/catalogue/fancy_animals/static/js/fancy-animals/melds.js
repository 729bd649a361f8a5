// Fancy Animals: what is a meld, what a table pays for. Pure, for instant answers; the server decides.

const SUITS = ["L", "G", "M", "C"];

/** "7LG:G" or "hand-G-1:7" → name, number, suit, and the suits it can be (a wild: one, and any number). */
export function parse(word) {
  const [name, meaning] = word.split(":");
  if (name.includes("-")) return { word, name, number: Number(meaning), suit: name.split("-")[1], suits: [name.split("-")[1]], wild: true };
  const [, number, pair] = /^(\d+)(\w\w)$/.exec(name);
  return { word, name, number: Number(number), suit: meaning ?? pair[0], suits: [...pair], wild: false };
}

export const spell = (piece) => (piece.wild ? `${piece.name}:${piece.number}` : `${piece.name}:${piece.suit}`);

/** null for a meld, else what is missing: a key of the words, and what it names. */
export function findFault(words, { top, loop }) {
  const pieces = words.map(parse);
  if (pieces.length < 3) return { fault: "few" };
  const numbers = new Set(pieces.map((piece) => piece.number));
  if (numbers.size === 1) return findSetFault(pieces);
  return findRunFault(pieces, top, loop);
}

function findSetFault(pieces) {
  const suit = SUITS.find((each) => pieces.filter((piece) => piece.suit === each).length > 1);
  return suit ? { fault: "same", suit } : null;
}

function findRunFault(pieces, top, loop) {
  const counts = SUITS.map((suit) => pieces.filter((piece) => piece.suit === suit).length);
  const main = SUITS[counts.indexOf(Math.max(...counts))];
  const stray = pieces.find((piece) => piece.suit !== main);
  if (stray && (Math.max(...counts) === pieces.length - 1 || new Set(pieces.map((piece) => piece.number)).size === pieces.length)) {
    return { fault: "stray", card: stray.number, suit: main };
  }
  if (stray) return { fault: "neither" };
  for (let i = 1; i < pieces.length; i += 1) {
    const [before, after] = [pieces[i - 1].number, pieces[i].number];
    if (pieces.findIndex((piece) => piece.number === after) < i) return { fault: "twice", number: after };
    if (after !== before + 1 && !(loop && before === top && after === 1)) return { fault: "gap", number: (before % top) + 1 };
  }
  return null;
}

/** The same pieces as a run or set if they can be one, suits turned and wilds filled in; else by number as they are. */
export function arrange(words, rules) {
  const pieces = words.map(parse);
  const sets = asSet(pieces);
  const runs = SUITS.map((suit) => asRun(pieces, suit, rules));
  const kept = (found) => found.filter((word) => words.includes(word)).length;
  const best = [sets, ...runs].filter((found) => found && !findFault(found, rules)).sort((one, other) => kept(other) - kept(one))[0];
  if (best) return best;
  const part = pieces.length < 3 ? [sets, ...runs].filter(Boolean).sort((one, other) => kept(other) - kept(one))[0] : null;
  return part ?? [...pieces].sort((one, other) => one.number - other.number).map(spell);
}

function asSet(pieces) {
  const number = pieces.find((piece) => !piece.wild)?.number;
  if (number === undefined || pieces.some((piece) => !piece.wild && piece.number !== number) || pieces.length > 4) return null;
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

function asRun(pieces, suit, { top, loop }) {
  if (pieces.length > top || pieces.some((piece) => !piece.suits.includes(suit))) return null;
  const cards = new Map();
  for (const piece of pieces.filter((each) => !each.wild)) {
    if (cards.has(piece.number)) return null;
    cards.set(piece.number, spell({ ...piece, suit }));
  }
  const wilds = pieces.filter((piece) => piece.wild);
  const staying = wilds.filter((piece) => piece.number && !cards.has(piece.number) && cards.set(piece.number, spell(piece)));
  return lineUp(cards, wilds.filter((piece) => !staying.includes(piece)), top, loop) ?? refill(pieces, wilds, suit, top, loop);
}

/** Wilds that stay where they mean something do not make a run: give them all another meaning. */
function refill(pieces, wilds, suit, top, loop) {
  const cards = new Map(pieces.filter((piece) => !piece.wild).map((piece) => [piece.number, spell({ ...piece, suit })]));
  return lineUp(cards, wilds, top, loop);
}

function lineUp(cards, wilds, top, loop) {
  const starts = cards.size ? [...cards.keys()].sort((one, other) => one - other) : [wilds[0]?.number || 1];
  for (const start of starts) {
    const free = [...wilds];
    const run = [];
    let number = start;
    for (let left = cards.size; left > 0 || free.length; number = loop ? (number % top) + 1 : number + 1) {
      if (run.length === top || number > top) break;
      if (cards.has(number) && left > 0) [left] = [left - 1, run.push(cards.get(number))];
      else if (free.length) run.push(spell({ ...free.shift(), number }));
      else break;
    }
    for (let below = start - 1; free.length && below > 0; below -= 1) run.unshift(spell({ ...free.shift(), number: below }));
    if (run.length === cards.size + wilds.length) return run;
  }
  return null;
}

/** By suit, the longest run that the table pays for; `hand`: the names that come from it this turn. */
export function findReach(melds, hand, { top, loop, mix }) {
  const reach = { L: 0, G: 0, M: 0, C: 0 };
  const runs = melds.map((meld) => meld.map(parse)).filter((pieces) => new Set(pieces.map((piece) => piece.number)).size > 1);
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

function findStretch(own, other, top, loop) {
  const numbers = other.map((piece) => piece.number);
  if (loop && numbers.length === top) return top;
  let [above, below] = [own.at(-1).number + 1, own[0].number - 1];
  if (loop) [above, below] = [above > top ? 1 : above, below || top];
  const up = numbers.includes(above) ? numbers.length - numbers.indexOf(above) : 0;
  return Math.max(up, numbers.indexOf(below) + 1);
}

/** What a wild has left without a card to stand for it, e.g. "11M"; null if all is well. */
export function findOrphan(before, after) {
  const homes = new Map(before.flat().map(parse).filter((piece) => piece.wild).map((piece) => [piece.name, piece]));
  const now = after.flat().map(parse);
  const left = {};
  for (const piece of now) {
    const old = homes.get(piece.name);
    if (old && old.number !== piece.number) left[`${old.number}${old.suit}`] = (left[`${old.number}${old.suit}`] ?? 0) + 1;
  }
  const stands = (cell) => now.filter((piece) => !piece.wild && `${piece.number}${piece.suit}` === cell).length;
  return Object.keys(left).find((cell) => stands(cell) < left[cell]) ?? null;
}

/** Where a piece can be put on. */
export function listSpots(slot, worn, cover) {
  const all = ["head", "body", "hand", "feet"];
  const free = all.filter((spot) => !(worn[spot] ?? []).length);
  const open = free.includes(slot) ? [slot] : free;
  return cover ? [...open, ...all.filter((spot) => !free.includes(spot))] : open;
}
