"""The books that this process has read: each tournament is read on from where it was left."""

from __future__ import annotations

from tournaments.flow.recent import Recent
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Tournament

_books: Recent[str, tuple[str, Book]] = Recent(32)
"""By tournament: one of 300 people is a few MB."""


def read(tournament: Tournament, stamp: str = "") -> Book:
    """The tournament as it is now, to be looked at only. stamp: of which present; the same one is not read again."""
    known = _books.get(tournament.pk)
    if known is not None and stamp and known[0] == stamp:
        return known[1]
    book = open_book(tournament, known=known[1] if known else None)
    _books.put(tournament.pk, (stamp, book))
    return book


def forget_all() -> None:
    """Keep nothing (between tests)."""
    _books.clear()
