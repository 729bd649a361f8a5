"""Random play to a wanted point."""

from __future__ import annotations

import random

from games.catalogue.climbing.rules.state import State
from games.rules.base import Rules


def step(rules: Rules[State], state: State, rng: random.Random) -> State:
    """The state after one random move."""
    seat = rules.to_act(state)[0]
    return rules.apply(state, seat, rules.legal_sample(state, seat, rng))[0]


def play_until_deal(rules: Rules[State], state: State, number: int, seed: int = 1) -> State:
    """The first state of the deal with this number, after random play."""
    rng = random.Random(seed)
    while state.deal.number < number:
        state = step(rules, state, rng)
    return state


def play_out(rules: Rules[State], state: State, seed: int = 1) -> State:
    """The end, after random play."""
    rng = random.Random(seed)
    while rules.to_act(state):
        state = step(rules, state, rng)
    return state
