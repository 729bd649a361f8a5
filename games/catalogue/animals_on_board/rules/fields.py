"""Reading the values of options and set-ups: closed types, one sentence for each thing that can be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.catalogue.animals_on_board.rules.state import Group
from games.catalogue.animals_on_board.rules.tiles import FACE_DOWN, KINDS, SPECIES, SPECIES_IN_PLAY
from games.rules.base import BadSetup, Seat, quote
from games.rules.reading import is_list, read_count


def read_seat(value: object, seats: int, name: str) -> Seat:
    """A seat. Raises BadSetup."""
    return read_count(value, name, 0, seats - 1)


def read_seats(value: object, seats: int, name: str) -> tuple[Seat, ...]:
    """Seats, each once. Raises BadSetup."""
    if not is_list(value):
        raise BadSetup("“%(name)s” must be a list of seats.", name=name)
    found = tuple(read_seat(seat, seats, name) for seat in value)
    if len(set(found)) != len(found):
        raise BadSetup("“%(name)s” must list each seat only once.", name=name)
    return found


def read_tile(value: object, name: str) -> str:
    """A tile's word. Raises BadSetup."""
    if not isinstance(value, str) or value not in KINDS:
        raise BadSetup("“%(tile)s” in “%(name)s” is not a tile.", tile=quote(value), name=name)
    return value


def read_tiles(value: object, name: str, *, may_lie_down: bool = False) -> Group:
    """A list of tiles. Raises BadSetup."""
    if not is_list(value):
        raise BadSetup("“%(name)s” must contain lists of tiles.", name=name)
    return tuple(FACE_DOWN if may_lie_down and item == FACE_DOWN else read_tile(item, name) for item in value)


def read_groups(value: object, name: str) -> list[Group]:
    """Groups of at least one tile each. Raises BadSetup."""
    if not is_list(value):
        raise BadSetup("“%(name)s” must be a list of groups.", name=name)
    groups = [read_tiles(group, name, may_lie_down=True) for group in value]
    if not all(groups):
        raise BadSetup("“%(name)s” must not contain an empty group.", name=name)
    return groups


def read_species(value: object, seats: int | None) -> tuple[str, ...]:
    """Species, each once, sorted; for this many players exactly as many as are in play. Raises BadSetup."""
    if not is_list(value):
        raise BadSetup("“species” must be a list.")
    for item in value:
        if not isinstance(item, str) or item not in SPECIES:
            raise BadSetup(
                "“%(name)s” is not a species. Choose from: %(known)s.", name=quote(item), known=", ".join(SPECIES)
            )
    if len(set(value)) != len(value):
        raise BadSetup("“species” must list each species only once.")
    if seats is not None and len(value) != SPECIES_IN_PLAY[seats]:
        raise BadSetup(
            "With %(seats)s players, choose exactly %(count)s species.", seats=seats, count=SPECIES_IN_PLAY[seats]
        )
    return tuple(sorted(value))


def find_species(seats: int, options: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The species that the table option names; None if it is not set. Raises BadSetup."""
    return None if options.get("species") is None else read_species(options["species"], seats)
