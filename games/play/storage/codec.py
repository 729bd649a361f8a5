"""How a table is written to its row and read again: JSON text, keys as short as they are clear."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import msgspec

from games.play.storage.table import NORMAL, AnswerDue, Arrangement, BotDue, Interlude, LogLine, TableRuntime
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
"""Substring of the column `desk` of every paused table, and of no other; for `desk__contains` filters, as below."""
STANDING = '"standing"'
"""Substring of the column of every table that is paused because nobody is there."""
ARRANGED = '"arranged"'
"""Substring of the column of every arranged table."""

WAITS = '"waits"'
"""Substring of the column of every table that waited, or waits, for contributions before its game."""

HELD = '"held"'
"""Substring of the column of every table that one of its players has paused."""

NO_STAND_INS = '"stand_ins":[]'
"""Substring of the column of every table without stand-ins."""


def write_runtime(runtime: TableRuntime) -> str:
    """The runtime as JSON text, as the column `desk` stores it."""
    values: dict[str, Any] = {
        "clocks": runtime.clocks,
        "bot_due": runtime.bot_due,
        "bots": [bot[:3] for bot in runtime.bots],
        "timeouts": runtime.timeouts,
        "stand_ins": sorted(runtime.stand_ins),
        "standing_passes": sorted(runtime.standing_passes),
    }
    if runtime.standing_answers:
        values["standing_answers"] = runtime.standing_answers
    if runtime.answers:
        values["answers"] = runtime.answers
    if runtime.paused_at is not None:
        values["paused_at"] = runtime.paused_at
    if runtime.is_standing:
        values["standing"] = True
    if runtime.arranged is not None:
        arrangement = runtime.arranged
        shared = () if arrangement.shared_deal is None else (arrangement.shared_deal,)
        values["arranged"] = [
            sorted(arrangement.arrived),
            arrangement.deal_seed,
            arrangement.is_sealed,
            arrangement.home,
            *shared,
        ]
    if runtime.is_called:
        values["is_called"] = True
    if runtime.waits:
        values["waits"] = runtime.waits
    if runtime.lost:
        values["lost"] = runtime.lost
    if reserved := [bot.seat for bot in runtime.bots if bot.is_reserved]:
        values["reserved"] = reserved  # a key of its own, because older versions read "bots"
    if runtime.pace != NORMAL:
        values["pace"] = runtime.pace
    if runtime.is_timed:
        values["timed"] = True
    if runtime.is_untimed:
        values["untimed"] = True
    if runtime.is_held:
        values["held"] = True
    if runtime.ending:
        values["ending"] = sorted(runtime.ending)
    if runtime.interlude is not None:
        since, until, ready = runtime.interlude
        values["interlude"] = [since, until, sorted(ready)]
    if runtime.holidays:
        values["holidays"] = runtime.holidays
    if runtime.decisions.decided:
        values["decided"] = runtime.decisions.decided
    if runtime.decisions.stretches:
        values["stretches"] = runtime.decisions.stretches
    return write(values)


def read_stand_ins(text: str) -> tuple[int, ...]:
    """The seats with a stand-in, from the text of the column `desk`."""
    return tuple(read(text).get("stand_ins", ()))


def read_runtime(text: str) -> TableRuntime:
    """The inverse of `write_runtime`; an empty object is an empty runtime."""
    data = read(text)
    reserved = data.get("reserved", ())
    return TableRuntime(
        clocks=tuple(_read_clock(*clock) for clock in data.get("clocks", ())),
        bot_due=data.get("bot_due"),
        bots=tuple(BotDue(seat, serial, due, seat in reserved) for seat, serial, due in data.get("bots", ())),
        timeouts=tuple(data.get("timeouts", ())),
        stand_ins=frozenset(data.get("stand_ins", ())),
        standing_passes=frozenset(data.get("standing_passes", ())),
        standing_answers=tuple((seat, standing) for seat, standing in data.get("standing_answers", ())),
        answers=tuple(AnswerDue(seat, serial, due) for seat, serial, due in data.get("answers", ())),
        paused_at=data.get("paused_at"),
        is_standing="standing" in data,
        arranged=_read_arrangement(data["arranged"]) if "arranged" in data else None,
        decisions=_read_decisions(data),
        is_called=data.get("is_called", False),
        waits=tuple((seat, until) for seat, until in data.get("waits", ())),
        lost=data.get("lost", 0.0),
        pace=data.get("pace", NORMAL),
        is_timed="timed" in data,
        is_untimed="untimed" in data,
        is_held="held" in data,
        ending=frozenset(data.get("ending", ())),
        interlude=_read_interlude(data.get("interlude")),
        holidays=tuple((seat, since, until) for seat, since, until in data.get("holidays", ())),
    )


def _read_interlude(values: list[Any] | None) -> Interlude | None:
    return None if values is None else Interlude(values[0], values[1], frozenset(values[2]))


def read_decisions(text: str) -> DecisionLog:
    """Who decided so far, from the text of the column `desk`."""
    return _read_decisions(read(text))


def _read_decisions(data: dict[str, Any]) -> DecisionLog:
    stretches = tuple(StandInRun(*values) for values in data.get("stretches", ()))
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
    """One clock. `due` None means infinity, which JSON lacks; rows of older versions have fewer values."""
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


def build_log_lines(ply: int, events: tuple[Event, ...]) -> tuple[LogLine, ...]:
    """Log lines of what one ply caused."""
    return tuple(LogLine(ply, event.kind, event.seat, event.data, event.to) for event in events)


def write_lines(lines: tuple[LogLine, ...]) -> str:
    """The lines of one ply as JSON text, without the ply."""
    return write([line[1:] for line in lines])


def read_lines(ply: int, text: str) -> tuple[LogLine, ...]:
    """The inverse of `write_lines`."""
    return tuple(
        LogLine(ply, kind, seat, data, None if to is None else tuple(to)) for kind, seat, data, to in read(text)
    )
