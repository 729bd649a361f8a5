"""A move, from whoever made it to the database: once, in order, or not at all."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import OperationalError

from games import bots, models
from games.play.errors import BadInput, Busy, Illegal, NotAllowed, Refusal, Stale
from games.play.moves import advance
from games.play.storage import heartbeat, round_trips, store
from games.play.storage.store import Conflict
from games.play.storage.table import PLAYING, Loaded
from games.play.storage.table_writes import NewPly
from games.records.stand_ins import BY, STAND_IN
from games.rules.base import IllegalMove, Seat
from games.rules.clock import delay_new_clocks, find_asked_since, find_overdue_clock

TRIES = 12
LONG = 1.0
"""Seconds from which on the present is not the moment any more at which a change was decided."""
MAX_KEY = 48
ANSWER_GRACE = 0.1
"""Seconds that a timer leaves to answers which arrived in time and wait for the database."""
_rng = random.Random(secrets.token_bytes(32))

T = TypeVar("T")


class Accepted(NamedTuple):
    """The table after the move; is_repeat: this key had been accepted before."""

    table: Loaded
    is_repeat: bool


def retry(table_id: str, attempt: Callable[[Loaded, float], T], *, now: float = 0.0) -> T:
    """Run a change on what this process knows of the table, again on what is stored if that was old.

    attempt: gives back the table as it got it, or None, where there is nothing to do. It gets the present, which is
    `now` at first: before a further try others may have held the database, and the computer's clock may have been
    set, with all that is due.
    Raises what `attempt` raises; Busy if others were faster too often. An old state is never why somebody is
    refused, or nothing is done.
    """
    began = time.time()
    table = store.fetch(table_id)
    for _ in range(TRIES):
        known, passed = table, time.time() - began
        try:
            done = attempt(known, now + passed if abs(passed) >= LONG else now)
        except Conflict:
            table = store.reload(table_id)
        except Refusal:
            if (table := store.refresh(table_id)).version <= known.version:
                raise
        else:
            if not (done is known or done is None) or (table := store.refresh(table_id)).version <= known.version:
                return done
    raise Busy("Too much is going on at this table at once. Try again in a moment.")


def submit_move(
    table_id: str,
    player_id: int | None,
    move: object,
    *,
    ply: int,
    key: str,
    now: float,
    begun: float | None = None,
) -> Accepted:
    """Make a person's move, seen and decided at this ply.

    now: when the server received it; begun: when somebody took it up, if it had to wait for that.

    Raises NotFound, NotAllowed (not your seat), Stale (the table has moved on), Illegal (with the
    sentence of the rules), BadInput, Busy. The same key twice is one move.
    """
    if not isinstance(move, dict):
        raise BadInput('A move is a JSON object, for example {"pass": true}.')
    if not 1 <= len(key) <= MAX_KEY or not key.isprintable():
        raise BadInput(
            "A move needs a key of its own, of 1 to %(most)s characters, so that it counts once.", most=MAX_KEY
        )

    is_late = False  # whether a clock ran out before this move

    def attempt(table: Loaded, present: float) -> Accepted:
        nonlocal is_late
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        if ply > table.ply:
            table = store.reload(table_id)
        name = f"{seat}:{key}"
        known, table = table, run_overdue(table, now=now - _forgive(table, seat, now=now))
        is_late |= table.ply > known.ply
        if table.status != PLAYING or not _is_present(table, seat, ply):
            return _find_repeat(table, name)
        if table.desk.is_standing:  # because nobody was there
            table = advance.go_on(table, now=present)
        if table.desk.paused_at is not None:
            raise Stale("The organiser has paused this table. The clocks stand still; wait until it goes on.")
        try:
            return Accepted(_make(table, seat, move, key=name, now=present), is_repeat=False)
        except Illegal:
            if not is_late:
                raise
            return _find_repeat(table, name)  # it answers what the clock has ended
        except Conflict:
            now_at = store.reload(table_id)
            if _is_present(now_at, seat, ply) and not _is_made(table_id, name):
                raise  # something else has changed, a presence or what another one answered: the move still stands
            return _find_repeat(now_at, name)

    return retry(table_id, attempt, now=now if begun is None or abs(begun - now) < LONG else begun)


def _is_present(table: Loaded, seat: Seat, ply: int) -> bool:
    """Whether what was decided at this ply answers what the seat is asked now.

    Others may have answered the same question meanwhile; whoever has moved himself is asked anew.
    """
    if ply == table.ply:
        return True
    since = find_asked_since(table.desk.clocks, seat)
    return since is not None and since <= ply < table.ply


def _forgive(table: Loaded, seat: Seat, *, now: float) -> float:
    """Seconds for which this seat's answer was on its way, if it came after a deadline; else it does not matter."""
    return round_trips.measured(table.id, (seat,)) if find_overdue_clock(table.desk.clocks, now) is not None else 0.0


def _find_repeat(table: Loaded, name: str) -> Accepted:
    if _is_made(table.id, name):
        return Accepted(table, is_repeat=True)
    if table.status != PLAYING:
        raise Stale("No game is under way at this table.")
    raise Stale("The table has moved on. Look again: what you see now is the present.")


