"""The table that a sampled move will leave, and helpers of all samplers."""

from __future__ import annotations

import random
from typing import NamedTuple, TypeAlias

from games.catalogue.fancy_animals.rules.cards import Tiles, list_ids
from games.catalogue.fancy_animals.rules.clothing import BY_ID
from games.catalogue.fancy_animals.rules.melds import Meld
from games.catalogue.fancy_animals.rules.state import State

Words: TypeAlias = tuple[str, ...]


class SampledTable(NamedTuple):
    """A new table. cards, wilds: laid from hand and animal; taken: melds that are gone; laid: the words of new ones."""

    cards: Tiles
    taken: tuple[Meld, ...]
    laid: tuple[Words, ...]
    wilds: Tiles = 0


def rotate_hand(state: State, rng: random.Random) -> tuple[int, ...]:
    """The hand from any card on, and round to it again: a shuffle would cost more than the move."""
    hand = list_ids(state.hands[state.turn])
    first = int(rng.random() * len(hand))
    return hand[first:] + hand[:first]


def pick_wild(state: State, suit: int) -> int | None:
    """A piece of this material that the animal could lay."""
    for pile in state.worn[state.turn]:
        if pile and BY_ID[pile[-1]].suit == suit:
            return pile[-1]
    return None


def find_next_number(number: int, state: State) -> int:
    """The number that follows in a run; beyond the top number without `loop`."""
    return number % state.top + 1 if state.loop else number + 1
