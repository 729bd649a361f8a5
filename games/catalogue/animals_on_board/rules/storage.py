"""A state as JSON values and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.catalogue.animals_on_board.rules.state import GameSetup, Round, State
from games.rules.chance import Chance


def dump_state(state: State) -> dict[str, Any]:
    """JSON values of the whole state."""
    table = state.table
    return {
        "table": [table.seats, list(table.species), list(table.stack)],
        "chance": table.chance.to_json(),
        "round": list(state.round),
        "turn": state.turn,
        "groups": [[number, list(tiles)] for number, tiles in state.groups.items()],
        "crates": list(state.crates),
        "arks": [list(ark) for ark in state.arks],
        "in_round": list(state.in_round),
        "dropped": list(state.dropped),
        "face_down": state.face_down,
        "counts": [state.last_number, state.flag, state.drawn, state.forfeits, state.serial],
        "bell": state.bell,
    }


def load_state(data: Mapping[str, Any]) -> State:
    """The inverse of `dump_state`."""
    seats, species, stack = data["table"]
    last_number, flag, drawn, forfeits, serial = data["counts"]
    number, is_laid = data["round"]
    return State(
        table=GameSetup(seats, tuple(species), tuple(stack), Chance.from_json(data["chance"])),
        round=Round(number, is_laid),
        turn=data["turn"],
        groups={number: tuple(tiles) for number, tiles in data["groups"]},
        last_number=last_number,
        crates=tuple(data["crates"]),
        arks=tuple(tuple(ark) for ark in data["arks"]),
        in_round=tuple(data["in_round"]),
        dropped=tuple(data["dropped"]),
        flag=flag,
        face_down=data["face_down"],
        drawn=drawn,
        forfeits=forfeits,
        bell=data["bell"],
        serial=serial,
    )
