"""The books that this process remembers: of a tournament only what has changed since is read."""

from __future__ import annotations

from games.memo import Memo
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Tournament

_books: Memo[str, tuple[str, Book]] = Memo("books", 32)
"""Tournament → the stamp of what its pages show, and its book: one of 300 people is a few MB."""


def read(tournament: Tournament, stamp: str = "") -> Book:
    """The tournament as it is now; not to be changed. stamp: of what its pages show; the same one is not read again."""
    cached = _books.get(tournament.pk)
    if cached is not None and stamp and cached[0] == stamp:
        return cached[1]
    book = open_book(tournament, known=cached[1] if cached else None)
    _books.put(tournament.pk, (stamp, book))
    return book
