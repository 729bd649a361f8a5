"""The immutable state of Animals on Board. Tiles are words, see tiles.py; a seat's tiles lie in the order taken."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.rules.base import Seat
from games.rules.chance import Chance

OVER: Final = -1
"""`turn` when the game is over."""
CHOOSING: Final = -2
"""`turn` while everybody chooses a first tile."""
MAX_CRATES: Final = 5
"""Crates that a seat can own."""
TILES_DRAWN: Final = 3
"""Tiles that everybody draws before the first round."""

Group = tuple[str, ...]


class GameSetup(NamedTuple):
    """What stays the same for a whole game. stack: all that is drawn, first tile first."""

    seats: int
    species: tuple[str, ...]
    """The species in play; empty in a test position that does not say."""
    stack: Group
    chance: Chance


class Round(NamedTuple):
    """What stays the same for a whole round. is_laid: tiles were laid out at its start."""

    number: int
    is_laid: bool


class State(NamedTuple):
    """A position."""

    table: GameSetup
    round: Round
    turn: int
    """The seat to act; OVER; CHOOSING while everybody chooses what to keep."""
    groups: dict[int, Group]
    """Number → tiles as they lie. Never changed in place."""
    last_number: int
    """The highest number that a group of this round has had."""
    crates: tuple[int, ...]
    arks: tuple[Group, ...]
    in_round: tuple[bool, ...]
    dropped: tuple[Seat, ...]
    """Who has dropped out of the round, first out first."""
    flag: Seat
    face_down: str | None
    """The tile that lies face down in the middle."""
    drawn: int
    """How many tiles of the stack are gone."""
    forfeits: int
    """Turns in a row that were forfeited."""
    bell: bool
    serial: int
    """Rises with every turn."""

    @property
    def is_choosing(self) -> bool:
        """Whether everybody still chooses a first tile."""
        return self.turn == CHOOSING

    @property
    def stack_size(self) -> int:
        """Tiles that are still to be drawn."""
        return len(self.table.stack) - self.drawn


def list_drawn_tiles(state: State, seat: Seat) -> Group:
    """What this seat has drawn before the first round, in the order drawn."""
    return state.table.stack[TILES_DRAWN * seat : TILES_DRAWN * (seat + 1)]


def list_choosers(state: State) -> tuple[Seat, ...]:
    """The seats that have not chosen yet."""
    return tuple(seat for seat, ark in enumerate(state.arks) if not ark)


def can_split(state: State) -> bool:
    """Whether there is a group of two or more tiles."""
    return any(len(tiles) > 1 for tiles in state.groups.values())


def list_affordable(state: State, seat: Seat) -> list[int]:
    """The numbers of the groups that this seat can pay for."""
    crates = state.crates[seat]
    return [number for number, tiles in state.groups.items() if len(tiles) <= crates]
