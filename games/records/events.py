"""One event of a record: exactly one of move, clock, expect, refuse, random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.records.document import name_json_kind
from games.records.faults import Fault
from games.records.fields import read_integer, read_object_at, read_text
from games.rules.phrases import PhraseList

EVENT_KEYS: Final = ("move", "clock", "expect", "refuse", "random")
MAX_WORD: Final = 100


class MoveEvent(NamedTuple):
    """A seat's move; t: seconds since the start, if known."""

    seat: int
    move: Mapping[str, Any]
    t: float | None = None


class ClockEvent(NamedTuple):
    """What time decides. event: as `on_clock` takes it, "clock" and, where the game wants one, "seat"."""

    event: Mapping[str, Any]


class ExpectEvent(NamedTuple):
    """Keys of the full state and the values that they must have here."""

    keys: Mapping[str, Any]


class RefuseEvent(NamedTuple):
    """A move or clock event that the game must refuse here."""

    tried: MoveEvent | ClockEvent


class RandomEvent(NamedTuple):
    """What chance decides in the very next move or clock event."""

    name: str
    value: Any


RecordEvent: TypeAlias = MoveEvent | ClockEvent | ExpectEvent | RefuseEvent | RandomEvent


def read_event(number: int, event: object) -> RecordEvent:
    """The event with this number. Unknown keys are ignored. Raises Fault."""
    if not isinstance(event, dict):
        raise Fault("an event must be an object, but this is %(kind)s", {"kind": name_json_kind(event)}, event=number)
    match _read_kind(number, event, EVENT_KEYS):
        case "move":
            return _read_move(number, event)
        case "clock":
            return _read_clock(number, event)
        case "expect":
            return ExpectEvent(read_object_at(event, "expect", event=number))
        case "random":
            return _read_random(number, event)
        case _:
            return _read_refuse(number, event)


def _read_kind(number: int, event: Mapping[str, Any], kinds: tuple[str, ...]) -> str:
    found = [kind for kind in kinds if kind in event]
    if len(found) != 1:
        values = {"kinds": PhraseList(kinds, ", "), "found": PhraseList(found, ", ")}
        if not found:
            raise Fault("expected exactly one of %(kinds)s, but found none", values, event=number)
        raise Fault("expected exactly one of %(kinds)s, but found %(found)s", values, event=number)
    return found[0]


def _read_move(number: int, event: Mapping[str, Any]) -> MoveEvent:
    seat = read_integer(event, "seat", event=number)
    return MoveEvent(seat, read_object_at(event, "move", event=number), _read_seconds(number, event))


def _read_seconds(number: int, event: Mapping[str, Any]) -> float | None:
    t = event.get("t")
    if t is None:
        return None
    if not isinstance(t, int | float) or isinstance(t, bool) or not 0 <= t <= 10**12:
        raise Fault("“t” must be a number of seconds, 0 or more", event=number)
    return t


def _read_clock(number: int, event: Mapping[str, Any]) -> ClockEvent:
    clock: dict[str, Any] = {"clock": read_text(event, "clock", MAX_WORD, event=number)}
    if "seat" in event:
        clock["seat"] = read_integer(event, "seat", event=number)
    return ClockEvent(clock)


def _read_refuse(number: int, event: Mapping[str, Any]) -> RefuseEvent:
    tried = read_object_at(event, "refuse", event=number)
    if _read_kind(number, tried, ("move", "clock")) == "move":
        return RefuseEvent(_read_move(number, tried))
    return RefuseEvent(_read_clock(number, tried))


def _read_random(number: int, event: Mapping[str, Any]) -> RandomEvent:
    values = read_object_at(event, "random", event=number)
    if len(values) != 1:
        raise Fault("“random” must have exactly one name (use one event for each value)", event=number)
    ((name, value),) = values.items()
    return RandomEvent(name, value)
