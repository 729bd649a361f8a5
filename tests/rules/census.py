"""Counting cards: nothing is made or lost, whatever is played. What must add up stands with the tests of each game."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from games.rules.base import Event, Rules


class CensusOfGame(Protocol):
    """Watches one game from its start. `Census` in `tests/catalogue/<package of the game>/census.py`."""

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if this state cannot follow the last one it saw by these events."""


class NoCensus:
    """Nothing is counted: a game of another package, whose own tests do."""

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Always right."""


def find_census(slug: str) -> CensusOfGame:
    """What watches this game."""
    folder = f"tests.catalogue.{slug.replace('-', '_')}"
    if find_spec(folder) is None or find_spec(f"{folder}.census") is None:
        return NoCensus()
    census: CensusOfGame = import_module(f"{folder}.census").Census()
    return census
