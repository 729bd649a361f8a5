"""Values moves against several opponents: by the turns that the hand needs afterwards, and by its cards.

When one of them wins, places go by the cards that are left: so few cards count, and not only who is out first.

The weights were found by self-play (the cross-entropy method) and rounded by hand. `python -m benchmarks.tuning` finds
others that are as strong. What they bring is in docs/performance.md, *How strong bots are*.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.catalogue.super_zwierzaki.bots.hand_values import (
    WIN,
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
    """What counts how much."""

    turns: float = 2.4
    """Each turn that the hand needs afterwards, shared by the number of others: one of many is seldom the first."""
    cards: float = 0.45
    """Each card that is left."""
    block: float = 5.5
    """A card that nobody can answer, rather than one that everybody always can."""
    follow: float = 0.4
    """Another card of mine that could be played on the one that is played now."""
    orc: float = 1.0
    """Each Orc. A Red or a Stop is worth nothing more than other cards: it could answer that of somebody else."""
    near: float = 0.8
    """Added to an Orc, a Red or a Stop if the next player has `NEAR` cards or fewer."""
    demand: float = 2.0
    """A demand: nearly all others draw a card instead of playing one."""
    ape: float = 1.0
    """A duel after which the others draw, and `throw_ape` for each card that can be thrown into it."""
    throw_ape: float = 0.8
    giver: float = -1.5
    """A duel whose winner gives cards away, and `throw_giver` for each card that can be thrown into it."""
    throw_giver: float = 0.7
    swap: float = 0.8
    """Each card that a swap of hands gets rid of."""
    no_swap: float = -0.6
    """A swap of hands that gets rid of none."""
    spare: float = 1.0
    """What it costs to part with a teal or a woodpecker."""


WEIGHTS: Final = Weights()
NEAR: Final = 2
"""Cards in hand, or fewer, with which a player is close to the end. Set by hand."""
_DEFENCES: Final = frozenset({"Cyr", "Dzi"})
_ATTACKS: Final = frozenset({"Red", "Orc", "Stp"})


def value_draw(view: View, weights: Weights = WEIGHTS) -> float:
    """Drawing a card."""
    hand = view["mine"]["hand"]
    return -_weigh_turn(view, weights) * count_turns_after_drawing(hand) - weights.cards * (len(hand) + 1)


def value_play(view: View, move: Move, weights: Weights = WEIGHTS) -> float:
    """A play of cards of one kind."""
    kind, count = KINDS[NUMBERS[move["play"]]], move.get("n", 1)
    rest = list(view["mine"]["hand"])
    for _ in range(count):
        rest.remove(move["play"])
    if not rest:
        return WIN
    value = weights.block * (1 - rate_card(kind.number)) + _value_function(view, kind.function, count, rest, weights)
    if any(mask_tops(NUMBERS[word]) >> 4 * kind.number & 1 for word in rest):
        value += weights.follow
    if kind.function in _DEFENCES:
        value -= weights.spare
    keep_best(rest, count_discards(kind.function, count, len(rest)))
    return value - _weigh_turn(view, weights) * count_turns(rest) - weights.cards * len(rest)


def count_combination(count: int, left: int) -> int:
    """Cards that the combination gets rid of: of two one, of three or four half, of five all but one."""
    return count_discards("", count, left)


def _weigh_turn(view: View, weights: Weights) -> float:
    return weights.turns / (len(view["hand_sizes"]) - 1)


def _value_function(view: View, function: str, count: int, rest: list[str], weights: Weights) -> float:
    """What the function is worth, apart from the cards that it gets rid of."""
    sizes, me = view["hand_sizes"], view["seat"]
    if function == "War":
        smallest = min(size for seat, size in enumerate(sizes) if seat != me)
        gain = len(rest) - (smallest if count == 1 else (smallest + 1) // 2)
        return weights.swap * gain if gain > 0 else weights.no_swap
    if function in ("Oth", "Giv"):
        able = sum(KINDS[NUMBERS[word]].function in (function, "Red", "Cyr") for word in rest)
        if function == "Oth":
            return weights.ape + weights.throw_ape * able
        return weights.giver + weights.throw_giver * able
    if function == "Dem":
        return weights.demand
    near = weights.near if function in _ATTACKS and sizes[view["order"][1]] <= NEAR else 0.0
    return near + (weights.orc * count if function == "Orc" else 0.0)
