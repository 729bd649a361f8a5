"""Counting cards of the climbing games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from games.catalogue.climbing.rules.cards import write_words
from games.catalogue.climbing.rules.rules import find_climbing
from games.rules.base import Event, Rules


class ClimbingCensus:
    """What was dealt, less what was played, is what the hands hold; what was dealt is within the components."""

    def __init__(self) -> None:
        self._left: Counter[str] = Counter()

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if a card is made or lost."""
        hands = Counter(card for hand in rules.expected(state)["hands"].values() for card in hand)
        for event in events:
            if event.kind == "played":
                self._left -= Counter(event.data["cards"])
        if state.serial == state.deal.serial:
            self._left = hands
            game = find_climbing(rules.slug)
            whole = Counter(write_words(game.pack(state.progress.terms).whole, game.wild))
            assert not hands - whole
        assert hands == self._left
