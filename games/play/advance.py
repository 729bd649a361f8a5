"""From one version of a running game to the next, without any I/O: clocks, absences, standing orders, result."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.clock import run_on
from games.play.codec import lines_of
from games.play.store import LOG_PLIES
from games.play.table import OVER, Loaded
from games.play.writing import NewPly
from games.rules.base import Event, Seat

ABSENT_AFTER = 2
"""Turns in a row that must run out before a bot takes over."""
BOT_SPREAD = 0.5
"""A bot's delay varies by this part of itself, up and down."""


def step(
    table: Loaded,
    event: Mapping[str, Any],
    state: Any,
    events: tuple[Event, ...],
    *,
    now: float,
    key: str | None = None,
) -> tuple[Loaded, NewPly]:
    """The table after one accepted move or clock event, and the ply to write.

    `version` is not raised here: several steps may be one change.
    """
    number = table.ply + 1
    lines = lines_of(number, events)
    started = table.started_at if table.started_at is not None else now
    outcome = table.rules.outcome(state)
    desk = table.desk
    if table.rules.standing_pass_ends and any(happened.kind in table.rules.standing_pass_ends for happened in events):
        desk = replace(desk, standing_passes=frozenset())
    clocks = run_on(desk.clocks, table.rules.deadlines(state), turn_seconds=table.turn_seconds, now=now)
    after = replace(
        table,
        ply=number,
        state=state,
        desk=replace(desk, clocks=clocks, bot_due=None),
        log=(*(line for line in table.log if line.ply > number - LOG_PLIES), *lines),
        outcome=outcome,
        status=OVER if outcome else table.status,
        ended_at=now if outcome else None,
    )
    return after, NewPly(number, dict(event), lines, key, round(now - started, 3))


def run_standing_passes(table: Loaded, *, now: float) -> tuple[Loaded, list[NewPly]]:
    """Pass for everybody whose turn it is and who has ordered it, one after the other."""
    plies: list[NewPly] = []
    move = {"pass": True}
    while table.desk.standing_passes and table.outcome is None and table.desk.paused_at is None:
        to_act = table.rules.to_act(table.state)
        if len(to_act) != 1 or to_act[0] not in table.desk.standing_passes:
            break
        if move not in [dict(legal) for legal in table.rules.legal_moves(table.state, to_act[0]) or ()]:
            break
        state, events = table.rules.apply(table.state, to_act[0], move)
        table, ply = step(table, {"seat": to_act[0], "move": move}, state, events, now=now)
        plies.append(ply)
    return table, plies


def wait_for_bots(table: Loaded, *, now: float, delay: float, rng: random.Random) -> Loaded:
    """The table with the moment at which a bot whose turn it is will move; a moment once set stays."""
    if table.outcome is not None or table.desk.paused_at is not None or not waiting_bots(table):
        return replace(table, desk=replace(table.desk, bot_due=None)) if table.desk.bot_due is not None else table
    if table.desk.bot_due is not None:
        return table
    pause = delay * (1 + BOT_SPREAD * (2 * rng.random() - 1))
    return replace(table, desk=replace(table.desk, bot_due=now + pause))


def waiting_bots(table: Loaded) -> list[Seat]:
    """Seats that may move now and that a bot plays for."""
    return [seat for seat in table.rules.to_act(table.state) if table.bot_level(seat) is not None]


def note_presence(table: Loaded, seat: Seat) -> Loaded:
    """The table after a sign of life: no turn in a row has run out, no bot stands in."""
    desk = table.desk
    if not desk.timeouts[seat] and seat not in desk.stand_ins:
        return table
    timeouts = tuple(0 if index == seat else count for index, count in enumerate(desk.timeouts))
    return replace(table, desk=replace(desk, timeouts=timeouts, stand_ins=desk.stand_ins - {seat}))


def note_timeouts(table: Loaded, seats: Sequence[Seat]) -> Loaded:
    """The table after these seats' time ran out: whoever let two turns pass in a row gets a stand-in."""
    persons = {place.seat for place in table.places if not place.bot}
    desk = table.desk
    timeouts = tuple(
        count + 1 if index in seats and index in persons else count for index, count in enumerate(desk.timeouts)
    )
    absent = {index for index in seats if index in persons and timeouts[index] >= ABSENT_AFTER}
    return replace(table, desk=replace(desk, timeouts=timeouts, stand_ins=desk.stand_ins | absent))
