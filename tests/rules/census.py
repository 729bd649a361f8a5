"""Counting cards: nothing is made or lost, whatever is played. Each game says here what must add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from games.rules.animal_poker import AnimalPoker
from games.rules.base import Event, Rules
from games.rules.climbing.cards import words
from games.rules.climbing.flow import Flow
from games.rules.karriere_poker import KarrierePoker


class Census(Protocol):
    """Watches one game."""

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if this state cannot follow the last one it saw by these events."""


class ClimbingCensus:
    """What was dealt, less what was played, is what the hands hold; what was dealt is within the components."""

    def __init__(self, game: Flow) -> None:
        self._game = game
        self._left: Counter[str] = Counter()

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if a card is made or lost."""
        hands = Counter(card for hand in rules.expected(state)["hands"].values() for card in hand)
        for event in events:
            if event.kind == "played":
                self._left -= Counter(event.data["cards"])
        if state.serial == state.deal.serial:
            self._left = hands
            whole = Counter(words(self._game.pack(state.evening.terms).whole, self._game.wild))
            assert not hands - whole
        assert hands == self._left


CENSUS: dict[str, Callable[[], Census]] = {
    "karriere-poker": lambda: ClimbingCensus(KarrierePoker()),
    "animal-poker": lambda: ClimbingCensus(AnimalPoker()),
}
