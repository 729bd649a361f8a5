"""Random games through the contract, the same for every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from games.rules import registry
from games.rules.base import Config, Event, Move, Rules
from games.rules.chance import Chance

MAX_STEPS = 3000
BELL = 120  # moves after which the time of every test game is up


class Step(NamedTuple):
    """One step of a random game. seat: None for a clock event; events: what the engine told."""

    before: Any
    seat: int | None
    move: Move
    after: Any
    events: tuple[Event, ...]


def start(slug: str, seats: int) -> tuple[Rules[Any], Any]:
    """A game with the default options."""
    rules = registry.find(slug)
    return rules, rules.start(Config(seats), Chance(bytes([seats] * 32)))


def step(rules: Rules[Any], state: Any, seat: int | None, move: Move) -> Step:
    """One step, by a seat or by the clock."""
    after, events = rules.on_clock(state, move) if seat is None else rules.apply(state, seat, move)
    return Step(state, seat, move, after, events)


def playthrough(rules: Rules[Any], state: Any, seed: int = 0) -> Iterator[Step]:
    """A random game to its end, now and then with a turn that runs out."""
    rng = random.Random(seed)
    for number in range(MAX_STEPS):
        acting = rules.to_act(state)
        waits = [wait for wait in rules.deadlines(state) if not wait.held]
        turns = [wait for wait in waits if wait.seconds is None]
        if rules.outcome(state) is not None:
            return
        if number == BELL:
            taken = step(rules, state, None, {"clock": "time-up"})
        elif not acting or (turns and rng.random() < 0.03):
            taken = step(rules, state, None, rng.choice(waits).event)
        else:
            seat = rng.choice(acting)
            taken = step(rules, state, seat, rules.legal_sample(state, seat, rng))
        state = taken.after
        yield taken
    raise AssertionError("the game does not end")


def listed(rules: Rules[Any], state: Any) -> list[Move]:
    """All listed moves of those who may act."""
    return [move for seat in rules.to_act(state) for move in rules.legal_moves(state, seat) or ()]
