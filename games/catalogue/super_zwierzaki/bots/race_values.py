"""Values moves against a single opponent, in turns: those the hand needs afterwards, less those the opponent loses.

Only who is out first counts there, however many cards are left.

The weights were set by hand; what they bring is in docs/performance.md, *How strong bots are*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.catalogue.super_zwierzaki.bots.hand_values import (
    WIN,
    count_average_turns,
    count_discards,
    count_turns,
    count_turns_after_drawing,
    keep_best,
    mask_tops,
    rate_card,
)
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, NUMBERS
from games.rules.base import Move, View


class Weights(NamedTuple):
    """What counts how much, in turns."""

    block: float = 5.0
    """A card that the other could not answer whatever they hold, rather than one that they always can."""
    follow: float = 3.0
    """Another card of mine that could be played on the one that is played now."""
    duel: float = 2.0
    """Each card that can be thrown into a duel that is begun."""


WEIGHTS: Final = Weights()


def value_draw(view: View) -> float:
    """Drawing a card."""
    return -count_turns_after_drawing(view["mine"]["hand"])


def value_race(view: View, move: Move, weights: Weights = WEIGHTS) -> float:
    """A play of cards of one kind."""
    kind, count = KINDS[NUMBERS[move["play"]]], move.get("n", 1)
    rest = list(view["mine"]["hand"])
    for _ in range(count):
        rest.remove(move["play"])
    if not rest:
        return WIN
    other: int = view["hand_sizes"][1 - view["seat"]]
    value = count_turns_lost(other, kind.function, count) - weights.block * rate_card(kind.number)
    if any(mask_tops(NUMBERS[word]) >> 4 * kind.number & 1 for word in rest):
        value += weights.follow
    if kind.function in ("Oth", "Giv"):
        able = sum(KINDS[NUMBERS[word]].function in (kind.function, "Red") for word in rest)
        value += weights.duel * (able - 0.5)
    if kind.function == "War":
        return value + _value_war(rest, other, count)
    keep_best(rest, count_discards(kind.function, count, len(rest)))
    return value - count_turns(rest)


def count_turns_lost(size: int, function: str, count: int) -> float:
    """Turns that the other, who has so many cards, loses by what they have to draw, or cannot play."""
    if function == "Dem":
        return _count_turns_more(size, 1)
    if function in ("Red", "Orc"):
        return 0.8 * _count_turns_more(size, {"Red": 2, "Orc": 3}[function] * count)
    return float(count) if function == "Stp" else 0.0


def _count_turns_more(size: int, drawn: int) -> float:
    return 1 + count_average_turns(size + drawn) - count_average_turns(size)


def _value_war(rest: Sequence[str], other: int, count: int) -> float:
    """Swapping hands with the opponent, with two cards for half of the hand; a single card may not be worth it."""
    got = other if count == 1 else (other + 1) // 2
    gain = count_average_turns(len(rest)) - count_average_turns(got)
    return gain - count_average_turns(got)
