"""Completes a sampled table to a move: clothing is claimed, or put back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from games.catalogue.fancy_animals.rules.cards import Tiles, list_ids, write_words
from games.catalogue.fancy_animals.rules.claims import (
    SPECIAL_RULES,
    find_longest_runs,
    list_offer,
    list_spots,
    take_off,
)
from games.catalogue.fancy_animals.rules.clothing import BY_ID, SLOTS
from games.catalogue.fancy_animals.rules.melds import Meld, read_meld
from games.catalogue.fancy_animals.rules.sampling.sampled_table import SampledTable, Words
from games.catalogue.fancy_animals.rules.scoring import Worn
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Move

_CLAIM_SHARE: Final = 0.8
"""Probability of a claim where one is paid for. Set by hand, like the next one: random games must see both cases."""
_RETURN_SHARE: Final = 0.3
"""Probability of putting offered clothing back where that is allowed."""


def finish_activation(state: State, words: Words, rng: random.Random) -> Move:
    """One of the special rules that are off, for this set; if all are on, the set is played."""
    off = [rule for rule in SPECIAL_RULES if rule not in state.active]
    if not off:
        return finish_play(state, SampledTable(read_meld(words, state.top, state.loop).tiles, (), (words,)), rng)
    rule = rng.choice(off)
    move: dict[str, object] = {"activate": rule, "set": list(words)}
    if rule == "return" or "return" in state.active:
        _maybe_return(state, move, rng)
    return move


def finish_play(state: State, draft: SampledTable, rng: random.Random) -> Move:
    """The draft as a move, mostly with a claim if something is paid for."""
    left = [meld for meld in state.table if meld not in draft.taken]
    laid = [read_meld(words, state.top, state.loop) for words in draft.laid]
    move: dict[str, object] = {
        "play": write_words(draft.cards),
        "table": [list(meld.words) for meld in (*left, *laid)],
    }
    if draft.wilds:
        move["wilds"] = [BY_ID[piece].word for piece in list_ids(draft.wilds)]
    worn = take_off(state.worn[state.turn], draft.wilds)
    paid = _list_paid(state, [*left, *laid], draft.cards)
    if worn is not None and paid and rng.random() < _CLAIM_SHARE:
        _claim(state, worn, rng.choice(paid), move, rng)
    if "claim" not in move and "return" in state.active:
        _maybe_return(state, move, rng)
    return move


def _list_paid(state: State, melds: Sequence[Meld], played: Tiles) -> list[int]:
    reach = find_longest_runs(melds, played, top=state.top, active=state.active)
    return [piece for piece in list_offer(state.clothing) if BY_ID[piece].length <= reach[BY_ID[piece].suit]]


def _claim(state: State, worn: Worn, piece: int, move: dict[str, object], rng: random.Random) -> None:
    spots = list_spots(piece, worn, state.active)
    if spots:
        move |= {"claim": BY_ID[piece].word, "spot": SLOTS[rng.choice(spots)]}


def _maybe_return(state: State, move: dict[str, object], rng: random.Random) -> None:
    offer = list_offer(state.clothing)
    if offer and rng.random() < _RETURN_SHARE:
        move["return"] = BY_ID[rng.choice(offer)].word
