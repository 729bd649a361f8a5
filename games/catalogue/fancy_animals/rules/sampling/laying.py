"""Samples new melds from the hand: a set, or a run, now and then with a piece of clothing in it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.catalogue.fancy_animals.rules.cards import ALL, CARDS, OF_SUIT, SUITS
from games.catalogue.fancy_animals.rules.melds import MAX_SET, MIN_MELD, read_meld, spell_card, spell_wild
from games.catalogue.fancy_animals.rules.sampling.sampled_table import SampledTable, Words, pick_wild, rotate_hand
from games.catalogue.fancy_animals.rules.state import State

_OWN_CARDS = (1 << CARDS) - 1


def lay_set(state: State, rng: random.Random) -> SampledTable | None:
    """A set from the hand."""
    words = find_set(state, rng)
    return SampledTable(read_meld(words, state.top, state.loop).tiles, (), (words,)) if words else None


def find_set(state: State, rng: random.Random) -> Words | None:
    """The words of a set that lies in the hand."""
    by_number: dict[int, list[int]] = {}
    for card in rotate_hand(state, rng):
        by_number.setdefault(ALL[card].number, []).append(card)
    for same in by_number.values():
        if len(same) >= MIN_MELD:
            words = _assign_suits(same[: MAX_SET - (rng.random() < 0.5)], 0) or _assign_suits(same[:MIN_MELD], 0)
            if words:
                return words
    return None


def _assign_suits(same: Sequence[int], used: int) -> Words | None:
    """Cards of one number with different suits, if they have them; used: the suits that are taken."""
    if not same:
        return ()
    for suit in ALL[same[0]].suits:
        if not used >> suit & 1 and (rest := _assign_suits(same[1:], used | 1 << suit)) is not None:
            return (spell_card(same[0], suit), *rest)
    return None


def lay_run(state: State, rng: random.Random) -> SampledTable | None:
    """A run from the hand."""
    hand, top, loop = rotate_hand(state, rng), state.top, state.loop
    for suit in rng.sample(range(len(SUITS)), len(SUITS)):
        own = {ALL[card].number: card for card in hand if OF_SUIT[suit] >> card & 1}
        wild = pick_wild(state, suit) if rng.random() < 0.5 else None
        if len(own) < MIN_MELD - (wild is not None):
            continue
        for start in own:
            run = _walk(start, own, wild, top=top, loop=loop)
            if len(run) >= MIN_MELD:
                return _split_run(run, suit, rng)
    return None


def _walk(start: int, own: dict[int, int], wild: int | None, *, top: int, loop: bool) -> dict[int, int]:
    """Number → tile, upwards as far as it goes; the wild fills the first gap."""
    run: dict[int, int] = {}
    number = start
    while number not in run and len(run) < top:
        if number in own:
            run[number] = own[number]
        elif wild is not None and number <= top:
            run[number] = wild
            wild = None
        else:
            break
        number = number % top + 1 if loop else number + 1
    return run


def _split_run(run: dict[int, int], suit: int, rng: random.Random) -> SampledTable:
    """The run, or a part of it from its beginning on."""
    kept = list(run.items())[: rng.randint(MIN_MELD, len(run))]
    tiles = sum(1 << tile for _, tile in kept)
    words = tuple(spell_card(tile, suit) if tile < CARDS else spell_wild(tile, number) for number, tile in kept)
    return SampledTable(tiles & _OWN_CARDS, (), (words,), tiles & ~_OWN_CARDS)
