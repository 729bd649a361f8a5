"""Counting cards: nothing is made or lost, whatever is played. Each game says here what must add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from games.catalogue.animal_poker.rules import AnimalPoker
from games.catalogue.climbing.rules.cards import words
from games.catalogue.climbing.rules.flow import Flow
from games.catalogue.fancy_animals.rules.cards import ALL, pack
from games.catalogue.fancy_animals.rules.clothing import BY_WORD
from games.catalogue.karriere_poker.rules import KarrierePoker
from games.rules.base import Event, Rules


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


class TileCensus:
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


class FancyCensus:
    """Every card and piece of clothing is somewhere, once: in a hand, on the table, worn, or in a deck."""

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if something is made or lost, or returns from the table to a hand."""
        found = rules.setup_of(state)
        table = [word.partition(":")[0] for meld in found["table"] for word in meld]
        piles = [pile for worn in found["worn"] for pile in worn.values()]
        groups = [*found["hands"], found["deck"], *found["clothing"].values(), table, *piles]
        words = Counter(word for group in groups for word in group)
        highest = 11 if len(found["hands"]) == 2 else 13
        assert words == Counter([*(ALL[card].word for card in pack(highest)), *BY_WORD])


class ZooCensus:
    """Hands, draw pile and heap together are the same cards for the whole game."""

    def __init__(self) -> None:
        self._whole: Counter[str] | None = None

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if a card is made or lost."""
        hands = [card for hand in rules.expected(state)["hands"].values() for card in hand]
        cards = Counter([*hands, *map(str, state.pile), *map(str, state.heap), str(state.top)])
        assert self._whole in (None, cards)
        self._whole = cards


CENSUS: dict[str, Callable[[], Census]] = {
    "karriere-poker": lambda: ClimbingCensus(KarrierePoker()),
    "animal-poker": lambda: ClimbingCensus(AnimalPoker()),
    "animals-on-board": TileCensus,
    "fancy-animals": FancyCensus,
    "super-zwierzaki": ZooCensus,
}


class NoCensus:
    """Nothing is counted: a game of somebody else, whose own tests do."""

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Always right."""


def find_census(slug: str) -> Census:
    """What watches this game."""
    return CENSUS.get(slug, NoCensus)()
