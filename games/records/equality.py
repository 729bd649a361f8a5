"""Compares values of a record with the engine's by the rules of JSON, not of Python."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class ComparesExpectations(Protocol):
    """A game with keys of `expect` in which some order is free (Fancy Animals: the melds of `table`)."""

    def is_expected(self, key: str, actual: Any, wanted: Any) -> bool:
        """Whether `wanted`, not the same as the engine's value `actual` of this key, differs in free order only."""


def is_same(actual: Any, wanted: Any) -> bool:
    """Equality of JSON values: true is not 1, 1 is 1.0, a tuple is a list, keys of objects are strings."""
    if isinstance(actual, bool) or isinstance(wanted, bool):
        return actual is wanted
    if isinstance(actual, list | tuple):
        return (
            isinstance(wanted, list | tuple)
            and len(actual) == len(wanted)
            and all(is_same(one, other) for one, other in zip(actual, wanted, strict=True))
        )
    if isinstance(actual, dict):
        if not isinstance(wanted, dict):
            return False
        ours, theirs = ({str(key): value for key, value in side.items()} for side in (actual, wanted))
        return ours.keys() == theirs.keys() and all(is_same(value, theirs[key]) for key, value in ours.items())
    return bool(actual == wanted)
