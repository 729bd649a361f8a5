"""From one version of a running game to the next, without any I/O: clocks, absences, standing orders, result."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from games.play.storage.codec import lines_of
from games.play.storage.store import LOG_PLIES
from games.play.storage.table import OVER, BotDue, Line, Loaded
from games.play.storage.table_writes import NewPly
from games.records.stand_ins import BY, ORDER, STAND_IN
from games.rules.base import Event, Seat
from games.rules.clock import Clock, postpone_clocks, update_clocks

ABSENT_AFTER = 2
"""Turns in a row that must run out before a bot takes over."""
BOT_SPREAD = 0.5
"""A bot's delay varies by this part of itself, up and down."""
MOST_OF_TIME = 0.8
"""A bot takes at most this part of the time that is left."""


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

    event: with `BY` where a person's seat moves and the person did not send the move; a key is a person's.
    `version` is not raised here: several steps may be one change.
    """
    number = table.ply + 1
    lines = lines_of(number, events)
    started = table.started_at if table.started_at is not None else now
    outcome = table.rules.outcome(state)
    desk = table.desk
    if table.rules.standing_pass_ends and any(happened.kind in table.rules.standing_pass_ends for happened in events):
        desk = desk._replace(standing_passes=frozenset())
    mover = event.get("seat") if "move" in event else None
    if mover is not None and (key is not None or BY in event):  # a person's seat
        desk = desk._replace(played=desk.played.add(number, mover, is_stand_in=event.get(BY) == STAND_IN))
    deadlines = table.rules.deadlines(state)
    clocks = update_clocks(desk.clocks, deadlines, turn_seconds=table.turn_seconds, now=now, ply=number, mover=mover)
    bots = tuple(bot for bot in desk.bots if bot.seat != mover)
    after = table._replace(
        ply=number,
        state=state,
        desk=desk._replace(clocks=clocks, bot_due=None, bots=bots),
        log=(*_shorten(table.log, number - LOG_PLIES), *lines),
        outcome=outcome,
        status=OVER if outcome else table.status,
        ended_at=now if outcome else None,
    )
    # A computer's clock may be set back while people play: no ply is earlier than the start.
    return after, NewPly(number, dict(event), lines, key, max(0.0, round(now - started, 3)))


def _shorten(log: tuple[Line, ...], last: int) -> tuple[Line, ...]:
    """Without the lines up to this ply: they come first."""
    first = next((index for index, line in enumerate(log) if line.ply > last), len(log))
    return log[first:]


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
        table, ply = step(table, {"seat": to_act[0], "move": move, BY: ORDER}, state, events, now=now)
        plies.append(ply)
    return table, plies


def wait_for_bots(table: Loaded, *, now: float, delay: float, rng: random.Random) -> Loaded:
    """The table with the moment at which each bot that is waited for will answer; a moment once set stays.

    The moments depend on the wait and on chance alone: nothing can be read from a bot's pause.
    """
    known = {(bot.seat, bot.serial): bot for bot in table.desk.bots}
    bots = tuple(
        known.get((seat, clock.serial)) or BotDue(seat, clock.serial, now + draw_pause(clock.due - now, delay, rng))
        for seat, clock in waiting_bots(table)
    )
    due = min((bot.due for bot in bots if bot.due is not None), default=None)
    if (bots, due) == (table.desk.bots, table.desk.bot_due):
        return table
    return table._replace(desk=table.desk._replace(bots=bots, bot_due=due))


def draw_pause(left: float, delay: float, rng: random.Random) -> float:
    """How long a bot thinks: about the usual delay, but never so long that its time runs out."""
    return min(delay * (1 + BOT_SPREAD * (2 * rng.random() - 1)), max(0.0, left) * MOST_OF_TIME)


def waiting_bots(table: Loaded) -> list[tuple[Seat, Clock]]:
    """Seats that a clock waits for and that a bot plays for, each with the first such clock."""
    if table.outcome is not None or table.desk.paused_at is not None:
        return []
    first: dict[Seat, Clock] = {}
    for clock in table.desk.clocks:
        for seat in clock.seats if clock.left is None else ():
            if seat not in first and table.bot_level(seat) is not None:
                first[seat] = clock
    return list(first.items())


def next_bot(table: Loaded) -> Seat | None:
    """The bot whose moment comes first."""
    bots = [bot for bot in table.desk.bots if bot.due is not None]
    if not table.desk.bots:
        return next((seat for seat, _ in waiting_bots(table)), None)
    return min(bots, key=lambda bot: bot.due or 0.0).seat if bots else None


def silence(table: Loaded, seat: Seat) -> Loaded:
    """The table after this bot decided to let its wait run out."""
    bots = tuple(bot._replace(due=None) if bot.seat == seat else bot for bot in table.desk.bots)
    due = min((bot.due for bot in bots if bot.due is not None), default=None)
    return table._replace(desk=table.desk._replace(bots=bots, bot_due=due))


def go_on(table: Loaded, *, now: float) -> Loaded:
    """A table that stands still, under way again, with every clock as it was."""
    since = now if table.desk.paused_at is None else table.desk.paused_at
    deadlines = table.rules.deadlines(table.state)
    clocks = postpone_clocks(table.desk.clocks, deadlines, by=now - since, turn_seconds=table.turn_seconds, now=now)
    return table._replace(desk=table.desk._replace(clocks=clocks, paused_at=None, is_standing=False))


def note_presence(table: Loaded, seat: Seat) -> Loaded:
    """The table after a sign of life: no turn in a row has run out, no bot stands in."""
    desk = table.desk
    if not desk.timeouts[seat] and seat not in desk.stand_ins:
        return table
    timeouts = tuple(0 if index == seat else count for index, count in enumerate(desk.timeouts))
    return table._replace(desk=desk._replace(timeouts=timeouts, stand_ins=desk.stand_ins - {seat}))


def note_timeouts(table: Loaded, seats: Sequence[Seat]) -> Loaded:
    """The table after these seats' time ran out: whoever let two turns pass in a row gets a stand-in."""
    persons = {place.seat for place in table.places if not place.bot}
    desk = table.desk
    timeouts = tuple(
        count + 1 if index in seats and index in persons else count for index, count in enumerate(desk.timeouts)
    )
    absent = {index for index in seats if index in persons and timeouts[index] >= ABSENT_AFTER}
    return table._replace(desk=desk._replace(timeouts=timeouts, stand_ins=desk.stand_ins | absent))
