"""How a table is written to its row and read again: JSON text, keys as short as they are clear."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import msgspec

from games.play.storage.table import Arrangement, BotDue, Desk, Line
from games.records.stand_ins import DecisionLog, StandIn, StandInRun
from games.rules.base import Event, Outcome
from games.rules.clock import Clock

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


def write(value: object) -> str:
    """JSON text."""
    return encode(value).decode()


def read(text: str) -> Any:
    """The value of JSON text."""
    return decode(text)


PAUSED = '"paused_at"'
"""Stands in the text of the desk of a table that stands still, and of no other."""
STANDING = '"standing"'
"""Stands in the text of the desk of a table that stands still because nobody is there."""
ARRANGED = '"arranged"'
"""Stands in the text of the desk of a table that somebody has arranged."""

WAITS = '"waits"'
"""Stands in the text of the desk of a table whose people were waited for before its game, and of no table without."""

UNLEFT = '"stand_ins":[]'
"""Stands in the text of the desk of a table at which no bot plays for anybody who is not there."""


def write_desk(desk: Desk) -> str:
    """The desk as JSON text."""
    values: dict[str, Any] = {
        "clocks": desk.clocks,
        "bot_due": desk.bot_due,
        "bots": desk.bots,
        "timeouts": desk.timeouts,
        "stand_ins": sorted(desk.stand_ins),
        "standing_passes": sorted(desk.standing_passes),
    }
    if desk.paused_at is not None:
        values["paused_at"] = desk.paused_at
    if desk.is_standing:
        values["standing"] = True
    if desk.arranged is not None:
        known = desk.arranged
        shared = () if known.shared_deal is None else (known.shared_deal,)
        values["arranged"] = [sorted(known.arrived), known.deal_seed, known.is_sealed, known.home, *shared]
    if desk.is_called:
        values["is_called"] = True
    if desk.waits:
        values["waits"] = desk.waits
    if desk.lost:
        values["lost"] = desk.lost
    if desk.played.decided:
        values["decided"] = desk.played.decided
    if desk.played.stretches:
        values["stretches"] = desk.played.stretches
    return write(values)


def read_stand_ins(text: str) -> tuple[int, ...]:
    """Of a desk as text, the chairs of those for whom a bot plays."""
    return tuple(read(text).get("stand_ins", ()))


def read_desk(text: str) -> Desk:
    """The inverse of `write_desk`; an empty object is an empty desk."""
    data = read(text)
    return Desk(
        clocks=tuple(_read_clock(*clock) for clock in data.get("clocks", ())),
        bot_due=data.get("bot_due"),
        bots=tuple(BotDue(*bot) for bot in data.get("bots", ())),
        timeouts=tuple(data.get("timeouts", ())),
        stand_ins=frozenset(data.get("stand_ins", ())),
        standing_passes=frozenset(data.get("standing_passes", ())),
        paused_at=data.get("paused_at"),
        is_standing="standing" in data,
        arranged=_read_arrangement(data["arranged"]) if "arranged" in data else None,
        played=_read_played(data),
        is_called=data.get("is_called", False),
        waits=tuple((seat, until) for seat, until in data.get("waits", ())),
        lost=data.get("lost", 0.0),
    )


def read_played(text: str) -> DecisionLog:
    """Of a desk as text, who decided so far."""
    return _read_played(read(text))


def _read_played(data: dict[str, Any]) -> DecisionLog:
    stretches = tuple(StandInRun(*one) for one in data.get("stretches", ()))
    return DecisionLog(tuple(data.get("decided", ())), stretches)


def write_stand_in(stand_in: StandIn | None) -> str:
    """What a stand-in played for a seat, as JSON text; empty without one."""
    return "" if stand_in is None else write({"all": stand_in.is_all, "moves": stand_in.moves})


def read_stand_in(text: str) -> StandIn | None:
    """The inverse of `write_stand_in`."""
    if not text:
        return None
    data = read(text)
    return StandIn(data["all"], tuple((first, last) for first, last in data["moves"]))


def _read_clock(
    event: dict[str, Any],
    seats: list[int],
    serial: int,
    due: float | None,
    left: float | None = None,
    since: Sequence[int] = (),
) -> Clock:
    """One clock; JSON has no infinity, and a table that was under way before clocks could be held has fewer values."""
    return Clock(event, tuple(seats), serial, inf if due is None else due, left, tuple(since))


def _read_arrangement(values: list[Any]) -> Arrangement:
    arrived, deal_seed, is_sealed, home, *shared = values
    return Arrangement(frozenset(arrived), deal_seed, is_sealed, home, *shared)


def write_outcome(outcome: Outcome | None) -> str:
    """The result as JSON text, empty while there is none."""
    return write({"places": outcome.places, "scores": outcome.scores}) if outcome else ""


def read_outcome(text: str) -> Outcome | None:
    """The inverse of `write_outcome`."""
    if not text:
        return None
    data = read(text)
    return Outcome(tuple(data["places"]), None if data["scores"] is None else tuple(data["scores"]))


def lines_of(ply: int, events: tuple[Event, ...]) -> tuple[Line, ...]:
    """Log lines of what one ply caused."""
    return tuple(Line(ply, event.kind, event.seat, event.data, event.to) for event in events)


def write_lines(lines: tuple[Line, ...]) -> str:
    """The lines of one ply as JSON text, without the ply."""
    return write([line[1:] for line in lines])


def read_lines(ply: int, text: str) -> tuple[Line, ...]:
    """The inverse of `write_lines`."""
    return tuple(Line(ply, kind, seat, data, None if to is None else tuple(to)) for kind, seat, data, to in read(text))
