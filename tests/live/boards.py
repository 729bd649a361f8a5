"""Literal tables for the presenters' tests: five people and bots in the third deal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.presenters.screen import Chair, LogLine, Screen

NAMES = ("Anna", "Bartosz", "Cleo", "Dorothea", "Emil")
ANIMALS = ("fox", "penguin", "cow", "owl", "badger")
HAND = ["3", "3", "5", "8", "11", "J"]
NOW = 1_763_720_000_000


def make_screen(**changes: Any) -> Screen:
    """A table of Karriere Poker at ply 57."""
    chairs = tuple(
        Chair(
            index,
            NAMES[index],
            ANIMALS[index],
            taken=True,
            bot="steady" if index == 4 else "",
        )
        for index in range(5)
    )
    screen = Screen(
        table_id="k7qx2mvd",
        game="karriere-poker",
        options={"deals": 4},
        status="playing",
        is_public=True,
        host_seat=0,
        turn_seconds=45,
        ply=57,
        version=88,
        chairs=chairs,
        contributions=tuple(f"{index}f" * 16 for index in range(5)),
        due=NOW + 45_000,
        bell=None,
        commitment="c0" * 32,
    )
    return replace(screen, **changes)


def make_view(seat: int | None, **changes: Any) -> dict[str, Any]:
    """What a seat, or a spectator, sees: Bartosz has played two sevens, Cleo is to act."""
    view: dict[str, Any] = {
        "game": "karriere-poker",
        "seat": seat,
        "deal": 3,
        "order": [1, 2, 3, 4, 0],
        "ranks": [5, 1, 2, 3, 4],
        "rank_names": ["boss", "managing-director", "manager", "department-head", "dishwasher"],
        "to_act": [2],
        "leader": 0,
        "table": ["7", "7"],
        "table_number": 7,
        "table_seat": 1,
        "passed": [],
        "done": [],
        "hand_sizes": [6, 7, 9, 11, 4],
        "hand": None if seat is None else HAND,
        "played": [[], [], [], [], []],
        "refused": [{}, {}, {}, {}, {}],
        "led": [0, 0, 0, 0, 0],
        "pack": {"sets": 5, "jokers": 2},
        "wild": "J",
        "can_name_jokers": True,
        "out": [],
        "scores": [3, 7, 5, 4, 1],
        "exchanges": [
            {"giver": 0, "taker": 1, "count": 2, "cards": ["12", "13"] if seat in (0, 1) else None},
            {"giver": 1, "taker": 0, "count": 2, "cards": ["1", "2"] if seat in (0, 1) else None},
        ],
        "exchanged_now": False,
        "past": [{"deal": 1, "ranks": [1, 2, 3, 4, 5]}, {"deal": 2, "ranks": [5, 1, 2, 3, 4]}],
        "last_deal": False,
        "deals": 4,
        "minutes": None,
        "over": False,
        "places": None,
    }
    return view | changes


def played(ply: int = 58) -> LogLine:
    """Cleo beats the sevens."""
    return LogLine(ply, "played", 2, {"cards": ["9", "J"], "number": 9, "count": 2})
