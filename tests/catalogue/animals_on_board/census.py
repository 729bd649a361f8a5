"""Counting tiles and crates: `find_census` looks for `Census` here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from games.rules.base import Event, Rules


class Census:
    """Every tile is on an ark, in the middle or in the stack, once; crates are what splits and takes make of them."""

    def __init__(self) -> None:
        self._tiles: Counter[str] = Counter()
        self._crates: list[int] = []

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if a tile or a crate is made or lost."""
        tiles = Counter(state.table.stack[state.drawn :])
        tiles.update(tile for ark in state.arks for tile in ark)
        tiles.update(tile for heap in state.groups.values() for tile in heap if tile != "?")
        tiles.update([state.face_down] if state.face_down else [])
        if state.is_choosing:
            tiles = Counter(state.table.stack)
        self._tiles = self._tiles or Counter(state.table.stack)
        assert tiles == self._tiles
        assert max(tiles.values()) == 1
        crates = list(self._crates or state.crates)
        for event in events:
            if event.seat is not None and event.kind == "split":
                crates[event.seat] += -1 if crates[event.seat] == 5 else 1
            elif event.seat is not None and event.kind == "took":
                crates[event.seat] -= event.data["count"]
        self._crates = list(state.crates)
        assert crates == self._crates
        assert set(crates) <= set(range(6))
