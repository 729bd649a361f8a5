"""The cache of books: only rows that have changed since are read again."""

from __future__ import annotations

from games.memo import Memo
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Tournament

_books: Memo[str, tuple[str, Book]] = Memo("books", 32)
"""Tournament id → the stamp it was read with, and its book. 32 books: one of 300 people takes a few MB."""


def read(tournament: Tournament, stamp: str = "") -> Book:
    """The present book of a tournament, shared and not to be changed.

    stamp: changes with what the pages of the tournament show; with the same stamp as before nothing is queried.
    """
    cached = _books.get(tournament.pk)
    if cached is not None and stamp and cached[0] == stamp:
        return cached[1]
    book = open_book(tournament, earlier=cached[1] if cached else None)
    _books.put(tournament.pk, (stamp, book))
    return book
