"""Short notation for test positions and moves of the climbing games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.catalogue.animal_poker import rules as animal_poker
from games.catalogue.climbing.rules.state import State
from games.catalogue.karriere_poker import rules as karriere_poker
from games.rules.base import Config, Event, IllegalMove, Move, Rules
from games.rules.chance import Chance

ANIMAL = animal_poker.RULES
KARRIERE = karriere_poker.RULES
SEED = Chance(bytes(range(32)))
NO_SEED = Chance()


def karriere(
    *hands: str, options: dict[str, Any] | None = None, order: Sequence[int] | None = None, ranks: Any = None
) -> State:
    """A test position of Karriere Poker: one string of cards a seat; without ranks seat 0 leads."""
    setup = {
        "order": list(order) if order else None if ranks else list(range(len(hands))),
        "positions": ranks,
        "deals": [{"hands": split(hands)}],
    }
    return KARRIERE.start(Config(len(hands), options or {}, setup), NO_SEED)


def animal(*hands: str, options: dict[str, Any] | None = None, ranks: Any = None) -> State:
    """A test position of Animal Poker: one string of cards a seat; without ranks seat 0 is the CEO, 1 the next …"""
    setup = {"jobs": ranks or list(range(1, len(hands) + 1)), "sessions": [{"hands": split(hands)}]}
    return ANIMAL.start(Config(len(hands), options or {}, setup), NO_SEED)


def split(hands: Sequence[str]) -> list[list[str]]:
    """Lists of card words from strings of them."""
    return [hand.split() for hand in hands]


def move_of(text: str) -> Move:
    """ "pass", "7 7 J" or "J as 15"."""
    if text == "pass":
        return {"pass": True}
    cards, _, name = text.partition(" as ")
    return {"play": cards.split(), "as": int(name)} if name else {"play": cards.split()}


def run(rules: Rules[State], state: State, *turns: str) -> State:
    """The state after these turns: "2: 7 7" for seat 2, "turn" and "time-up" for the clock."""
    return run_events(rules, state, *turns)[0]


def run_events(rules: Rules[State], state: State, *turns: str) -> tuple[State, list[Event]]:
    """The state after these turns, and everything that happened in the last one."""
    events: tuple[Event, ...] = ()
    for turn in turns:
        seat, colon, move = turn.partition(": ")
        if colon:
            state, events = rules.apply(state, int(seat), move_of(move))
        else:
            state, events = rules.on_clock(state, {"clock": turn})
    return state, list(events)


def refusal(rules: Rules[State], state: State, turn: str) -> str:
    """The sentence with which this turn is refused; the state is the same before and after."""
    before = rules.to_json(state)
    with pytest.raises(IllegalMove) as caught:
        run(rules, state, turn)
    assert rules.to_json(state) == before
    return str(caught.value)


def expected(rules: Rules[State], state: State, *keys: str) -> Any:
    """What a record may expect, under these keys."""
    found = rules.expected(state)
    return found[keys[0]] if len(keys) == 1 else {key: found[key] for key in keys}
