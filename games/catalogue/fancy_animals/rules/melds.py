"""Runs and sets: what may lie on the table, and what is wrong with what may not.

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
from games.rules.base import IllegalMove, quote

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

    @property
    def short(self) -> str:
        """What it stands for, for a sentence: "7G"."""
        return f"{self.number}{SUITS[self.suit]}"


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
        raise _explain_double(pieces)
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
            "%(clothing)s must stand for a number from 1 to %(top)s, not for “%(number)s”.",
            clothing=name,
            top=top,
            number=quote(meaning),
        )
    if colon and name in cards.ID_OF and cards.ALL[cards.ID_OF[name]].number <= top:
        raise IllegalMove("The card %(card)s cannot count as “%(suit)s”.", card=name, suit=quote(meaning))
    raise IllegalMove("“%(card)s” is not a card of this game.", card=quote(word))


def say_meld(pieces: tuple[Piece, ...]) -> str:
    """A meld in a sentence: "5G 6G 7G"."""
    return " ".join(piece.short for piece in pieces[:HIGHEST])


def _check_size(pieces: tuple[Piece, ...]) -> None:
    if len(pieces) < MIN_MELD:
        raise IllegalMove(
            "The meld %(meld)s is too small: a run or a set has at least %(least)s cards.",
            meld=say_meld(pieces) or "–",
            least=MIN_MELD,
        )


def _explain_double(pieces: tuple[Piece, ...]) -> IllegalMove:
    name, _ = Counter(piece.name for piece in pieces).most_common(1)[0]
    return IllegalMove("%(card)s is on the table twice, but there is only one.", card=name)


def _explain_set(pieces: tuple[Piece, ...]) -> IllegalMove:
    suit, _ = Counter(piece.suit for piece in pieces).most_common(1)[0]
    return IllegalMove(_TWICE_IN_SET[suit].template, meld=say_meld(pieces))


def _explain_suits(pieces: tuple[Piece, ...]) -> IllegalMove:
    (suit, count), *_ = Counter(piece.suit for piece in pieces).most_common()
    if count == len(pieces) - 1 or len({piece.number for piece in pieces}) == len(pieces):
        stray = next(piece for piece in pieces if piece.suit != suit)
        return IllegalMove(_STRAY_IN_RUN[suit].template, meld=say_meld(pieces), card=stray.short)
    return IllegalMove(
        "%(meld)s is neither a run (one material, consecutive numbers) nor a set (one number, different materials).",
        meld=say_meld(pieces),
    )


def _check_run(pieces: tuple[Piece, ...], top: int, loop: bool) -> None:
    if len({piece.number for piece in pieces}) < len(pieces):
        raise _explain_twice(pieces)
    for before, after in pairwise(pieces):
        if after.number != before.number + 1 and not (loop and before.number == top and after.number == 1):
            raise _explain_gap(pieces, before.number, top, loop)


def _explain_twice(pieces: tuple[Piece, ...]) -> IllegalMove:
    number, _ = Counter(piece.number for piece in pieces).most_common(1)[0]
    return IllegalMove("The run %(meld)s has the number %(number)s twice.", meld=say_meld(pieces), number=number)


def _explain_gap(pieces: tuple[Piece, ...], before: int, top: int, loop: bool) -> IllegalMove:
    numbers = sorted(piece.number for piece in pieces)
    meld = say_meld(pieces)
    round_the_corner = zip(numbers, (*numbers[1:], numbers[0]), strict=True)
    breaks = sum((after - before) % top != 1 for before, after in round_the_corner)
    if numbers[-1] - numbers[0] == len(numbers) - 1 or (loop and breaks <= 1):
        return IllegalMove("The cards of the run %(meld)s must be in order, from low to high.", meld=meld)
    if before == top and not loop:
        return IllegalMove(
            "The run %(meld)s ends at %(top)s. It can go on with 1 only when the special rule “loop” is active.",
            meld=meld,
            top=top,
        )
    return IllegalMove("In the run %(meld)s the number %(number)s is missing.", meld=meld, number=before % top + 1)


_TWICE_IN_SET: Final = (
    IllegalMove("The set %(meld)s has leather twice. Each card must be of a different material."),
    IllegalMove("The set %(meld)s has gem twice. Each card must be of a different material."),
    IllegalMove("The set %(meld)s has metal twice. Each card must be of a different material."),
    IllegalMove("The set %(meld)s has cloth twice. Each card must be of a different material."),
)
_STRAY_IN_RUN: Final = (
    IllegalMove("In the run %(meld)s the card %(card)s must count as leather, like the others."),
    IllegalMove("In the run %(meld)s the card %(card)s must count as gem, like the others."),
    IllegalMove("In the run %(meld)s the card %(card)s must count as metal, like the others."),
    IllegalMove("In the run %(meld)s the card %(card)s must count as cloth, like the others."),
)
