// Animates cards: a played card travels from its hand to the middle, a trick from the middle to the player who won it,
// and envelopes between two players who exchange cards.

import { arrive, depart, findFace, findHand, isStill, lift } from "../table/travel.js";

const TURN_MS = 180; // between two pairs of envelopes

/**
 * @typedef {object} Play the middle before an update
 * @property {string} html
 * @property {string} [seat] who played the cards that lie there
 * @property {HTMLElement} [copy] of the trick, if the update collects it
 * @property {DOMRect} [from] where the cards of the update lie in my hand, if I play them
 */

/** @type {Play | null} */
let last = null;

const middle = () => document.getElementById("middle");

/**
 * Where the cards that I play lie in my hand, which still shows them.
 * @param {string} html of the middle after the update
 */
function findStack(html) {
  const [, seat] = /data-seat="(\d+)"/.exec(html) ?? [];
  if (seat !== document.getElementById("board")?.dataset.seat) return undefined;
  const [, card] = /<i class="c(\w+)"/.exec(html) ?? [];
  return document.querySelector(`#hand .s[data-n="${card}"]`)?.getBoundingClientRect();
}

function passEnvelopes() {
  let turn = 0;
  for (const row of document.querySelectorAll("#exchange li")) {
    for (const [from, to] of [[row.dataset.from, row.dataset.to], [row.dataset.to, row.dataset.from]]) {
      const [start, end] = [findFace(from), findFace(to)];
      const [box, goal] = [start?.getBoundingClientRect(), end?.getBoundingClientRect()];
      if (!box?.width || !goal?.width) continue; // one of the seats is hidden
      const envelope = Object.assign(document.createElement("i"), { className: "envelope flying" });
      const [left, top] = [box.left + box.width / 2 - 13, box.top + box.height / 2 - 9]; // half of its size
      Object.assign(envelope.style, { left: `${left}px`, top: `${top}px` });
      document.body.append(envelope);
      depart(envelope, end, { delay: turn * TURN_MS, isWhole: true });
    }
    turn += 1;
  }
}

document.addEventListener("menagerie:before", ({ detail }) => {
  const lying = middle();
  if (detail.id !== "middle" || !lying || isStill()) return;
  const cards = lying.querySelector(".cards");
  last = { html: lying.outerHTML, seat: lying.dataset.seat, from: findStack(detail.html) };
  if (cards && !/data-seat=/.test(detail.html)) last.copy = lift(cards);
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (detail.id !== "middle" || isStill() || middle()?.outerHTML === last?.html) return;
  const [cards, from] = [middle()?.querySelector(".cards"), findHand(middle()?.dataset.seat)];
  if (last?.copy) depart(last.copy, findFace(last.seat));
  else if (cards && from) arrive(cards, last?.from ?? from.getBoundingClientRect());
  last = null;
});

document.addEventListener("menagerie:dealt", () => {
  if (!isStill()) passEnvelopes();
});

if (!isStill() && !document.querySelector("#ceremony:not([hidden])")) passEnvelopes();
