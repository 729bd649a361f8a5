"""The exchange before a deal: class privilege in Karriere Poker, cashing in in Animal Poker.

Equal cards are the same card, so nobody chooses and all gifts are taken from the hands as dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.catalogue.climbing.rules import cards
from games.catalogue.climbing.rules.cards import Hand
from games.catalogue.climbing.rules.state import Gift
from games.rules.base import BadSetup, Seat


def exchange_cards(
    hands: Sequence[Hand], order: Sequence[Seat], counts: Sequence[int]
) -> tuple[tuple[Hand, ...], tuple[Gift, ...]]:
    """The hands by place after the exchange, and the gifts.

    counts: how many cards the first place exchanges with the last, the second with the last but one …
    Raises BadSetup if a hand is too small.
    """
    after = list(hands)
    gifts: list[Gift] = []
    for upper, count in enumerate(counts):
        lower = len(hands) - 1 - upper
        _check_size(hands, order, (upper, lower), count)
        up, down = cards.take_highest(hands[lower], count), cards.take_lowest(hands[upper], count)
        after[upper] += up - down
        after[lower] += down - up
        gifts += [Gift(order[lower], order[upper], up), Gift(order[upper], order[lower], down)]
    return tuple(after), tuple(gifts)


def undo_exchange(hands: Sequence[Hand], order: Sequence[Seat], gifts: Sequence[Gift]) -> tuple[Hand, ...]:
    """The hands by place as they were dealt."""
    before = list(hands)
    for gift in gifts:
        before[order.index(gift.giver)] += gift.cards
        before[order.index(gift.taker)] -= gift.cards
    return tuple(before)


def _check_size(hands: Sequence[Hand], order: Sequence[Seat], places: tuple[int, int], count: int) -> None:
    for place in places:
        if cards.count_cards(hands[place]) < count:
            raise BadSetup(
                "Seat %(seat)s has too few cards for the exchange. It needs at least %(count)s.",
                seat=order[place],
                count=count,
            )
