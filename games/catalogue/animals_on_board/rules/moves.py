"""Parses moves: any JSON value becomes a move that is allowed now, or raises IllegalMove."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.animals_on_board.rules.state import (
    CHOOSING,
    OVER,
    Group,
    State,
    can_split,
    list_affordable,
    list_choosers,
    list_drawn_tiles,
)
from games.rules.base import IllegalMove, Move, Seat, quote

_KEYS: Final = {"keep": ("keep",), "split": ("split", "off"), "take": ("take",), "forfeit": ("forfeit",)}
_MAX_EXPLAINED: Final = 20
"""Tiles of a move that a refusal looks at, so that a long one costs nothing."""


def check_turn(state: State, seat: Seat) -> None:
    """Raises IllegalMove unless this seat may act now."""
    if state.turn == OVER:
        raise IllegalMove("The game is over.")
    if state.turn == CHOOSING:
        if seat not in list_choosers(state):
            raise IllegalMove("You have already chosen. Wait for the others.")
    elif seat != state.turn:
        raise IllegalMove("It is not your turn.")


def read_kind(move: Move) -> str:
    """ "keep", "split", "take" or "forfeit", with the keys that belong to it and no other. Raises IllegalMove."""
    if not isinstance(move, Mapping):
        raise IllegalMove("A move must be an object with one of: keep, split, take, forfeit.")
    for kind, keys in _KEYS.items():
        if kind in move:
            for key in move:
                if key not in keys:
                    raise IllegalMove("A “%(kind)s” move must not contain “%(key)s”.", kind=kind, key=quote(key))
            return kind
    raise IllegalMove("A move must contain one of: keep, split, take, forfeit.")


def read_keep(state: State, seat: Seat, value: object) -> str:
    """The tile to keep, one of the three drawn. Raises IllegalMove."""
    if state.turn != CHOOSING:
        raise IllegalMove("You have already chosen your first tile. Split a group or take one.")
    if not isinstance(value, str) or value not in list_drawn_tiles(state, seat):
        raise IllegalMove("Keep one of the three tiles you drew.")
    return value


def read_split(state: State, number: Any, off: object) -> tuple[int, Group, Group]:
    """The group's number, and its tiles in order: those that stay and those that leave. Raises IllegalMove."""
    tiles = state.groups.get(number) if type(number) is int else None
    if tiles is None:
        raise _explain_group(state)
    try:
        leaving = set(off) if type(off) is list else set()
    except TypeError:
        leaving = set()
    rest = tuple([tile for tile in tiles if tile not in leaving])
    if not rest or not leaving or len(rest) + len(off) != len(tiles):  # type: ignore[arg-type]
        raise _explain_split(tiles, off)
    return number, rest, tuple([tile for tile in tiles if tile in leaving])


def _explain_split(tiles: Group, off: object) -> IllegalMove:
    """The error: why these tiles cannot leave the group."""
    if len(tiles) < 2:
        return IllegalMove("A single tile cannot be split.")
    if not isinstance(off, list):
        return IllegalMove("“off” must be a list of the tiles that leave the group.")
    if not off:
        return IllegalMove("Choose at least one tile to split off.")
    for word in off[:_MAX_EXPLAINED]:
        if not isinstance(word, str) or word not in tiles:
            return IllegalMove("“%(tile)s” is not in this group.", tile=quote(word))
    if len(set(off[:_MAX_EXPLAINED])) < len(off):
        return IllegalMove("Name each tile only once.")
    return IllegalMove("Leave at least one tile in the group.")


def read_take(state: State, seat: Seat, number: Any) -> Any:
    """The number of the group to take. Raises IllegalMove."""
    tiles = state.groups.get(number) if type(number) is int else None
    if tiles is None:
        raise _explain_group(state)
    count = len(tiles)
    if count > state.crates[seat]:
        raise IllegalMove(
            "This group costs one crate per tile. Price: %(count)s. You have: %(crates)s.",
            count=count,
            crates=state.crates[seat],
        )
    return number


def read_forfeit(state: State, seat: Seat, value: object) -> None:
    """Raises IllegalMove unless nothing else can be done."""
    if state.turn == CHOOSING:
        raise IllegalMove("First keep one of your three tiles.")
    if value is not True:
        raise IllegalMove("“forfeit” must be true.")
    if can_split(state) or list_affordable(state, seat):
        raise IllegalMove("You can skip your turn only if you can neither split nor take.")


def _explain_group(state: State) -> IllegalMove:
    """The error: why nothing can be split or taken, or not this group."""
    if state.turn == CHOOSING:
        return IllegalMove("First keep one of your three tiles.")
    return IllegalMove(
        "There is no such group. Choose from: %(known)s.", known=", ".join(map(str, state.groups)) or "–"
    )
