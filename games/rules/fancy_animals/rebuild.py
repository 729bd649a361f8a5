"""Putting cards together otherwise: a few melds' cards and a hand, at random, within a bounded search."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from games.rules.fancy_animals.cards import ALL, FITTING, SUITS, list_ids
from games.rules.fancy_animals.melds import LEAST, MOST_IN_SET

_MOST_STEPS: Final = 16
_MOST_FROM_HAND: Final = 3
_LONGEST: Final = 8

CHOICES: Final = tuple(tuple(list_ids(tiles) for tiles in by_suit) for by_suit in FITTING)

Part: TypeAlias = tuple[tuple[int, int], ...]
"""A meld as (card, suit) pairs."""


def rebuild(old: Sequence[int], hand: Sequence[int], rng: random.Random) -> tuple[tuple[str, ...], ...] | None:
    """New melds that use all old cards and at least one of the hand; None if the search found none in its bounds."""
    near = [card for card in hand if any(abs(ALL[card].number - ALL[other].number) < LEAST for other in old)]
    pool = frozenset(old) | frozenset(near[:_MOST_FROM_HAND])
    steps = [_MOST_STEPS]
    parts = _cover(pool, frozenset(old), rng, steps)
    if parts is None or not any(card not in old for part in parts for card, _ in part):
        return None
    return tuple(tuple(f"{ALL[card].word}:{SUITS[suit]}" for card, suit in part) for part in parts)


def _cover(pool: frozenset[int], must: frozenset[int], rng: random.Random, steps: list[int]) -> list[Part] | None:
    """Melds out of the pool that hold all cards that must be used. The lowest card begins each run it is in."""
    if not must:
        return []
    steps[0] -= 1
    if steps[0] < 0:
        return None
    first = min(pool)
    choices = list(_melds_from(first, pool))
    rng.shuffle(choices)
    for part in choices:
        used = frozenset(card for card, _ in part)
        rest = _cover(pool - used, must - used, rng, steps)
        if rest is not None:
            return [part, *rest]
    return None if first in must else _cover(pool - {first}, must, rng, steps)


def _melds_from(first: int, pool: frozenset[int]) -> Iterator[Part]:
    for suit in ALL[first].suits:
        yield from _runs_from(((first, suit),), pool, suit)
    same = [card for card in pool if card != first and ALL[card].number == ALL[first].number]
    for size in range(LEAST, MOST_IN_SET + 1):
        for others in combinations(same, size - 1):
            part = _suit_set((first, *others), 0)
            if part:
                yield part


def _runs_from(run: Part, pool: frozenset[int], suit: int) -> Iterator[Part]:
    if len(run) >= LEAST:
        yield run
    if len(run) == _LONGEST:
        return
    number = ALL[run[-1][0]].number + 1
    for card in CHOICES[number][suit]:
        if card not in pool:
            continue
        yield from _runs_from((*run, (card, suit)), pool, suit)


def _suit_set(same: Sequence[int], used: int) -> Part | None:
    if not same:
        return ()
    for suit in ALL[same[0]].suits:
        if not used >> suit & 1 and (rest := _suit_set(same[1:], used | 1 << suit)) is not None:
            return ((same[0], suit), *rest)
    return None
