"""A state as JSON values and back. Hands and piles are strings of hex digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.catalogue.super_zwierzaki.rules.state import Demand, Duel, Play, State, Terms
from games.rules.chance import Chance

_SPECIAL = ("terms", "chance", "hands", "heap", "pile", "named", "play", "duel")
_PLAIN = tuple(name for name in State._fields if name not in _SPECIAL)


def dump_state(state: State) -> dict[str, Any]:
    """JSON values of the whole state, apart from what was drawn a moment ago."""
    return {
        "terms": _to_lists(state.terms),
        "chance": state.chance.to_json(),
        "hands": [f"{hand:x}" for hand in state.hands],
        "heap": state.heap.hex(),
        "pile": state.pile.hex(),
        "named": _to_lists(state.named),
        "play": _to_lists(state.play),
        "duel": _to_lists(state.duel),
        **{name: _to_lists(getattr(state, name)) for name in _PLAIN},
    }


def load_state(data: Mapping[str, Any]) -> State:
    """The inverse of `dump_state`."""
    named, play, duel = (_to_tuples(data[name]) for name in ("named", "play", "duel"))
    return State(
        terms=Terms._make(_to_tuples(data["terms"])),
        chance=Chance.from_json(data["chance"]),
        hands=tuple(int(hand, 16) for hand in data["hands"]),
        heap=bytes.fromhex(data["heap"]),
        pile=bytes.fromhex(data["pile"]),
        named=None if named is None else Demand(*named),
        play=None if play is None else Play(*play),
        duel=None if duel is None else Duel(*duel),
        **{name: _to_tuples(data[name]) for name in _PLAIN},
    )


def _to_lists(value: Any) -> Any:
    """Nested tuples as nested lists."""
    return [_to_lists(item) for item in value] if isinstance(value, tuple) else value


def _to_tuples(value: Any) -> Any:
    """Nested lists as nested tuples."""
    return tuple(_to_tuples(item) for item in value) if isinstance(value, list) else value
