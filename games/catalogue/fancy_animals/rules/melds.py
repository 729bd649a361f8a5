"""Melds (runs and sets): parsing them, with an error that says what is wrong with an invalid one.

A piece is a card or clothing on the table, with what it stands for: "7LG:G" is a 7 of gem, "hand-G-1:7" too.
Source: fancy-animals.md, Melds and Notation.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from games.catalogue.fancy_animals.rules import cards, clothing
from games.catalogue.fancy_animals.rules.cards import CARDS, HIGHEST, SUITS, Tiles
from games.catalogue.fancy_animals.rules.names import name_card, name_clothing, name_piece, name_suit, name_tile
from games.rules.base import IllegalMove, quote
from games.rules.phrases import PhraseList

MIN_MELD: Final = 3
MAX_SET: Final = 4
NO_SUIT: Final = -1


class Piece(NamedTuple):
    """What lies on the table. name: the card's or clothing's own word; id: its id; suit: a place in SUITS."""

    word: str
    name: str
    id: int
    number: int
    suit: int

    @property
    def is_wild(self) -> bool:
        """Whether it is clothing."""
        return self.id >= CARDS


class Meld(NamedTuple):
    """A valid meld. suit: of a run, NO_SUIT for a set; tiles: what it consists of."""

    words: tuple[str, ...]
    pieces: tuple[Piece, ...]
    tiles: Tiles
    suit: int

    @property
    def is_run(self) -> bool:
        """Whether it is a run; otherwise it is a set."""
        return self.suit != NO_SUIT


def _make_pieces() -> dict[str, Piece]:
    own = [
        Piece(f"{card.word}:{SUITS[suit]}", card.word, card.id, card.number, suit)
        for card in cards.ALL
        for suit in card.suits
    ]
    wild = [
        Piece(f"{piece.word}:{number}", piece.word, piece.id, number, piece.suit)
        for piece in clothing.BY_ID.values()
        for number in range(1, HIGHEST + 1)
    ]
    return {piece.word: piece for piece in (*own, *wild)}


PIECES: Final = _make_pieces()
"""Every word that can stand on a table."""
_CARD_WORDS: Final = {(piece.id, piece.suit): piece.word for piece in PIECES.values() if not piece.is_wild}


def spell_card(card: int, suit: int) -> str:
    """The word of a card on the table that counts as this suit: "7LG:G"."""
    return _CARD_WORDS[card, suit]


def spell_wild(clothing_id: int, number: int) -> str:
    """The word of clothing on the table that stands for this number: "hand-G-1:7"."""
    return f"{clothing.BY_ID[clothing_id].word}:{number}"


@lru_cache(maxsize=1 << 16)
def read_meld(words: tuple[str, ...], top: int, loop: bool) -> Meld:
    """The meld of these words, a run low to high. Raises IllegalMove that names the meld and the fault."""
    pieces = tuple([_read_piece(word, top) for word in words])
    tiles = 0
    for piece in pieces:
        tiles |= 1 << piece.id
    _check_size(pieces)
    if tiles.bit_count() < len(pieces):
        raise explain_double(Counter(piece.id for piece in pieces).most_common(1)[0][0])
    suits = {piece.suit for piece in pieces}
    if all(piece.number == pieces[0].number for piece in pieces):
        if len(suits) < len(pieces):
            raise _explain_set(pieces)
        return Meld(words, pieces, tiles, NO_SUIT)
    if len(suits) > 1:
        raise _explain_suits(pieces)
    _check_run(pieces, top, loop)
    return Meld(words, pieces, tiles, pieces[0].suit)


def _read_piece(word: object, top: int) -> Piece:
    piece = PIECES.get(word) if isinstance(word, str) else None
    if piece is not None and piece.number <= top:
        return piece
    name, colon, meaning = word.partition(":") if isinstance(word, str) else ("", "", "")
    if colon and name in clothing.BY_WORD:
        raise IllegalMove(
            "This clothing must stand for a number from 1 to %(top)s, not for “%(number)s”: %(clothing)s.",
            clothing=name_clothing(clothing.BY_WORD[name].id),
            top=top,
            number=quote(meaning),
        )
    if colon and name in cards.ID_OF and cards.ALL[cards.ID_OF[name]].number <= top:
        suit = name_suit(SUITS.index(meaning)) if meaning in tuple(SUITS) else quote(meaning)
        raise IllegalMove("The card %(card)s cannot count as “%(suit)s”.", card=name_card(cards.ID_OF[name]), suit=suit)
    raise IllegalMove("“%(card)s” is not a card of this game.", card=quote(word))


def _name_meld(pieces: tuple[Piece, ...]) -> PhraseList:
    """A meld in a sentence: "5G 6G 7G"."""
    return PhraseList([name_piece(piece.number, piece.suit) for piece in pieces[:HIGHEST]] or ["–"])


def _check_size(pieces: tuple[Piece, ...]) -> None:
    if len(pieces) < MIN_MELD:
        raise IllegalMove(
            "A run or a set has at least %(least)s cards. This meld is too small: %(meld)s.",
            meld=_name_meld(pieces),
            least=MIN_MELD,
        )


def explain_double(tile: int) -> IllegalMove:
    """The error for a card or clothing that a table has twice."""
    return IllegalMove("There is only one of this, but it is on the table twice: %(card)s.", card=name_tile(tile))


def _explain_set(pieces: tuple[Piece, ...]) -> IllegalMove:
    suit, _ = Counter(piece.suit for piece in pieces).most_common(1)[0]
    return IllegalMove(_TWICE_IN_SET[suit].template, meld=_name_meld(pieces))


def _explain_suits(pieces: tuple[Piece, ...]) -> IllegalMove:
    (suit, count), *_ = Counter(piece.suit for piece in pieces).most_common()
    if count == len(pieces) - 1 or len({piece.number for piece in pieces}) == len(pieces):
        stray = next(piece for piece in pieces if piece.suit != suit)
        return IllegalMove(
            _STRAY_IN_RUN[suit].template, meld=_name_meld(pieces), card=name_piece(stray.number, stray.suit)
        )
    return IllegalMove(
        "This meld is neither a run (one material, consecutive numbers) nor a set (one number, different "
        "materials): %(meld)s.",
        meld=_name_meld(pieces),
    )


def _check_run(pieces: tuple[Piece, ...], top: int, loop: bool) -> None:
    if len({piece.number for piece in pieces}) < len(pieces):
        raise _explain_twice(pieces)
    for before, after in pairwise(pieces):
        if after.number != before.number + 1 and not (loop and before.number == top and after.number == 1):
            raise _explain_gap(pieces, before.number, top, loop)


def _explain_twice(pieces: tuple[Piece, ...]) -> IllegalMove:
    number, _ = Counter(piece.number for piece in pieces).most_common(1)[0]
    return IllegalMove("This run has the number %(number)s twice: %(meld)s.", meld=_name_meld(pieces), number=number)


def _explain_gap(pieces: tuple[Piece, ...], before: int, top: int, loop: bool) -> IllegalMove:
    numbers = sorted(piece.number for piece in pieces)
    meld = _name_meld(pieces)
    round_the_corner = zip(numbers, (*numbers[1:], numbers[0]), strict=True)
    breaks = sum((after - before) % top != 1 for before, after in round_the_corner)
    if numbers[-1] - numbers[0] == len(numbers) - 1 or (loop and breaks <= 1):
        return IllegalMove("The cards of a run must be in order, from low to high: %(meld)s.", meld=meld)
    if before == top and not loop:
        return IllegalMove(
            "A run ends at %(top)s. It can go on with 1 only when the special rule “Loop” is active: %(meld)s.",
            meld=meld,
            top=top,
        )
    return IllegalMove("In this run, the number %(number)s is missing: %(meld)s.", meld=meld, number=before % top + 1)


_TWICE_IN_SET: Final = (
    IllegalMove("Each card of a set must be of a different material. This set has leather twice: %(meld)s."),
    IllegalMove("Each card of a set must be of a different material. This set has gem twice: %(meld)s."),
    IllegalMove("Each card of a set must be of a different material. This set has metal twice: %(meld)s."),
    IllegalMove("Each card of a set must be of a different material. This set has cloth twice: %(meld)s."),
)
_STRAY_IN_RUN: Final = (
    IllegalMove("In this run, %(card)s must count as leather, like the others: %(meld)s."),
    IllegalMove("In this run, %(card)s must count as gem, like the others: %(meld)s."),
    IllegalMove("In this run, %(card)s must count as metal, like the others: %(meld)s."),
    IllegalMove("In this run, %(card)s must count as cloth, like the others: %(meld)s."),
)
