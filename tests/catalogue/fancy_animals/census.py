"""Counting cards and clothes: `find_census` looks for `Census` here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from games.catalogue.fancy_animals.rules.cards import ALL, list_pack
from games.catalogue.fancy_animals.rules.clothing import BY_WORD
from games.rules.base import Event, Rules


class Census:
    """Every card and piece of clothing is somewhere, once: in a hand, on the table, worn, or in a deck."""

    def see(self, rules: Rules[Any], state: Any, events: Iterable[Event]) -> None:
        """Fails if something is made or lost, or returns from the table to a hand."""
        found = rules.setup_of(state)
        table = [word.partition(":")[0] for meld in found["table"] for word in meld]
        piles = [pile for worn in found["worn"] for pile in worn.values()]
        groups = [*found["hands"], found["deck"], *found["clothing"].values(), table, *piles]
        words = Counter(word for group in groups for word in group)
        highest = 11 if len(found["hands"]) == 2 else 13
        assert words == Counter([*(ALL[card].word for card in list_pack(highest)), *BY_WORD])
