"""Bots of Fancy Animals. They see their view and nothing else.

`random` plays a sampled move. `steady` adds to what lies there, or lays a run or a set, and takes the best piece
that this pays for; it never takes the table apart. `sharp` does: sharp.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.catalogue.fancy_animals.bots.completing import complete_view
from games.catalogue.fancy_animals.bots.reasons import explain
from games.catalogue.fancy_animals.bots.sharp import choose_sharply, write_solution
from games.catalogue.fancy_animals.rules.cards import ALL, FITTING, ID_OF, SUITS, Tiles, gather_tiles, list_ids
from games.catalogue.fancy_animals.rules.claims import find_longest_runs, list_spots, put_on
from games.catalogue.fancy_animals.rules.clothing import BY_ID, BY_WORD, SLOTS
from games.catalogue.fancy_animals.rules.melds import MIN_MELD, Meld, read_meld, spell_card
from games.catalogue.fancy_animals.rules.scoring import Worn, score
from games.catalogue.fancy_animals.rules.solving.best import find_best
from games.catalogue.fancy_animals.rules.solving.problem import Problem
from games.rules.base import Move, View

__all__ = ["choose", "complete_view", "explain", "find_hint"]

_FULL_HAND = 11
"""Cards in hand from which on `steady` lays something rather than draws. Set by hand, two below the hand limit."""


class BotPosition(NamedTuple):
    """A view in the types of the rules. worn: what the bot's own animal wears."""

    hand: Tiles
    table: tuple[Meld, ...]
    worn: Worn
    animal: str
    offer: tuple[int, ...]
    active: tuple[str, ...]
    top: int
    can_draw: bool


class PlannedPlay(NamedTuple):
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
    position = read_view(view)
    if level == "sharp":
        return choose_sharply(view, Problem(position.table, position.hand, *position[2:7]))
    return _choose_steadily(position)


def find_hint(view: View) -> Move | None:
    """One of the best plays for who sees this view; None if nothing can be played."""
    position = read_view(view)
    found = find_best(Problem(position.table, position.hand, *position[2:7]))
    return None if found is None else write_solution(found)


def read_view(view: View) -> BotPosition:
    """The view as a position of the bot."""
    loop = "loop" in view["active"]
    return BotPosition(
        hand=gather_tiles(ID_OF[word] for word in view["hand"]),
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


def _choose_steadily(position: BotPosition) -> Move:
    plays = [_add_best_claim(position, play) for play in _list_plays(position)]
    best = max(plays, key=lambda play: (play.gain, -play.cards.bit_count()), default=None)
    is_crowded = not position.can_draw or position.hand.bit_count() >= _FULL_HAND
    if best is not None and (best.gain > 0 or is_crowded):
        return write_move(best)
    return {"draw": True} if position.can_draw else {"pass": True}


def write_move(play: PlannedPlay) -> Move:
    """The plan as a move."""
    move: dict[str, object] = {
        "play": [ALL[card].word for card in list_ids(play.cards)],
        "table": [list(meld.words) for meld in play.table],
    }
    if play.claim is not None:
        move |= {"claim": BY_ID[play.claim].word, "spot": SLOTS[play.spot]}
    return move


def _add_best_claim(position: BotPosition, play: PlannedPlay) -> PlannedPlay:
    """The plan with the claim that brings most."""
    reach = find_longest_runs(play.table, play.cards, top=position.top, active=position.active)
    before = score(position.worn, position.animal)
    for piece in position.offer:
        if BY_ID[piece].length > reach[BY_ID[piece].suit]:
            continue
        for spot in list_spots(piece, position.worn, position.active):
            gain = score(put_on(position.worn, piece, spot), position.animal) - before
            if gain > play.gain:
                play = play._replace(claim=piece, spot=spot, gain=gain)
    return play


def _list_plays(position: BotPosition) -> Iterator[PlannedPlay]:
    for at, meld in enumerate(position.table):
        rest = position.table[:at] + position.table[at + 1 :]
        for cards, words in _list_additions(position, meld):
            yield PlannedPlay(cards, (*rest, _read_meld(position, words)))
    for cards, words in (*_list_runs(position), *_list_sets(position)):
        yield PlannedPlay(cards, (*position.table, _read_meld(position, words)))


def _read_meld(position: BotPosition, words: Sequence[str]) -> Meld:
    return read_meld(tuple(words), position.top, "loop" in position.active)


def _list_additions(position: BotPosition, meld: Meld) -> Iterator[tuple[Tiles, tuple[str, ...]]]:
    if not meld.is_run:
        free = [suit for suit in range(len(SUITS)) if all(piece.suit != suit for piece in meld.pieces)]
        fits = FITTING[meld.pieces[0].number][free[0]] & position.hand if free else 0
        if fits:
            card = list_ids(fits)[0]
            yield 1 << card, (*meld.words, spell_card(card, free[0]))
        return
    words, cards = meld.words, 0
    numbers = {piece.number for piece in meld.pieces}
    for step in (1, -1):
        number = meld.pieces[-1 if step == 1 else 0].number + step
        while number not in numbers and (fits := _find_fitting(position, number, meld.suit) & ~cards):
            card = list_ids(fits)[0]
            cards |= 1 << card
            numbers.add(number)
            words = (*words, spell_card(card, meld.suit)) if step == 1 else (spell_card(card, meld.suit), *words)
            yield cards, words
            number += step


def _find_fitting(position: BotPosition, number: int, suit: int) -> Tiles:
    """The cards of the hand for this place of a run; none beyond its ends."""
    return FITTING[number][suit] & position.hand if 0 < number <= position.top else 0


def _list_runs(position: BotPosition) -> Iterator[tuple[Tiles, tuple[str, ...]]]:
    for suit in range(len(SUITS)):
        for start in range(1, position.top - 1):
            cards: Tiles = 0
            words: tuple[str, ...] = ()
            number = start
            while number <= position.top and (fits := FITTING[number][suit] & position.hand):
                card = list_ids(fits)[0]
                cards |= 1 << card
                words = (*words, spell_card(card, suit))
                number += 1
                if len(words) >= MIN_MELD:
                    yield cards, words


def _list_sets(position: BotPosition) -> Iterator[tuple[Tiles, tuple[str, ...]]]:
    for number in range(1, position.top + 1):
        for out in range(len(SUITS)):
            cards: Tiles = 0
            words: tuple[str, ...] = ()
            for suit in range(len(SUITS)):
                fits = FITTING[number][suit] & position.hand & ~cards if suit != out else 0
                if fits:
                    card = list_ids(fits)[-1]
                    cards |= 1 << card
                    words = (*words, spell_card(card, suit))
            if len(words) >= MIN_MELD:
                yield cards, words
