"""Samples additions to melds on the table: a card, clothing after it, or a card for a wild that moves elsewhere."""

from __future__ import annotations

import random
from typing import Final

from games.catalogue.fancy_animals.rules.cards import CARDS, FITTING, SUITS, Tiles, list_ids
from games.catalogue.fancy_animals.rules.melds import MAX_SET, Meld, read_meld, spell_card, spell_wild
from games.catalogue.fancy_animals.rules.sampling.sampled_table import SampledTable, Words, find_next_number, pick_wild
from games.catalogue.fancy_animals.rules.state import State

_ALL_SUITS: Final = frozenset(range(len(SUITS)))


def add(state: State, rng: random.Random) -> SampledTable | None:
    """A card at the end of a run, or to a set of three."""
    hand, table = state.hands[state.turn], state.table
    top, loop = state.top, state.loop
    first = int(rng.random() * len(table))
    for meld in (*table[first:], *table[:first]):
        found = _extend_run(meld, hand, top, loop) if meld.is_run else _extend_set(meld, hand)
        if found is not None:
            return SampledTable(1 << found[0], (meld,), (found[1],))
    return None


def _extend_run(meld: Meld, hand: Tiles, top: int, loop: bool) -> tuple[int, Words] | None:
    if len(meld.words) == top:
        return None
    before, after = meld.pieces[0].number - 1, meld.pieces[-1].number + 1
    if loop:
        before, after = before or top, after if after <= top else 1
    fits = FITTING[after][meld.suit] & hand
    if fits:
        card = list_ids(fits)[0]
        return card, (*meld.words, spell_card(card, meld.suit))
    fits = FITTING[before][meld.suit] & hand
    if fits:
        card = list_ids(fits)[0]
        return card, (spell_card(card, meld.suit), *meld.words)
    return None


def _extend_set(meld: Meld, hand: Tiles) -> tuple[int, Words] | None:
    if len(meld.words) == MAX_SET:
        return None
    (free,) = _ALL_SUITS - {piece.suit for piece in meld.pieces}
    fits = FITTING[meld.pieces[0].number][free] & hand
    if not fits:
        return None
    card = list_ids(fits)[0]
    return card, (*meld.words, spell_card(card, free))


def dress_table(state: State, rng: random.Random) -> SampledTable | None:
    """A card that makes a run longer, and clothing after it."""
    draft = add(state, rng)
    if draft is None:
        return None
    meld = read_meld(draft.laid[0], state.top, state.loop)
    wild = pick_wild(state, meld.suit) if meld.is_run else None
    following = find_next_number(meld.pieces[-1].number, state)
    if wild is None or following > state.top or len(meld.words) == state.top:
        return draft
    return draft._replace(laid=((*meld.words, spell_wild(wild, following)),), wilds=1 << wild)


def replace_wild(state: State, rng: random.Random) -> SampledTable | None:
    """A card in the place of a wild, which goes to the end of that or another run."""
    if not state.tiles >> CARDS:
        return None
    hand = state.hands[state.turn]
    for meld in state.table:
        if not meld.tiles >> CARDS:
            continue
        for at, piece in enumerate(meld.pieces):
            fits = FITTING[piece.number][piece.suit] & hand if piece.is_wild else 0
            if fits:
                card = list_ids(fits)[int(rng.random() * fits.bit_count())]
                words = (*meld.words[:at], spell_card(card, piece.suit), *meld.words[at + 1 :])
                draft = _place_wild(state, meld, words, piece.id, piece.suit)
                if draft is not None:
                    return draft._replace(cards=1 << card)
    return None


def _place_wild(state: State, meld: Meld, words: Words, wild: int, suit: int) -> SampledTable | None:
    changed = read_meld(words, state.top, state.loop)
    for target in (changed, *(other for other in state.table if other is not meld)):
        following = find_next_number(target.pieces[-1].number, state)
        if target.suit == suit and following <= state.top and len(target.words) < state.top:
            longer = (*target.words, spell_wild(wild, following))
            if target is changed:
                return SampledTable(0, (meld,), (longer,))
            return SampledTable(0, (meld, target), (words, longer))
    return None