def _is_made(table_id: str, name: str) -> bool:
    try:
        return models.Ply.objects.filter(table_id=table_id, key=name).exists()
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error


def _make(table: Loaded, seat: Seat, move: dict[str, Any], *, key: str | None, now: float) -> Loaded:
    try:
        state, events = table.rules.apply(table.state, seat, move)
    except IllegalMove as error:
        raise Illegal(error.template, **error.values) from error
    event: dict[str, Any] = {"seat": seat, "move": move}
    if key is None and seat in table.desk.stand_ins:
        event[BY] = STAND_IN
    after, ply = advance.step(table, event, state, events, now=now, key=key)
    if key is not None:
        after = advance.note_presence(after, seat)
    return commit(table, after, [ply], now=now)


def commit(before: Loaded, after: Loaded, plies: Sequence[NewPly] = (), *, now: float) -> Loaded:
    """Write what these plies came to, with the standing passes that follow, as one change. Raises Conflict, Busy."""
    after, passes = advance.run_standing_passes(after, now=now)
    after = with_bots(after, now=now)._replace(version=before.version + 1)
    began = time.monotonic()
    store.commit(before, after, [*plies, *passes])
    return give_back(before, after, time.monotonic() - began)


def give_back(before: Loaded, after: Loaded, waited: float) -> Loaded:
    """The table, where the database took so many seconds for a change: who is asked since then has his whole time."""

    def attempt(table: Loaded, _now: float) -> Loaded:
        clocks = delay_new_clocks(table.desk.clocks, before.desk.clocks, after.desk.clocks, by=waited)
        if table.status != PLAYING or clocks == table.desk.clocks:
            return table
        return store.commit(table, table.changed(desk=table.desk._replace(clocks=clocks)))

    if waited < LONG:
        return after
    try:
        return retry(after.id, attempt)
    except Refusal:  # the change is durable, and whoever made it is told so
        return after


def with_bots(table: Loaded, *, now: float) -> Loaded:
    """The table with the moment at which a bot whose turn it is will move."""
    return advance.wait_for_bots(table, now=now, delay=settings.BOT_DELAY, rng=_rng)


def run_overdue(table: Loaded, *, now: float, grace: float = 0.0) -> Loaded:
    """The table after every clock event whose time was over `grace` seconds ago. Raises Conflict, Busy."""
    while (
        table.status == PLAYING
        and table.desk.paused_at is None
        and (clock := find_overdue_clock(table.desk.clocks, now - grace)) is not None
        and not heartbeat.is_interrupted(now)
    ):
        try:
            state, events = table.rules.on_clock(table.state, clock.event)
        except IllegalMove:  # this wait ended by other means; its clock goes with the next step
            return table
        # The next turn begins now and not when this one ended: nobody loses time that nobody told him of.
        after, ply = advance.step(table, clock.event, state, events, now=now)
        if clock.event.get("clock") == "turn":
            after = advance.note_timeouts(after, clock.seats)
        table = commit(table, after, [ply], now=now)
    return table


def patience(table: Loaded) -> float:
    """Seconds that a timer leaves to answers which were sent in time: on their way, and before the database."""
    awaited = {seat for clock in table.desk.clocks if clock.left is None for seat in clock.seats}
    persons = tuple(place.seat for place in table.places if place.seat in awaited and not place.bot)
    return ANSWER_GRACE + (round_trips.measured(table.id, persons) if persons else 0.0)


def play_bot(table_id: str, *, ply: int, now: float) -> Loaded | None:
    """Make the move of the bot whose moment comes first; None if there is none at this ply, or any more."""

    def attempt(table: Loaded, now: float) -> Loaded | None:
        if table.ply < ply:
            table = store.reload(table_id)
        if table.status != PLAYING or table.desk.paused_at is not None or table.ply != ply:
            return None
        seat = advance.next_bot(table)
        if seat is None:
            return None
        if seat not in table.rules.to_act(table.state) and bots.stays_silent(
            table.rules.slug, table.bot_level(seat), _rng
        ):
            return store.commit(table, advance.silence(table, seat).changed())
        return _make(table, seat, choose(table, seat), key=None, now=now)

    return None if is_past(table_id, ply) else retry(table_id, attempt, now=now)


def is_past(table_id: str, ply: int) -> bool:
    """Whether this process knows that the table has moved on: no ply is ever taken back, so nobody need be asked."""
    known = store.peek(table_id)
    return known is not None and known.ply > ply


def choose(table: Loaded, seat: Seat) -> dict[str, Any]:
    """The move of the bot that plays for this seat: from what the seat may know, and nothing else."""
    rules, level = table.rules, table.bot_level(seat) or "steady"
    legal = rules.legal_moves(table.state, seat)
    if legal is None:
        legal = [rules.legal_sample(table.state, seat, _rng) for _ in range(16)]
    return dict(bots.choose(rules.slug, rules.view(table.state, seat), legal, _rng, level))
