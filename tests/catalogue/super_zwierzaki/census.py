"""Counting cards: `find_census` looks for `Census` here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from games.rules.base import Event, Rules


class Census:
    """Hands, draw pile and heap together are the same cards for the whole game."""

    def __init__(self) -> None:
        self._whole: Counter[str] | None = None

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if a card is made or lost."""
        hands = [card for hand in rules.expected(state)["hands"].values() for card in hand]
        cards = Counter([*hands, *map(str, state.pile), *map(str, state.heap), str(state.top)])
        assert self._whole in (None, cards)
        self._whole = cards
