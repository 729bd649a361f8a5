"""Pure functions from one version of a running game to the next: clocks, absences, standing orders, result."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from games.play.errors import Stale
from games.play.moves import bot_pace, window_answers
from games.play.storage.codec import build_log_lines
from games.play.storage.store import RECENT_PLIES
from games.play.storage.table import OVER, PLAYING, BotDue, LoadedTable, LogLine
from games.play.storage.table_writes import NewPly
from games.records.stand_ins import BY, ORDER, STAND_IN
from games.rules.base import Event, Seat
from games.rules.clock import Clock, postpone_clocks, update_clocks
from games.rules.day_pace import SeatHoliday, hold_for_holidays, resume_after

ABSENT_AFTER = 2
"""Turns in a row that must run out before a stand-in takes over: one may be a bad connection."""


def advance_game(
    table: LoadedTable,
    event: Mapping[str, Any],
    state: Any,
    events: tuple[Event, ...],
    *,
    now: float,
    key: str | None = None,
) -> tuple[LoadedTable, NewPly]:
    """The table after one accepted move or clock event, and the ply to write.

    event: has `BY` if a stand-in, a standing order or the server moves for a person's seat; key: only of moves a person
    sent.
    `version` is not raised here: several plies may be one change.
    """
    number = table.ply + 1
    lines = build_log_lines(number, events)
    started = table.started_at if table.started_at is not None else now
    outcome = table.rules.outcome(state)
    runtime, rules = table.runtime, table.rules
    passes, decisions = runtime.standing_passes, runtime.decisions
    if passes and any(happened.kind in rules.standing_pass_ends for happened in events):
        passes = frozenset()
    mover = event.get("seat") if "move" in event else None
    if mover is not None and (key is not None or event.get(BY) in (STAND_IN, ORDER)):  # a person's seat
        decisions = decisions.add(number, mover, is_stand_in=event.get(BY) == STAND_IN)
    deadlines = table.list_deadlines(state)
    clocks = update_clocks(runtime.clocks, deadlines, turn_seconds=table.turn_seconds, now=now, ply=number, mover=mover)
    if table.is_over_days:
        clocks = hold_for_holidays(
            runtime.clocks, clocks, holidays_before=runtime.holidays, holidays=runtime.holidays, now=now
        )
    bots = tuple(bot for bot in runtime.bots if bot.seat != mover)
    after = table._replace(
        ply=number,
        state=state,
        runtime=runtime._replace(clocks=clocks, bot_due=None, bots=bots, standing_passes=passes, decisions=decisions),
        log=(*_drop_old_lines(table.log, number - RECENT_PLIES), *lines),
        outcome=outcome,
        status=OVER if outcome else table.status,
        ended_at=now if outcome else None,
    )
    after = window_answers.end_standing_answers(after)
    # A computer's clock may be set back while people play: no ply is earlier than the start.
    return after, NewPly(number, dict(event), lines, key, max(0.0, round(now - started, 3)))


def _drop_old_lines(log: tuple[LogLine, ...], last: int) -> tuple[LogLine, ...]:
    """The log without the lines up to this ply, which come first."""
    first = next((index for index, line in enumerate(log) if line.ply > last), len(log))
    return log[first:]


def run_standing_passes(table: LoadedTable, *, now: float) -> tuple[LoadedTable, list[NewPly]]:
    """Pass for every player on turn who has ordered it, one after the other."""
    plies: list[NewPly] = []
    move = {"pass": True}
    while table.runtime.standing_passes and table.outcome is None and not table.is_suspended:
        to_act = table.rules.to_act(table.state)
        if len(to_act) != 1 or to_act[0] not in table.runtime.standing_passes:
            break
        if move not in [dict(legal) for legal in table.rules.legal_moves(table.state, to_act[0]) or ()]:
            break
        state, events = table.rules.apply(table.state, to_act[0], move)
        table, ply = advance_game(table, {"seat": to_act[0], "move": move, BY: ORDER}, state, events, now=now)
        plies.append(ply)
    return table, plies


def schedule_bots(table: LoadedTable, *, now: float, delay: float, rng: random.Random) -> LoadedTable:
    """The table with the time at which each awaited bot answers; times that are set stay.

    now, delay: seconds. How long bots wait: `bot_pace`.
    """
    scheduled = {(bot.seat, bot.serial): bot for bot in table.runtime.bots}

    def choose(seat: Seat, clock: Clock) -> BotDue:
        is_reserved = bot_pace.is_reserved(table, clock)
        bot = scheduled.get((seat, clock.serial))
        if bot is not None and (bot.due is None or is_reserved or not bot.is_reserved):
            return bot
        pause = bot_pace.choose_pause(table, seat, clock, now=now, delay=delay, rng=rng)
        due = None if pause is None else now + pause
        if bot is not None and bot.due is not None and due is not None:
            due = min(due, bot.due)  # nobody waits longer because a person has answered
        return BotDue(seat, clock.serial, due, is_reserved)

    bots = tuple(choose(seat, clock) for seat, clock in list_awaited_bots(table))
    due = min((bot.due for bot in bots if bot.due is not None), default=None)
    if (bots, due) == (table.runtime.bots, table.runtime.bot_due):
        return table
    return table._replace(runtime=table.runtime._replace(bots=bots, bot_due=due))


def list_awaited_bots(table: LoadedTable) -> list[tuple[Seat, Clock]]:
    """Seats of bots and stand-ins that a clock waits for, each with the first such clock."""
    if table.status != PLAYING or table.outcome is not None or table.is_suspended:
        return []
    first: dict[Seat, Clock] = {}
    for clock in table.runtime.clocks:
        for seat in clock.seats if clock.left is None else ():
            if seat not in first and table.bot_level(seat) is not None:
                first[seat] = clock
    return list(first.items())


def find_next_bot(table: LoadedTable) -> Seat | None:
    """The bot whose time comes first."""
    bots = [bot for bot in table.runtime.bots if bot.due is not None]
    if not table.runtime.bots:
        return next((seat for seat, _ in list_awaited_bots(table)), None)
    return min(bots, key=lambda bot: bot.due or 0.0).seat if bots else None


def silence_bot(table: LoadedTable, seat: Seat) -> LoadedTable:
    """The table after this bot decided to let its clock run out."""
    bots = tuple(bot._replace(due=None) if bot.seat == seat else bot for bot in table.runtime.bots)
    due = min((bot.due for bot in bots if bot.due is not None), default=None)
    return window_answers.include_answers(table._replace(runtime=table.runtime._replace(bots=bots, bot_due=due)))


def resume_clocks(table: LoadedTable, *, now: float) -> LoadedTable:
    """The paused table, running again, with as much time on every clock as before; an interlude is over."""
    since = now if table.runtime.paused_at is None else table.runtime.paused_at
    clocks = table.runtime.clocks
    if table.is_over_days:
        clocks = resume_after(clocks, table.runtime.holidays, since=since, now=now)
    else:
        deadlines = table.list_deadlines(table.state)
        clocks = postpone_clocks(clocks, deadlines, by=now - since, turn_seconds=table.turn_seconds, now=now)
    runtime = table.runtime._replace(clocks=clocks, paused_at=None, is_standing=False, is_held=False, interlude=None)
    return table._replace(runtime=runtime)


def get_longest_turn(table: LoadedTable) -> float:
    """The most seconds that a clock can have after an interruption: in games over days holidays may add to a turn."""
    return inf if table.is_over_days else table.turn_seconds


def set_holidays(table: LoadedTable, holidays: Sequence[SeatHoliday], *, now: float) -> LoadedTable:
    """The table whose clocks stand still on these holidays instead of the ones before. Other times stay."""
    runtime = table.runtime
    present = now if runtime.paused_at is None else runtime.paused_at  # the clocks stand there
    clocks = hold_for_holidays(
        runtime.clocks, runtime.clocks, holidays_before=runtime.holidays, holidays=holidays, now=present
    )
    return table._replace(runtime=runtime._replace(clocks=clocks, holidays=tuple(holidays)))


def pause_if_abandoned(table: LoadedTable, *, now: float) -> LoadedTable:
    """A game over days, paused until somebody returns if all of its people have a stand-in: bots alone do not go on.

    An arranged table goes on: a round waits for its result.
    """
    people = set(table.people)
    if table.runtime.arranged is not None:
        return table
    if not table.is_over_days or not people or not people <= table.runtime.stand_ins:
        return table
    if table.status != PLAYING or table.outcome is not None or table.runtime.paused_at is not None:
        return table
    runtime = table.runtime._replace(paused_at=now, is_standing=True, bot_due=None, bots=(), answers=())
    return table._replace(runtime=runtime)


def require_running(table: LoadedTable) -> None:
    """Raises Stale while the table is paused."""
    if table.runtime.is_held:
        raise Stale("This table is paused. Resume the game first.")
    if table.runtime.paused_at is not None:
        raise Stale("An organiser has paused this table and its clocks. Wait until play resumes.")


def end_if_agreed(table: LoadedTable, *, now: float) -> LoadedTable:
    """The table, over without a result if all of its people who are not away agree to that."""
    present = set(table.people) - table.runtime.stand_ins
    if table.status != PLAYING or not present or not present <= table.runtime.ending:
        return table
    return table._replace(status=OVER, ended_at=now, state=None)


def note_presence(table: LoadedTable, seat: Seat) -> LoadedTable:
    """The table after its player showed up: no timeouts are counted and their stand-in leaves."""
    runtime = table.runtime
    if not runtime.timeouts[seat] and seat not in runtime.stand_ins:
        return table
    timeouts = tuple(0 if index == seat else count for index, count in enumerate(runtime.timeouts))
    return table._replace(runtime=runtime._replace(timeouts=timeouts, stand_ins=runtime.stand_ins - {seat}))


def note_timeouts(table: LoadedTable, seats: Sequence[Seat]) -> LoadedTable:
    """The table after these seats' time ran out: after `ABSENT_AFTER` turns in a row a player gets a stand-in."""
    persons = {place.seat for place in table.places if not place.bot}
    runtime = table.runtime
    timeouts = tuple(
        count + 1 if index in seats and index in persons else count for index, count in enumerate(runtime.timeouts)
    )
    absent = {index for index in seats if index in persons and timeouts[index] >= ABSENT_AFTER}
    return table._replace(runtime=runtime._replace(timeouts=timeouts, stand_ins=runtime.stand_ins | absent))
