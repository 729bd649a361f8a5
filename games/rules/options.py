"""Reads the options of a table into closed types, with one error sentence for each thing that can be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.rules.base import BadSetup, Option, quote
from games.rules.reading import is_whole

MAX_DEALS: Final = 999
"""Deals that a table can agree on: three digits, more than any evening holds."""
MAX_MINUTES: Final = 1440
"""Minutes that a table can agree on: a day."""


def check_seats(seats: object, allowed: range) -> None:
    """Raises BadSetup unless this many can play."""
    if not is_whole(seats) or seats not in allowed:
        raise BadSetup("This game is for %(least)s to %(most)s players.", least=allowed[0], most=allowed[-1])


def check_option_names(given: Mapping[str, Any], options: tuple[Option, ...]) -> None:
    """Raises BadSetup for an option that the game does not have."""
    names = [option.name for option in options]
    for name in given:
        if not names:
            raise BadSetup("There is no option “%(name)s”. This game has no options.", name=quote(name))
        if name not in names:
            raise BadSetup(
                "There is no option “%(name)s”. This game has: %(known)s.", name=quote(name), known=", ".join(names)
            )


def read_integer(options: Mapping[str, Any], name: str, most: int) -> int | None:
    """A whole number 1 … most; None if it is not set (absent or null)."""
    value: object = options.get(name)
    if value is None:
        return None
    if not is_whole(value, 1, most):
        raise BadSetup("The option “%(name)s” must be a whole number from 1 to %(most)s.", name=name, most=most)
    return value


def read_flag(options: Mapping[str, Any], name: str) -> bool:
    """True if the flag is set; false and null are the same as leaving it out."""
    value: object = options.get(name)
    if value is not None and not isinstance(value, bool):
        raise BadSetup("The option “%(name)s” must be true or false.", name=name)
    return bool(value)
