"""The immutable state of a game of Fancy Animals."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.catalogue.fancy_animals.rules.cards import Tiles, find_highest
from games.catalogue.fancy_animals.rules.melds import Meld
from games.catalogue.fancy_animals.rules.scoring import Worn
from games.rules.base import Seat
from games.rules.chance import Chance

OVER: Final = -1
HAND_LIMIT: Final = 13
"""Cards in a hand with which nobody draws."""


class State(NamedTuple):
    """A position. What is by seat stands in the order of seats, which is the order of play."""

    chance: Chance
    animals: tuple[str, ...]
    hands: tuple[Tiles, ...]
    deck: tuple[int, ...]
    """First card first."""
    clothing: tuple[tuple[int, ...], ...]
    """The deck of each slot; its first two are on offer."""
    table: tuple[Meld, ...]
    tiles: Tiles
    """All that lies on the table."""
    worn: tuple[Worn, ...]
    active: tuple[str, ...]
    """Special rules that are on, sorted."""
    turn: Seat
    """The seat to act, OVER when the game is over."""
    last_turns: tuple[Seat, ...] | None
    """Seats that still have their final turn, in playing order; None before the end is near."""
    passes: int
    """Passes in succession."""
    serial: int
    """Rises with every turn."""

    @property
    def seats(self) -> int:
        """Number of players."""
        return len(self.hands)

    @property
    def top(self) -> int:
        """The highest number in play."""
        return find_highest(len(self.hands))

    @property
    def loop(self) -> bool:
        """Whether 1 follows the top number."""
        return "loop" in self.active


def can_draw(state: State, seat: Seat) -> bool:
    """Whether this seat may draw: not with a full hand, and not from an empty deck."""
    return bool(state.deck) and state.hands[seat].bit_count() < HAND_LIMIT
