"""A state as JSON values and back: hands as lists of ids, the table as words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.catalogue.fancy_animals.rules.cards import gather_tiles, list_ids
from games.catalogue.fancy_animals.rules.melds import read_meld
from games.catalogue.fancy_animals.rules.state import State
from games.rules.chance import Chance


def dump_state(state: State) -> dict[str, Any]:
    """JSON values of the whole state."""
    return {
        "chance": state.chance.to_json(),
        "animals": list(state.animals),
        "hands": [list(list_ids(hand)) for hand in state.hands],
        "deck": list(state.deck),
        "clothing": [list(deck) for deck in state.clothing],
        "table": [list(meld.words) for meld in state.table],
        "worn": [[list(pile) for pile in worn] for worn in state.worn],
        "active": list(state.active),
        "turn": state.turn,
        "last_turns": None if state.last_turns is None else list(state.last_turns),
        "passes": state.passes,
        "serial": state.serial,
    }


def load_state(data: Mapping[str, Any]) -> State:
    """The inverse of `dump_state`."""
    hands = tuple(gather_tiles(hand) for hand in data["hands"])
    last = data["last_turns"]
    bare = State(
        chance=Chance.from_json(data["chance"]),
        animals=tuple(data["animals"]),
        hands=hands,
        deck=tuple(data["deck"]),
        clothing=tuple(tuple(deck) for deck in data["clothing"]),
        table=(),
        tiles=0,
        worn=tuple(tuple(tuple(pile) for pile in worn) for worn in data["worn"]),
        active=tuple(data["active"]),
        turn=data["turn"],
        last_turns=None if last is None else tuple(last),
        passes=data["passes"],
        serial=data["serial"],
    )
    table = tuple(read_meld(tuple(words), bare.top, bare.loop) for words in data["table"])
    return bare._replace(table=table, tiles=sum(meld.tiles for meld in table))
