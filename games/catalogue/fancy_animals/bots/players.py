"""Players of Fancy Animals. They see their view and nothing else.

`random` plays a sampled move. `steady` adds to what lies there, or lays a run or a set, and takes the best piece
that this pays for; it never takes the table apart. `sharp` does: fancy_sharp.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.catalogue.fancy_animals.bots.sharp import choose_sharply, write_found
from games.catalogue.fancy_animals.rules.cards import ALL, FITTING, ID_OF, SUITS, Tiles, gather, list_ids
from games.catalogue.fancy_animals.rules.claims import find_reach, list_spots, put_on
from games.catalogue.fancy_animals.rules.clothing import BY_ID, BY_WORD, SLOTS
from games.catalogue.fancy_animals.rules.melds import LEAST, Meld, read_meld, spell_card
from games.catalogue.fancy_animals.rules.scoring import Worn, score
from games.catalogue.fancy_animals.rules.solving.best import find_best
from games.catalogue.fancy_animals.rules.solving.problem import Problem
from games.rules.base import Move, View

_CROWDED = 11  # cards in hand from which on laying something is better than drawing one more


class Seen(NamedTuple):
    """A view, as the rules' own terms have it. worn: the bot's own animal's."""

    hand: Tiles
    table: tuple[Meld, ...]
    worn: Worn
    animal: str
    offer: tuple[int, ...]
    active: tuple[str, ...]
    top: int
    can_draw: bool


class Plan(NamedTuple):
    """A table that can be laid. gain: points that its claim brings."""

    cards: Tiles
    table: tuple[Meld, ...]
    claim: int | None = None
    spot: int = 0
    gain: int = 0


def choose(view: View, legal: Sequence[Move], rng: random.Random, level: str) -> Move:
    """One of `legal`, or a move of its own."""
    if level == "random":
        return legal[rng.randrange(len(legal))]
    seen = see(view)
    if level == "sharp":
        return choose_sharply(view, Problem(seen.table, seen.hand, *seen[2:7]))
    return _choose_steadily(seen)


def find_hint(view: View) -> Move | None:
    """One of the best plays for who sees this view; None if nothing can be played."""
    seen = see(view)
    found = find_best(Problem(seen.table, seen.hand, *seen[2:7]))
    return None if found is None else write_found(found)


def see(view: View) -> Seen:
    """What the view says."""
    loop = "loop" in view["active"]
    return Seen(
        hand=gather(ID_OF[word] for word in view["hand"]),
        table=tuple(read_meld(tuple(words), view["top"], loop) for words in view["table"]),
        worn=read_worn(view["worn"][view["seat"]]),
        animal=view["animals"][view["seat"]],
        offer=tuple(BY_WORD[word].id for words in view["offer"] for word in words),
        active=tuple(view["active"]),
        top=view["top"],
        can_draw=view["can_draw"],
    )


def read_worn(worn: Mapping[str, Sequence[str]]) -> Worn:
    """What an animal wears, by spot."""
    return tuple(tuple(BY_WORD[word].id for word in worn.get(spot, ())) for spot in SLOTS)


def _choose_steadily(seen: Seen) -> Move:
    plans = [_dress(seen, plan) for plan in _list_plans(seen)]
    best = max(plans, key=lambda plan: (plan.gain, -plan.cards.bit_count()), default=None)
    is_crowded = not seen.can_draw or seen.hand.bit_count() >= _CROWDED
    if best is not None and (best.gain > 0 or is_crowded):
        return write_move(best)
    return {"draw": True} if seen.can_draw else {"pass": True}


def write_move(plan: Plan) -> Move:
    """The plan as a move."""
    move: dict[str, object] = {
        "play": [ALL[card].word for card in list_ids(plan.cards)],
        "table": [list(meld.words) for meld in plan.table],
    }
    if plan.claim is not None:
        move |= {"claim": BY_ID[plan.claim].word, "spot": SLOTS[plan.spot]}
    return move


def _dress(seen: Seen, plan: Plan) -> Plan:
    """The plan with the claim that brings most."""
    reach = find_reach(plan.table, plan.cards, top=seen.top, active=seen.active)
    before = score(seen.worn, seen.animal)
    for piece in seen.offer:
        if BY_ID[piece].length > reach[BY_ID[piece].suit]:
            continue
        for spot in list_spots(piece, seen.worn, seen.active):
            gain = score(put_on(seen.worn, piece, spot), seen.animal) - before
            if gain > plan.gain:
                plan = plan._replace(claim=piece, spot=spot, gain=gain)
    return plan


def _list_plans(seen: Seen) -> Iterator[Plan]:
    for at, meld in enumerate(seen.table):
        rest = seen.table[:at] + seen.table[at + 1 :]
        for cards, words in _list_additions(seen, meld):
            yield Plan(cards, (*rest, _read(seen, words)))
    for cards, words in (*_list_runs(seen), *_list_sets(seen)):
        yield Plan(cards, (*seen.table, _read(seen, words)))


def _read(seen: Seen, words: Sequence[str]) -> Meld:
    return read_meld(tuple(words), seen.top, "loop" in seen.active)


def _list_additions(seen: Seen, meld: Meld) -> Iterator[tuple[Tiles, tuple[str, ...]]]:
    if not meld.is_run:
        free = [suit for suit in range(len(SUITS)) if all(piece.suit != suit for piece in meld.pieces)]
        fits = FITTING[meld.pieces[0].number][free[0]] & seen.hand if free else 0
        if fits:
            card = list_ids(fits)[0]
            yield 1 << card, (*meld.words, spell_card(card, free[0]))
        return
    words, cards = meld.words, 0
    numbers = {piece.number for piece in meld.pieces}
    for step in (1, -1):
        number = meld.pieces[-1 if step == 1 else 0].number + step
        while number not in numbers and (fits := _find_fitting(seen, number, meld.suit) & ~cards):
            card = list_ids(fits)[0]
            cards |= 1 << card
            numbers.add(number)
            words = (*words, spell_card(card, meld.suit)) if step == 1 else (spell_card(card, meld.suit), *words)
            yield cards, words
            number += step


def _find_fitting(seen: Seen, number: int, suit: int) -> Tiles:
    """The cards of the hand for this place of a run; none beyond its ends."""
    return FITTING[number][suit] & seen.hand if 0 < number <= seen.top else 0


def _list_runs(seen: Seen) -> Iterator[tuple[Tiles, tuple[str, ...]]]:
    for suit in range(len(SUITS)):
        for start in range(1, seen.top - 1):
            cards: Tiles = 0
            words: tuple[str, ...] = ()
            number = start
            while number <= seen.top and (fits := FITTING[number][suit] & seen.hand):
                card = list_ids(fits)[0]
                cards |= 1 << card
                words = (*words, spell_card(card, suit))
                number += 1
                if len(words) >= LEAST:
                    yield cards, words


def _list_sets(seen: Seen) -> Iterator[tuple[Tiles, tuple[str, ...]]]:
    for number in range(1, seen.top + 1):
        for out in range(len(SUITS)):
            cards: Tiles = 0
            words: tuple[str, ...] = ()
            for suit in range(len(SUITS)):
                fits = FITTING[number][suit] & seen.hand & ~cards if suit != out else 0
                if fits:
                    card = list_ids(fits)[-1]
                    cards |= 1 << card
                    words = (*words, spell_card(card, suit))
            if len(words) >= LEAST:
                yield cards, words
