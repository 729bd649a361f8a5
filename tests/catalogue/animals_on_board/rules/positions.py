"""Short notation for test positions and moves of Animals on Board."""

from __future__ import annotations

from typing import Any

from games.catalogue.animals_on_board import rules
from games.catalogue.animals_on_board.rules.state import State
from games.rules.base import Config, Move
from games.rules.chance import Chance

RULES = rules.RULES
SEED = Chance(bytes(range(32)))
NO_SEED = Chance()

SPARE = ["zebra-1", "zebra-2", "zebra-3", "zebra-4", "zebra-5"]
"""A stack for positions that do not care what is in it."""


def position(
    arks: list[str],
    middle: list[str],
    *,
    crates: list[int] | None = None,
    face_down: str | None = None,
    stack: str | list[str] = SPARE,
    **more: Any,
) -> State:
    """A later position: one string of tiles an ark and a group; seat 0 has the flag and is to act."""
    setup = {
        "start": 0,
        "arks": [ark.split() for ark in arks],
        "crates": crates or [1] * len(arks),
        "middle": [group.split() for group in middle],
        "face_down": face_down,
        "in_round": list(range(len(arks))),
        "to_act": 0,
        "stack": stack.split() if isinstance(stack, str) else stack,
    }
    return RULES.start(Config(len(arks), {}, {**setup, **more}), NO_SEED)


def begin_game(seats: int, stack: str = "", **options: Any) -> State:
    """A game from its beginning; with a stack nothing needs a seed but who has the flag."""
    setup = {"stack": stack.split()} if stack else {}
    return RULES.start(Config(seats, options, setup), SEED)


def move_of(text: str) -> Move:
    """ "keep lion-1", "split 1 lion-1 lion-2", "take 2", "forfeit"."""
    kind, *rest = text.split()
    if kind == "keep":
        return {"keep": rest[0]}
    if kind == "split":
        return {"split": int(rest[0]), "off": rest[1:]}
    return {"take": int(rest[0])} if kind == "take" else {"forfeit": True}


def run(state: State, *turns: str) -> State:
    """The state after these turns: "2: take 1" for seat 2, "turn" and "time-up" for the clock."""
    for turn in turns:
        seat, colon, move = turn.partition(": ")
        if colon:
            state, _ = RULES.apply(state, int(seat), move_of(move))
        else:
            state, _ = RULES.on_clock(state, {"clock": turn})
    return state


def read_expected_keys(state: State, *keys: str) -> Any:
    """What a record may expect, under these keys."""
    found = RULES.expected(state)
    return found[keys[0]] if len(keys) == 1 else {key: found[key] for key in keys}


def list_legal(state: State, seat: int) -> list[Move]:
    """All legal moves of a seat, where they are few enough to be listed."""
    legal = RULES.legal_moves(state, seat)
    assert legal is not None
    return list(legal)
