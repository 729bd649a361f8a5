"""Animals on Board: split a group and earn a crate, or pay crates and take one. Source: animals-on-board.md."""

from __future__ import annotations

from typing import Final

from games.catalogue.animals_on_board.rules.rules import AnimalsOnBoard
from games.catalogue.animals_on_board.rules.state import State
from games.rules.base import Rules

RULES: Final[Rules[State]] = AnimalsOnBoard()
