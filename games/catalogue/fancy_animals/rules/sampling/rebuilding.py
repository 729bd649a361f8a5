"""Samples rearrangements of a few melds with cards from the hand, by a bounded random search."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final, TypeAlias

from games.catalogue.fancy_animals.rules.cards import ALL, CARDS, FITTING, Tiles, gather_tiles, list_ids
from games.catalogue.fancy_animals.rules.melds import MAX_SET, MIN_MELD, spell_card
from games.catalogue.fancy_animals.rules.sampling.sampled_table import SampledTable, rotate_hand
from games.catalogue.fancy_animals.rules.state import State

_MAX_MELDS: Final = 2
"""Melds that are taken apart at once."""
_MAX_STEPS: Final = 16
"""Steps of the search; with the other limits it keeps a sampled move cheap."""
_MAX_FROM_HAND: Final = 3
"""Cards of the hand that are tried."""
_MAX_RUN: Final = 8
"""Cards of a run that is tried."""

Part: TypeAlias = tuple[tuple[int, int], ...]
"""A meld as (card, suit) pairs."""


def rebuild(state: State, rng: random.Random) -> SampledTable | None:
    """Some melds taken apart and put together otherwise, with cards from the hand."""
    plain = [meld for meld in state.table if not meld.tiles >> CARDS]
    if not plain:
        return None
    taken = rng.sample(plain, min(len(plain), rng.randint(1, _MAX_MELDS)))
    old = sum(meld.tiles for meld in taken)
    near = _find_near(old, rotate_hand(state, rng))
    pool = frozenset(list_ids(old)) | frozenset(near[:_MAX_FROM_HAND])
    parts = _cover(pool, frozenset(list_ids(old)), rng, [_MAX_STEPS])
    if parts is None:
        return None
    played = gather_tiles(card for part in parts for card, _ in part) & ~old
    words = tuple(tuple(spell_card(card, suit) for card, suit in part) for part in parts)
    return SampledTable(played, tuple(taken), words) if played else None


def _find_near(old: Tiles, hand: Sequence[int]) -> list[int]:
    """Cards of the hand that could lie in a run or set with one of the old ones."""
    numbers = {ALL[card].number for card in list_ids(old)}
    close = {number + step for number in numbers for step in range(1 - MIN_MELD, MIN_MELD)}
    return [card for card in hand if ALL[card].number in close]


def _cover(pool: frozenset[int], must: frozenset[int], rng: random.Random, steps: list[int]) -> list[Part] | None:
    """Melds out of the pool that hold all cards that must be used. The lowest card begins each run it is in."""
    if not must:
        return []
    steps[0] -= 1
    if steps[0] < 0:
        return None
    first = min(pool)
    choices = _list_melds(first, pool)
    rng.shuffle(choices)
    for part in choices:
        used = frozenset([card for card, _ in part])
        rest = _cover(pool - used, must - used, rng, steps)
        if rest is not None:
            return [part, *rest]
    return None if first in must else _cover(pool - {first}, must, rng, steps)


def _list_melds(first: int, pool: frozenset[int]) -> list[Part]:
    """Runs that begin with this card, and sets with it."""
    number, tiles = ALL[first].number, gather_tiles(pool)
    found: list[Part] = []
    for suit in ALL[first].suits:
        _add_runs(found, ((first, suit),), number, tiles)
    same = [card for card in pool if ALL[card].number == number and card != first]
    for size in range(MIN_MELD, MAX_SET + 1):
        for others in combinations(same, size - 1):
            part = _suit_set((first, *others), 0)
            if part:
                found.append(part)
    return found


def _add_runs(found: list[Part], run: Part, number: int, tiles: Tiles) -> None:
    """This run up to the number, if it is one, and all that go on from it."""
    length = len(run)
    if length >= MIN_MELD:
        found.append(run)
    suit = run[0][1]
    fits = FITTING[number + 1][suit] & tiles
    if fits and length < _MAX_RUN:
        for card in list_ids(fits):
            _add_runs(found, (*run, (card, suit)), number + 1, tiles)


def _suit_set(same: Sequence[int], used: int) -> Part | None:
    """The cards with different suits, if they have them; used: the suits that are taken."""
    if not same:
        return ()
    for suit in ALL[same[0]].suits:
        if not used >> suit & 1 and (rest := _suit_set(same[1:], used | 1 << suit)) is not None:
            return ((same[0], suit), *rest)
    return None
