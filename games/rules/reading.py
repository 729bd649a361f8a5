"""Checks of untrusted JSON values that options, set-ups, moves and records share.

Documents of a fixed shape (socket messages, draws, archives) are msgspec types. Here each refusal is a sentence that
names the place and is translated, which msgspec has none of; so the questions are asked here, in one sense for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from games.rules.base import BadSetup, quote


def is_whole(value: object, least: int | None = None, most: int | None = None) -> TypeGuard[int]:
    """Whether it is a whole number from least to most; true and false are none."""
    return type(value) is int and (least is None or value >= least) and (most is None or value <= most)


def is_list(value: object, size: int | None = None) -> TypeGuard[Sequence[Any]]:
    """Whether it is a list, of this many entries."""
    return isinstance(value, list | tuple) and size in (None, len(value))


def is_whole_list(value: object, size: int | None = None) -> TypeGuard[Sequence[int]]:
    """Whether it is a list of whole numbers, of this many."""
    return is_list(value, size) and all(type(item) is int for item in value)


def is_permutation(value: object, domain: range) -> TypeGuard[Sequence[int]]:
    """Whether it is a list with each number of the domain once."""
    return is_whole_list(value, len(domain)) and sorted(value) == list(domain)


def read_keys(given: object, allowed: Sequence[str]) -> Mapping[str, Any]:
    """The set-up itself: an object with no keys but these. Raises BadSetup."""
    if not isinstance(given, Mapping):
        raise BadSetup("“setup” must be an object.")
    for name in given:
        if name not in allowed:
            raise BadSetup(
                "“setup” has no key “%(name)s”. It can have: %(known)s.", name=quote(name), known=", ".join(allowed)
            )
    return given


def read_permutation(value: object, domain: range, name: str) -> tuple[int, ...]:
    """Each number of the domain once. Raises BadSetup."""
    if not is_permutation(value, domain):
        raise BadSetup(
            "“%(name)s” must contain each number from %(least)s to %(most)s exactly once.",
            name=name,
            least=domain[0],
            most=domain[-1],
        )
    return tuple(value)


def read_hands(value: object, seats: int) -> Sequence[Any]:
    """One entry for each seat, not looked at yet. Raises BadSetup."""
    if not is_list(value, seats):
        raise BadSetup("“hands” must be a list of %(seats)s lists of cards, one for each seat.", seats=seats)
    return value


def read_count(value: object, name: str, least: int, most: int) -> int:
    """A whole number from least to most. Raises BadSetup."""
    if not is_whole(value, least, most):
        raise BadSetup(
            "“%(name)s” must be a whole number from %(least)s to %(most)s.", name=name, least=least, most=most
        )
    return value
