"""Deals the cards that a viewer does not see anew.

Stays: what the viewer sees (their hand, the table, clothing on offer and worn, sizes of hands and decks). Shuffled as
well, though a viewer may remember it: clothing that was put to the bottom of its deck.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.fancy_animals.rules.cards import gather_tiles, list_ids
from games.catalogue.fancy_animals.rules.clothing import OFFERED
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Seat
from games.rules.chance import Chance


def reshuffle(state: State, seat: Seat | None, rng: random.Random) -> State:
    """A state with the same view: other cards in hidden hands and in the decks, another seed."""
    pool = [card for other, hand in enumerate(state.hands) if other != seat for card in list_ids(hand)]
    pool += state.deck
    rng.shuffle(pool)
    hands = []
    for other, hand in enumerate(state.hands):
        if other != seat:
            size = hand.bit_count()
            hand, pool = gather_tiles(pool[:size]), pool[size:]
        hands.append(hand)
    return state._replace(
        chance=Chance(rng.randbytes(32)),
        hands=tuple(hands),
        deck=tuple(pool),
        clothing=tuple(_shuffle_hidden(deck, rng) for deck in state.clothing),
    )


def _shuffle_hidden(deck: Sequence[int], rng: random.Random) -> tuple[int, ...]:
    hidden = list(deck[OFFERED:])
    rng.shuffle(hidden)
    return (*deck[:OFFERED], *hidden)
