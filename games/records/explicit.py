"""Rewrites a record so that it needs no seed: everything that chance decided is written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.records.events import ClockEvent, MoveEvent, RandomEvent
from games.records.format import Record
from games.records.replay import FindRules, ReplayStep, find_rules, replay
from games.records.writer import to_plain_json, write_random_event
from games.rules import registry


def write_explicit(record: Record, *, find: FindRules = registry.find) -> dict[str, Any]:
    """The record without `seed`, with a complete `setup` and all `random` events; every other key as it was.

    Raises Fault where the record does not hold.
    """
    rules = find_rules(record, find=find)
    steps = list(replay(record, find=find))
    rest = {key: value for key, value in record.source.items() if key not in ("seed", "setup", "events", "result")}
    written = {
        **rest,
        "setup": to_plain_json(rules.setup_of(steps[0].state)),
        "events": list(_write_events(record, steps[1:])),
    }
    if "result" in record.source:
        written["result"] = record.source["result"]
    return written


def _write_events(record: Record, steps: Sequence[ReplayStep]) -> Iterator[Any]:
    waiting: list[tuple[RandomEvent, Any]] = []
    for step, source in zip(steps, record.source["events"], strict=True):
        if isinstance(step.entry, RandomEvent):
            waiting.append((step.entry, source))
            continue
        if isinstance(step.entry, MoveEvent | ClockEvent):
            yield from _write_chance(waiting, step.drawn)
            waiting = []
        yield source


def _write_chance(waiting: list[tuple[RandomEvent, Any]], drawn: Sequence[tuple[str, Any]]) -> list[Any]:
    """What chance decided in one event, in order. What the record supplied itself keeps its own wording.

    The next supplied value wins over the seed whenever its name is asked for, so names tell the two apart.
    """
    left = list(waiting)
    written = []
    for name, value in drawn:
        is_supplied = bool(left) and left[0][0].name == name
        written.append(left.pop(0)[1] if is_supplied else write_random_event(name, value))
    return [source for _, source in left] + written
