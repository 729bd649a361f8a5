"""Dealing: from the set-up, from a supplied value, or from the game's seed, in this order."""

from __future__ import annotations

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import HAND_SIZE, Hand, Pack
from games.catalogue.climbing.rules.setup import check_sizes, read_hands
from games.catalogue.climbing.rules.state import Progress
from games.rules.base import Seat
from games.rules.chance import Chance

HANDS = "hands"
"""The name of a supplied deal."""
STREAM = "deal"
"""The random stream of a deal, counted by its number from 1."""


def deal_hands(
    progress: Progress, number: int, order: tuple[Seat, ...], *, pack: Pack, wild: str, is_ranked: bool
) -> tuple[tuple[Hand, ...], Chance]:
    """The hands by place as dealt, and what is left of chance.

    Raises BadSetup if listed or supplied hands are no deal for this order; NoChance without a seed.
    """
    terms, chance = progress.terms, progress.chance
    listed = terms.listed[number - 1] if number <= len(terms.listed) else None
    if listed is not None:
        hands = tuple(listed[seat] for seat in order)
    elif chance.is_supplied(HANDS):
        value, chance = chance.take()
        by_seat = read_hands(value, terms.seats, pack=pack, wild=wild)
        hands = tuple(by_seat[seat] for seat in order)
    else:
        return _shuffle(chance, number, order, pack=pack, wild=wild, is_ranked=is_ranked)
    check_sizes(hands, pack, is_ranked=is_ranked)
    return hands, _note_deal(chance, number, order, hands, wild) if listed is None else chance


def _shuffle(
    chance: Chance, number: int, order: tuple[Seat, ...], *, pack: Pack, wild: str, is_ranked: bool
) -> tuple[tuple[Hand, ...], Chance]:
    """Thirteen cards to each place in a row, then the extra ones to the last place or, without ranks, out of the deal.

    Before the shuffle the cards lie sorted: all ones, all twos …, the jokers.
    """
    seats = len(order)
    deck = chance.stream(STREAM, number).shuffled([cards.make_single(kind) for kind in cards.list_kinds(pack.whole)])
    hands = [sum(deck[HAND_SIZE * place : HAND_SIZE * (place + 1)]) for place in range(seats)]
    if is_ranked:
        hands[-1] += sum(deck[HAND_SIZE * seats : HAND_SIZE * seats + pack.jokers])
    return tuple(hands), _note_deal(chance, number, order, tuple(hands), wild)


def _note_deal(chance: Chance, number: int, order: tuple[Seat, ...], hands: tuple[Hand, ...], wild: str) -> Chance:
    """The first deal is part of a complete set-up; every later one is noted for explicit records."""
    if number == 1:
        return chance
    return chance.note(HANDS, [cards.write_words(hands[order.index(seat)], wild) for seat in range(len(order))])
