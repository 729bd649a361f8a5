"""Short notation for test positions and moves of Fancy Animals."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalogue.fancy_animals import rules
from games.catalogue.fancy_animals.rules.state import State
from games.rules.base import Config, IllegalMove
from games.rules.chance import Chance

FANCY = rules.RULES
SEED = Chance(bytes(range(32)))
CLOTHING = {
    "hand": ["hand-M-1", "hand-L-3", "hand-C-1", "hand-G-1"],
    "feet": ["feet-G-4", "feet-M-3", "feet-L-5"],
    "body": ["body-C-6", "body-L-5", "body-G-5"],
    "head": ["head-M-7", "head-G-9", "head-L-7"],
}
ANIMALS = ["tiger", "owl", "fox", "pig"]


def position(
    *hands: str,
    table: str = "",
    deck: str = "",
    worn: list[dict[str, list[str]]] | None = None,
    active: tuple[str, ...] = (),
    **rest: Any,
) -> State:
    """A test position: a string of cards a seat, the table as melds parted by "|"; seat 0 is to act."""
    setup = {
        "hands": [hand.split() for hand in hands],
        "animals": ANIMALS[: len(hands)],
        "deck": deck.split(),
        "table": melds(table),
        "worn": worn or [{}] * len(hands),
        "active": list(active),
        "clothing": CLOTHING,
    } | rest
    return FANCY.start(Config(len(hands), {}, setup), Chance())


def melds(table: str) -> list[list[str]]:
    """Lists of words from "3LG:G 4GM:G 5GC:G | …"."""
    return [meld.split() for meld in table.split("|") if meld.strip()]


def play(cards: str, table: str, **rest: Any) -> dict[str, Any]:
    """A play of these cards that makes this table."""
    return {"play": cards.split(), "table": melds(table), **rest}


def act(state: State, *turns: Any) -> State:
    """The state after these moves of the seats to act; a string is a clock event."""
    for turn in turns:
        if isinstance(turn, str):
            state, _ = FANCY.on_clock(state, {"clock": turn})
        else:
            state, _ = FANCY.apply(state, FANCY.to_act(state)[0], turn)
    return state


def refusal(state: State, move: Any, seat: int | None = None) -> str:
    """The sentence with which this move is refused; the state is the same before and after."""
    before = FANCY.to_json(state)
    with pytest.raises(IllegalMove) as caught:
        FANCY.apply(state, FANCY.to_act(state)[0] if seat is None else seat, move)
    assert FANCY.to_json(state) == before
    return str(caught.value)


def expected(state: State, *keys: str) -> Any:
    """What a record may expect, under these keys."""
    found = FANCY.expected(state)
    return found[keys[0]] if len(keys) == 1 else {key: found[key] for key in keys}


DRAW = {"draw": True}
PASS = {"pass": True}
