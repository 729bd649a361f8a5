"""Expected turns to play out a hand, solved as a Markov decision process over four classes of cards.

A card can be played on a certain share of the deck: some on a tenth, birds on a third, and a few on everything. In a
turn each card can be played with that probability; then one of those is played, or a card is drawn. So the last card
counts most: a card of the first class takes ten times as many turns to get rid of as a bird. It can be right to draw
rather than to play a card that will be needed at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from games.catalogue.super_zwierzaki.rules.kinds import (
    ALL,
    CYR,
    EVERY_COLOUR,
    KINDS,
    LOWEST,
    NUMBERS,
    OF_CLASS,
    OF_COLOUR,
    WHOLE,
    Mask,
    count_cards,
)

Counts: TypeAlias = tuple[int, ...]

WIN: Final = 1000.0
"""The value of a play that leaves no card, above that of any other."""
"""Cards of each class, hardest to play first."""

LIMITS: Final = (0.2, 0.28, 0.9)
"""Shares of the deck that part the classes. Set by hand."""
MAX_CARDS: Final = 8
"""Cards up to which hands are solved; each further one adds `TURNS_MORE`."""
TURNS_MORE: Final = 1.3
"""Turns for a further card, and for a card that must be drawn. Set by hand."""
_SWEEPS: Final = 60
"""Passes over all hands in which their turns are computed anew from each other."""


class Solution(NamedTuple):
    """turns: of each hand up to `MAX_CARDS`; average: by number of cards; drawn: share of the deck of each class."""

    turns: dict[Counts, float]
    average: tuple[float, ...]
    drawn: tuple[float, ...]


@lru_cache
def rate_card(number: int) -> float:
    """The share of the deck on which this card can be played."""
    return count_cards(WHOLE & 7 * mask_tops(number)) / count_cards(WHOLE)


@lru_cache
def mask_tops(number: int) -> Mask:
    """The kinds on which this one can be played."""
    kind = KINDS[number]
    if CYR >> 4 * number & 1 or kind.colour == EVERY_COLOUR:
        return LOWEST
    return OF_COLOUR[kind.colour] | OF_CLASS[kind.group] | ALL


@lru_cache
def find_class(word: str) -> int:
    """The class of a card."""
    share = rate_card(NUMBERS[word])
    return sum(share > limit for limit in LIMITS)


def count_classes(words: Iterable[str]) -> Counts:
    """The cards of each class."""
    counts = [0] * (len(LIMITS) + 1)
    for word in words:
        counts[find_class(word)] += 1
    return tuple(counts)


def count_turns(words: Iterable[str]) -> float:
    """Turns that this hand needs."""
    return _look_up(count_classes(words))


def count_turns_after_drawing(words: Iterable[str]) -> float:
    """The same with one more card that is not known yet."""
    counts = count_classes(words)
    return sum(share * _look_up(_add_cards(counts, at, 1)) for at, share in enumerate(solve().drawn))


def count_average_turns(size: int) -> float:
    """Turns of a hand of which only the number of cards is known."""
    average = solve().average
    most = len(average) - 1
    return average[min(size, most)] + TURNS_MORE * max(0, size - most)


def count_discards(function: str, count: int, left: int) -> int:
    """Cards that a play gets rid of besides itself: half by its function, and what its combination adds."""
    gone = (left + 1) // 2 if function in ("Pol", "Kaz") else 0
    left -= gone
    half = (left + 1) // 2
    return gone + (0, 0, min(1, left), half, half, max(0, left - 1))[count]


def keep_best(rest: list[str], discards: int) -> None:
    """Take the cards out that are hardest to play."""
    rest.sort(key=lambda word: -rate_card(NUMBERS[word]))
    del rest[len(rest) - discards :]


def _look_up(counts: Counts) -> float:
    extra = max(0, sum(counts) - MAX_CARDS)
    left, at = extra, 0
    while left:  # what is hardest to play can wait longest
        if counts[at]:
            counts = _add_cards(counts, at, -1)
            left -= 1
        else:
            at += 1
    return solve().turns[counts] + TURNS_MORE * extra


def _add_cards(counts: Counts, at: int, change: int) -> Counts:
    return (*counts[:at], counts[at] + change, *counts[at + 1 :])


@cache
def solve() -> Solution:
    """Value iteration over all hands up to `MAX_CARDS`, from the smallest up."""
    chances, drawn = _measure_classes()
    size = len(chances)
    hands = [hand for hand in product(range(MAX_CARDS + 1), repeat=size) if 0 < sum(hand) <= MAX_CARDS]
    hands.sort(key=sum)
    turns: dict[Counts, float] = {(0,) * size: 0.0, **{hand: 10.0 * sum(hand) for hand in hands}}
    for _ in range(_SWEEPS):
        for hand in hands:
            turns[hand] = _improve(hand, turns, chances, drawn)
    return Solution(turns, _average(turns, drawn), drawn)


def _improve(hand: Counts, turns: dict[Counts, float], chances: tuple[float, ...], drawn: tuple[float, ...]) -> float:
    """One turn, then as many as are known so far: the best card that can be played, or a draw if that is better."""
    if sum(hand) < MAX_CARDS:
        stuck = sum(share * turns[_add_cards(hand, at, 1)] for at, share in enumerate(drawn))
    else:
        stuck = turns[hand] + TURNS_MORE
    options = sorted((turns[_add_cards(hand, at, -1)], at) for at, count in enumerate(hand) if count)
    value, left = 1.0, 1.0
    for after, at in options:
        if after >= stuck:
            break
        can = 1 - (1 - chances[at]) ** hand[at]
        value += left * can * after
        left *= 1 - can
    return value + left * stuck


def _measure_classes() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By class, the mean share of the deck on which its cards can be played, and its share of the deck."""
    copies = [0.0] * (len(LIMITS) + 1)
    shares = [0.0] * (len(LIMITS) + 1)
    for number, kind in KINDS.items():
        at = find_class(kind.word)
        copies[at] += kind.copies
        shares[at] += kind.copies * rate_card(number)
    total = sum(copies)
    return tuple(s / c for s, c in zip(shares, copies, strict=True)), tuple(c / total for c in copies)


def _average(turns: dict[Counts, float], drawn: tuple[float, ...]) -> tuple[float, ...]:
    """The mean turns of drawn hands, by number of cards."""
    weights: dict[Counts, float] = {(0,) * len(drawn): 1.0}
    found = []
    for _ in range(MAX_CARDS + 1):
        found.append(sum(weight * turns[hand] for hand, weight in weights.items()))
        more: dict[Counts, float] = {}
        for hand, weight in weights.items():
            for at, share in enumerate(drawn):
                after = _add_cards(hand, at, 1)
                more[after] = more.get(after, 0.0) + weight * share
        weights = more
    return tuple(found[: MAX_CARDS + 1])
