"""Values plays against several opponents, in cards: shed now, playable next time, and drawn by others.

When one of them wins, places go by the cards that are left: so few cards count, and not only the last one.

The numbers were set by hand; what they bring is in docs/performance.md, *How strong bots are*.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from games.catalogue.super_zwierzaki.bots.hand_values import mask_tops, rate_card
from games.catalogue.super_zwierzaki.rules.kinds import KINDS, NUMBERS, WHOLE, Mask, count_cards
from games.rules.base import Move, View

WIN: Final = 100.0
"""Of a play that leaves no card."""


class Weights(NamedTuple):
    """What counts how much, in cards."""

    keep: float = 4.0
    """Playing a card that nothing lets one play rather than one that can always be played: the others keep for later,
    and the next player can seldom answer it."""
    cover: float = 1.0
    """Being able to play next time whatever lies there, against never."""
    follow: tuple[float, ...] = (0.5, 0.4, 0.3, 0.2, 0.2, 0.15, 0.15)
    """With one other player, two …: how much of that is decided by the card that is played now."""
    attack: float = 1.0
    """A card that the next player has to draw, shared by the number of others."""
    demand: float = 1.5
    """A demand: nearly all others draw a card instead of playing one."""
    near: float = 1.0
    """Added to an attack on a next player with `NEAR` cards or fewer."""
    duel: float = 1.0
    """Each card that can be thrown into a duel that is begun."""
    spare: float = 0.5
    """What it costs to part with a teal or a woodpecker while nobody is near the end."""


WEIGHTS: Final = Weights()
NEAR: Final = 2
"""Cards in hand, or fewer, with which a player is close to the end. Set by hand."""
_DEFENCES: Final = frozenset({"Cyr", "Dzi"})


def value_play(view: View, move: Move, weights: Weights = WEIGHTS) -> float:
    """A play of cards of one kind."""
    kind, count = KINDS[NUMBERS[move["play"]]], move.get("n", 1)
    rest = list(view["mine"]["hand"])
    for _ in range(count):
        rest.remove(move["play"])
    if not rest:
        return WIN
    left = len(rest)
    shed = count + count_combination(count, left)
    value = shed + _value_function(view, kind.function, count, left, rest, weights)
    value += weights.cover * rate_hand(view, tuple(sorted(rest)), kind, weights)
    value += weights.keep * (1 - rate_card(kind.number))
    if kind.function in _DEFENCES and min(view["hand_sizes"]) > NEAR:
        value -= weights.spare
    return float(value)


def count_combination(count: int, left: int) -> int:
    """Cards that the combination gets rid of: of two one, of three or four half, of five all but one."""
    half = (left + 1) // 2
    return (0, 0, min(1, left), half, half, left - 1)[count]


def rate_hand(view: View, rest: tuple[str, ...], played: Any, weights: Weights) -> float:
    """How likely one of these cards can be played next time, 0 … 1, when this card was played now."""
    share = weights.follow[len(view["hand_sizes"]) - 2]
    return share * _follows(rest, played.number) + (1 - share) * cover_deck(rest)


@lru_cache(maxsize=1 << 14)
def cover_deck(words: tuple[str, ...]) -> float:
    """The share of the deck on which one of these cards could be played."""
    mask: Mask = 0
    for word in words:
        mask |= mask_tops(NUMBERS[word])
    return count_cards(WHOLE & 7 * mask) / count_cards(WHOLE)


def _follows(rest: tuple[str, ...], number: int) -> float:
    """The share of what may lie on this card by then that one of these could be played on, itself counted double."""
    nexts = mask_tops(number)
    mask: Mask = 0
    for word in rest:
        mask |= mask_tops(NUMBERS[word])
    onto_it = 1.0 if mask >> 4 * number & 1 else 0.0
    onto_next = count_cards(WHOLE & 7 * (mask & nexts)) / count_cards(WHOLE & 7 * nexts)
    return (onto_it + onto_next) / 2


def _value_function(view: View, function: str, count: int, left: int, rest: list[str], weights: Weights) -> float:
    """What the function is worth."""
    sizes, me = view["hand_sizes"], view["seat"]
    others = [size for seat, size in enumerate(sizes) if seat != me]
    if function in ("Pol", "Kaz"):
        return (left + 1) / 2
    if function == "War":
        smallest = min(others)
        return float(max(left - (smallest if count == 1 else (smallest + 1) // 2), 0))
    if function in ("Oth", "Giv"):
        able = sum(KINDS[NUMBERS[word]].function in (function, "Red", "Cyr") for word in rest)
        return weights.duel * (able - 0.5)
    if function == "Dem":
        return weights.demand
    drawn = {"Red": 2, "Orc": 3, "Stp": 1}.get(function, 0) * count
    if drawn:
        near = weights.near if sizes[view["order"][1]] <= NEAR else 0.0
        return weights.attack * drawn / len(others) + near
    return 0.0
