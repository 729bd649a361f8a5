"""Checks a proposed table: valid melds, no card lost, foreign or doubled, and removed wilds replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.catalogue.fancy_animals.rules.cards import ALL, CARDS, Tiles, list_ids
from games.catalogue.fancy_animals.rules.clothing import BY_ID
from games.catalogue.fancy_animals.rules.melds import PIECES, Meld, explain_double, read_meld
from games.catalogue.fancy_animals.rules.names import name_piece, name_tile
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import IllegalMove
from games.rules.phrases import PhraseList

_MAX_NAMED = 8


def read_table(state: State, table: Sequence[Any], *, played: Tiles, wilds: Tiles) -> tuple[Meld, ...]:
    """The melds after a move that lays these cards and wilds on the table. Raises IllegalMove."""
    top, loop = state.top, state.loop
    try:
        melds = tuple([read_meld(tuple(words), top, loop) for words in table])
    except TypeError:  # something in it is no word: a list, an object
        raise IllegalMove("A meld must be a list of cards such as “7LG:G”.") from None
    union = total = 0
    for meld in melds:
        union |= meld.tiles
        total += meld.tiles
    wanted = state.tiles | played | wilds
    if not union == total == wanted:
        raise _explain_tiles(melds, union, wanted, state.tiles)
    if state.tiles >> CARDS:
        _check_wilds(state.table, melds)
    return melds


def spell_tile(tile: int) -> str:
    """The word of a card or clothing."""
    return ALL[tile].word if tile < CARDS else BY_ID[tile].word


def _explain_tiles(melds: Sequence[Meld], union: Tiles, wanted: Tiles, before: Tiles) -> IllegalMove:
    foreign, missing = union & ~wanted, wanted & ~union
    if foreign:
        return IllegalMove(
            "These cards were not on the table, and you do not play them: %(cards)s.", cards=_name_tiles(foreign)
        )
    if missing & before:
        return IllegalMove(
            "These cards were on the table and must stay there: %(cards)s.", cards=_name_tiles(missing & before)
        )
    if missing:
        return IllegalMove("You play these cards, but they are in no meld: %(cards)s.", cards=_name_tiles(missing))
    counts = Counter(piece.id for meld in melds for piece in meld.pieces)
    return explain_double(counts.most_common(1)[0][0])


def _name_tiles(tiles: Tiles) -> PhraseList:
    ids = list_ids(tiles)
    names: list[str] = [name_tile(tile) for tile in ids[:_MAX_NAMED]]
    return PhraseList(names if len(ids) <= _MAX_NAMED else [*names, "…"])


def _check_wilds(before: Sequence[Meld], after: Sequence[Meld]) -> None:
    """As many material cards stand for what wilds no longer stand for, as wilds have left it."""
    if before == after:
        return
    meant = {piece.id: piece for meld in before for piece in meld.pieces if piece.id >= CARDS}
    left: Counter[tuple[int, int]] = Counter()
    for meld in after:
        if meld.tiles >> CARDS:
            for piece in meld.pieces:
                old = meant.get(piece.id)
                if old is not None and old.number != piece.number:
                    left[old.number, old.suit] += 1
    for (number, suit), count in left.items():
        stand = sum(
            piece.number == number and piece.suit == suit and piece.id < CARDS
            for meld in after
            for piece in meld.pieces
        )
        if stand < count:
            gone = next(old for old in meant.values() if (old.number, old.suit) == (number, suit))
            raise IllegalMove(
                "A wild no longer stands for %(card)s. At least as many material cards must now stand "
                "for it as wilds have left it.",
                card=name_piece(gone.number, gone.suit),
            )


def is_same_table(actual: Sequence[Sequence[str]], wanted: object) -> bool:
    """Whether two tables, as lists of words, hold the same melds: in any order, the cards of a set in any order too."""
    if not isinstance(wanted, list) or not all(isinstance(meld, list) for meld in wanted):
        return False
    try:
        return Counter(_sort_meld(meld) for meld in actual) == Counter(_sort_meld(meld) for meld in wanted)
    except TypeError:
        return False


def _sort_meld(words: Sequence[str]) -> tuple[str, ...]:
    pieces = [PIECES.get(word) for word in words]
    is_set = len({piece.number if piece else 0 for piece in pieces}) == 1
    return tuple(sorted(words) if is_set else words)
