"""What was made of rows, kept for as long as these are the same rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import is_
from typing import Any, TypeVar

T = TypeVar("T")

MOST = 50_000
"""Things on one shelf: a tournament of a thousand people over ten rounds needs some six a table."""


class Shelf:
    """Handed on from one reading of a tournament to the next, which takes over the rows that are as they were."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[tuple[object, ...], Any]] = {}

    def get(self, key: Hashable, made_of: tuple[object, ...], make: Callable[[], T]) -> T:
        """What was made under this key, if it was made of these very objects; else it is made now."""
        known = self._made.get(key)
        if known is not None and len(known[0]) == len(made_of) and all(map(is_, known[0], made_of)):
            made: T = known[1]
            return made
        made = make()
        self.put(key, made_of, made)
        return made

    def peek(self, key: Hashable) -> tuple[tuple[object, ...], Any] | None:
        """What lies there, and of what it was made."""
        return self._made.get(key)

    def put(self, key: Hashable, made_of: tuple[object, ...], made: object) -> None:
        """Lay something there."""
        if len(self._made) >= MOST:
            self._made.clear()
        self._made[key] = made_of, made
