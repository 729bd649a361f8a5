"""Until when games over days must be played, where they belong to something with a deadline of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

DEADLINES: list[Callable[[Collection[str]], Mapping[str, float]]] = []
"""Called with table ids; each returns those with a deadline, in seconds since 1970. Apps built on tables register
here."""


def find_deadlines(table_ids: Collection[str]) -> dict[str, float]:
    """The deadlines of those of these tables that have one."""
    found: dict[str, float] = {}
    for find in DEADLINES if table_ids else ():
        found.update(find(table_ids))
    return found
