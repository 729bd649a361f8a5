"""The books that this process has read: each tournament is read on from where it was left."""

from __future__ import annotations

import threading
from collections import OrderedDict

from tournaments.flow.book import Book, open_book
from tournaments.models import Tournament

KEPT = 32
"""Tournaments that a process remembers: one of 300 people is a few MB."""
_books: OrderedDict[str, tuple[str, Book]] = OrderedDict()
_lock = threading.Lock()


def read(tournament: Tournament, stamp: str = "") -> Book:
    """The tournament as it is now, to be looked at only. stamp: of which present; the same one is not read again."""
    known = _books.get(tournament.pk)
    if known is not None and stamp and known[0] == stamp:
        return known[1]
    book = open_book(tournament, known=known[1] if known else None)
    with _lock:
        _books[tournament.pk] = (stamp, book)
        _books.move_to_end(tournament.pk)
        while len(_books) > KEPT:
            _books.popitem(last=False)
    return book


def forget_all() -> None:
    """Keep nothing (between tests)."""
    with _lock:
        _books.clear()
