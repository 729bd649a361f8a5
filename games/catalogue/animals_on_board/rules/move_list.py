"""The moves of a position as a sequence. Source: animals-on-board.md, A turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, overload

from games.catalogue.animals_on_board.rules.state import Group
from games.rules.base import Move

MAX_LISTED_SPLITS: Final = 24
"""Splits up to which all moves are listed; of more, `legal_sample` picks one. Set by hand: listing more costs more
than the move itself."""
_MAX_GROUP_LISTED: Final = 4
"""Tiles of the largest group whose splits are listed; a group of five alone has more than are listed."""
_SPLIT_PLACES: Final = tuple(
    tuple(tuple(place for place in range(size) if mask >> place & 1) for mask in range(1, (1 << size) - 1))
    for size in range(_MAX_GROUP_LISTED + 1)
)
"""Size of a group → the places that can leave it."""
_TAKES: Final[tuple[Move, ...]] = tuple({"take": number} for number in range(64))


class MoveList(Sequence[Move]):
    """Takes and splits, group by group, each made when it is asked for: most are only counted.

    groups: few and small; crates: to pay with; count: of all moves.
    """

    __slots__ = ("_count", "_crates", "_groups")

    def __init__(self, groups: Mapping[int, Group], crates: int, count: int) -> None:
        self._groups = groups
        self._crates = crates
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Move]: ...
    def __getitem__(self, at: int | slice) -> Move | Sequence[Move]:
        if isinstance(at, slice):
            return list(self)[at]
        left = range(self._count)[at]
        for number, tiles in self._groups.items():
            if len(tiles) <= self._crates:
                if not left:
                    return write_take(number)
                left -= 1
            ways = _SPLIT_PLACES[len(tiles)]
            if left < len(ways):
                return write_split(number, tiles, ways[left])
            left -= len(ways)
        raise AssertionError("there are fewer moves than were counted")


def write_take(number: int) -> Move:
    """The move that takes this group. Shared between games, not to be changed."""
    return _TAKES[number]


def write_split(number: int, tiles: Group, places: Sequence[int]) -> Move:
    """The move by which the tiles at these places leave the group."""
    return {"split": number, "off": [tiles[place] for place in places]}


def list_moves(groups: Mapping[int, Group], crates: int) -> MoveList | None:
    """What can be done for so many crates; None if there are more than a few ways to split."""
    takes = splits = 0
    for tiles in groups.values():
        size = len(tiles)
        if size <= crates:
            takes += 1
        splits += (1 << size) - 2
        if splits > MAX_LISTED_SPLITS:
            return None
    return MoveList(groups, crates, takes + splits)
