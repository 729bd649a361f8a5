"""Short notation for test positions and moves of Super Zwierzaki."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.catalogue.super_zwierzaki.rules import RULES
from games.catalogue.super_zwierzaki.rules.state import State
from games.rules.base import Config, Event, IllegalMove
from games.rules.chance import Chance

DRAW = "8 9 10 11 12 16 18 19 20 21 23 109 110 48 54"
"""Cards without a function, enough for a test."""
_SEATS_KEYS = {"from", "to"}


def make_state(*hands: str, top: str = "40", draw: str = DRAW, options: Any = None, **setup: Any) -> State:
    """A test position without a seed: one string of kinds a seat; seat 0 is to act, 1 comes after it."""
    given = {"hands": [hand.split() for hand in hands], "top": top, "draw": draw.split()}
    order = list(range(len(hands)))
    return RULES.start(Config(len(hands), options or {}, {"order": order, **given, **setup}), Chance())


def move_of(text: str) -> dict[str, Any]:
    """ "play 26 x2 !", "discard 5 5", "give 5 40 to 2", "sigma 1 2 0 from 0 to 2", "draw" … "!" calls with it."""
    verb, *words = text.split()
    move: dict[str, Any] = {}
    if words and words[-1] == "!":
        words.pop()
        move["call"] = True
    while len(words) > 1 and words[-2] in _SEATS_KEYS:
        *words, key, seat = words
        move[key] = int(seat)
    if words and words[-1].startswith("x"):
        move["n"] = int(words.pop()[1:])
    if verb in ("swap", "sigma"):
        return {verb: [int(word) for word in words], **move}
    if verb in ("discard", "give", "nine"):
        return {verb: words, **move}
    return {verb: words[0] if words else True, **move}


def clock_of(text: str) -> dict[str, Any]:
    """ "turn", "reaction", "call 1" …"""
    clock, *seat = text.split()
    return {"clock": clock, "seat": int(seat[0])} if seat else {"clock": clock}


def run(state: State, *turns: str, supply: Sequence[tuple[str, Any]] = ()) -> State:
    """The state after these turns; supply: what chance decides in the last one."""
    return run_events(state, *turns, supply=supply)[0]


def run_events(state: State, *turns: str, supply: Sequence[tuple[str, Any]] = ()) -> tuple[State, list[Event]]:
    """The state after these turns, "2: play 7" for seat 2 or a clock event, and what happened in the last one."""
    events: tuple[Event, ...] = ()
    for number, turn in enumerate(turns, start=1):
        if number == len(turns) and supply:
            state = RULES.supply(state, supply)
        seat, colon, move = turn.partition(": ")
        if colon:
            state, events = RULES.apply(state, int(seat), move_of(move))
        else:
            state, events = RULES.on_clock(state, clock_of(turn))
    return state, list(events)


def refusal(state: State, turn: str) -> str:
    """The sentence with which this turn is refused; the state is the same before and after."""
    before = RULES.to_json(state)
    with pytest.raises(IllegalMove) as caught:
        run(state, turn)
    assert RULES.to_json(state) == before
    return str(caught.value)


def read_keys(state: State, *keys: str) -> Any:
    """What a record may expect, under these keys; one key alone gives its value."""
    found = RULES.expected(state)
    return found[keys[0]] if len(keys) == 1 else [found[key] for key in keys]


def hands(state: State) -> list[str]:
    """Every hand as a string."""
    return [" ".join(hand) for hand in RULES.expected(state)["hands"].values()]


def points(state: State) -> str:
    """The counters that are not zero: "red 2"."""
    return " ".join(f"{name} {value}" for name, value in RULES.expected(state)["counters"].items() if value)


def given(state: State) -> str:
    """Given colour and class, "DB ape"."""
    found = RULES.expected(state)["given"]
    return f"{'+'.join(found['colours'])} {'+'.join(found['classes'])}"


def awaited(state: State) -> list[tuple[str, float | None, tuple[int, ...]]]:
    """What the clock waits for: event (with seat), seconds, the seats it waits for."""
    return [
        (" ".join(str(value) for value in wait.event.values()), wait.seconds, wait.seats)
        for wait in RULES.deadlines(state)
        if not wait.held
    ]


def kinds(events: Sequence[Event]) -> list[str]:
    """The words of what happened."""
    return [event.kind for event in events]
