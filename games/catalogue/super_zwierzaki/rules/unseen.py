"""Deals the cards that a viewer does not see anew.

Respected is what a view shows: their own hand, sizes, the top card, the cards of the play, reactions and duel.
Not respected is what they could remember (cards they gave or put under the top one) or conclude.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from games.catalogue.super_zwierzaki.rules.kinds import count_cards, list_cards, pack_hand
from games.catalogue.super_zwierzaki.rules.state import State
from games.rules.base import Seat
from games.rules.chance import Chance


def reshuffle(state: State, seat: Seat | None, rng: random.Random) -> State:
    """Other hidden hands, another draw pile and heap, another seed."""
    unseen = [kind for other, hand in enumerate(state.hands) if other != seat for kind in list_cards(hand)]
    unseen += [*state.pile, *state.heap]
    rng.shuffle(unseen)
    deal = _Dealer(unseen)
    hands = tuple(
        hand if other == seat else pack_hand(deal.take(count_cards(hand))) for other, hand in enumerate(state.hands)
    )
    pile, heap = bytes(deal.take(len(state.pile))), bytes(deal.take(len(state.heap)))
    return state._replace(hands=hands, pile=pile, heap=heap, chance=Chance(rng.randbytes(32)))


@dataclass
class _Dealer:
    """Takes cards off a list."""

    left: list[int]

    def take(self, count: int) -> list[int]:
        """The next so many."""
        taken, self.left = self.left[:count], self.left[count:]
        return taken
