"""Submits moves of people and bots to the database: once, in order, or not at all."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import OperationalError

from games import bots, models
from games.play.errors import BadInput, Busy, Illegal, NotAllowed, Refusal, Stale
from games.play.moves import advance, interludes, window_answers
from games.play.storage import codec, heartbeat, marks, round_trips, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.store import Conflict
from games.play.storage.table import PLAYING, AnswerDue, LoadedTable
from games.play.storage.table_writes import NewPly
from games.records.stand_ins import AUTOMATIC, BY, ORDER, STAND_IN
from games.rules.base import IllegalMove, Move, Seat
from games.rules.clock import delay_new_clocks, find_asked_since, find_overdue_clock

MAX_ATTEMPTS = 12
"""Attempts before a change that others keep overtaking is refused as busy."""
SLOW_SECONDS = 1.0
"""A write that takes so many seconds counts as slow: its time is returned to the clocks that it started."""
MAX_KEY = 48
"""Characters of an idempotency key: a UUID fits."""
ANSWER_GRACE = 0.1
"""Seconds that a timer waits for moves which arrived in time but still wait for the database: a few writes."""
MAX_LATER = 32
"""Plies after a late move that are read to say why it is late."""
SAMPLED_MOVES = 16
"""Moves that a bot is offered where they are too many to list."""
BOT_EARLY_SECONDS = 60.0
"""Seconds before its time at which a bot may move in a game over days: more than clocks of computers differ."""
_rng = random.Random(secrets.token_bytes(32))

T = TypeVar("T")
ChooseBotMove = Callable[[LoadedTable, Seat], Move | None]
"""A table and a seat → the move of the bot that plays there; None while it is not decided yet."""


class AcceptedMove(NamedTuple):
    """The table after the move; is_repeat: this key had been accepted before."""

    table: LoadedTable
    is_repeat: bool


def retry(table_id: str, attempt: Callable[[LoadedTable, float], T], *, now: float = 0.0) -> T:
    """Run a change on the table as this process remembers it, and again on the stored one if that was outdated.

    attempt: called with the table and the current time; returns the same table, or None, if there is nothing to do.
    The time is `now` on the first call; on later ones it counts how long others held the database.
    Raises what `attempt` raises; Busy after `MAX_ATTEMPTS`. An outdated table is never the reason for a refusal.
    """
    began = time.time()
    table = store.fetch(table_id)
    for _ in range(MAX_ATTEMPTS):
        seen, passed = table, time.time() - began
        try:
            done = attempt(seen, now + passed if abs(passed) >= SLOW_SECONDS else now)
        except Conflict:
            table = store.reload(table_id)
        except Refusal:
            if (table := store.refresh(table_id)).version <= seen.version:
                raise
        else:
            if not (done is seen or done is None) or (table := store.refresh(table_id)).version <= seen.version:
                return done
    raise Busy("This table is busy right now. Try again in a moment.")


def submit_move(
    table_id: str,
    player_id: int | None,
    move: object,
    *,
    ply: int,
    key: str,
    now: float,
    started_at: float | None = None,
) -> AcceptedMove:
    """Make a person's move, seen and decided at this ply.

    now: when the server received it; started_at: when a thread started on it, if it had to wait for one.

    Raises NotFound, NotAllowed (not your seat), Stale (the table has moved on), Illegal (with the
    sentence of the rules), BadInput, Busy. The same key twice is one move.
    """
    if not isinstance(move, dict):
        raise BadInput('A move must be a JSON object, for example {"pass": true}.')
    if not 1 <= len(key) <= MAX_KEY or not key.isprintable():
        raise BadInput(
            "A move needs a unique key of 1 to %(most)s characters, so that it counts only once.", most=MAX_KEY
        )

    is_late = False  # whether a clock ran out before this move

    def attempt(table: LoadedTable, present: float) -> AcceptedMove:
        nonlocal is_late
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotAllowed("You have no seat at this table. You can watch, or open a table of your own.")
        if ply > table.ply:
            table = store.reload(table_id)
        name = f"{seat}:{key}"
        before, table = table, run_overdue(table, now=now - _find_delay(table, seat, now=now))
        is_late |= table.ply > before.ply
        if table.status != PLAYING or not _still_answers(table, seat, ply):
            return _find_repeat(table, name, seat=seat, ply=ply)
        if table.runtime.is_standing:  # because nobody was there
            table = advance.resume_clocks(table, now=present)
        advance.require_running(table)
        table = interludes.note_ready(table, seat, now=present)
        if table.runtime.interlude is not None:
            raise Stale("The other players are still looking at the new deal. Play goes on in a few seconds.")
        try:
            return AcceptedMove(_apply_move(table, seat, move, key=name, now=present), is_repeat=False)
        except Illegal:
            if not is_late:
                raise
            return _find_repeat(table, name, seat=seat, ply=ply)  # it answers what the clock has ended
        except Conflict:
            now_at = store.reload(table_id)
            if _still_answers(now_at, seat, ply) and not _is_stored(table_id, name):
                raise  # something else has changed, a presence or what another one answered: the move still stands
            return _find_repeat(now_at, name, seat=seat, ply=ply)

    accepted = retry(
        table_id, attempt, now=now if started_at is None or abs(started_at - now) < SLOW_SECONDS else started_at
    )
    if accepted.table.is_over_days:  # who has moved knows the game up to here
        with isolate_errors(f"table {table_id}"):
            marks.note_seen(accepted.table, player_id, accepted.table.ply)
    return accepted


def _still_answers(table: LoadedTable, seat: Seat, ply: int) -> bool:
    """Whether a move decided at this ply still answers what the seat is asked now.

    Others may have answered the same question meanwhile; a seat that moved itself is asked a new one.
    """
    if ply == table.ply:
        return True
    since = find_asked_since(table.runtime.clocks, seat)
    return since is not None and since <= ply < table.ply


def _find_delay(table: LoadedTable, seat: Seat, *, now: float) -> float:
    """This seat's network delay in seconds if a deadline has passed, else 0: only then it matters."""
    return (
        round_trips.find_longest_delay(table.id, (seat,))
        if find_overdue_clock(table.runtime.clocks, now) is not None
        else 0.0
    )


def _find_repeat(table: LoadedTable, name: str, *, seat: Seat, ply: int) -> AcceptedMove:
    """The table if the move of this name was accepted before. Raises Stale with what has overtaken it."""
    if _is_stored(table.id, name):
        return AcceptedMove(table, is_repeat=True)
    if table.status != PLAYING:
        raise Stale("No game is under way at this table.")
    if 0 <= ply < table.ply and _has_run_out(table.id, seat, ply):
        raise Stale("Time ran out before your move arrived, so it did not count.")
    raise Stale("The table has changed in the meantime. Look at it again, then try again.")


def _has_run_out(table_id: str, seat: Seat, ply: int) -> bool:
    """Whether the clock ended what this seat was asked at this ply."""
    later = models.Ply.objects.filter(table_id=table_id, number__gt=ply).order_by("number")
    with _busy_if_silent():
        events = list(later.values_list("event", flat=True)[:MAX_LATER])
    for event in map(codec.read, events):
        if event.get("clock") != "time-up" and event.get("seat", seat) == seat:  # most clocks name no seat
            return "clock" in event
    return False


def _is_stored(table_id: str, name: str) -> bool:
    with _busy_if_silent():
        return models.Ply.objects.filter(table_id=table_id, key=name).exists()


@contextmanager
def _busy_if_silent() -> Iterator[None]:
    """Raises Busy if the database does not answer."""
    try:
        yield
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error


def _apply_move(table: LoadedTable, seat: Seat, move: dict[str, Any], *, key: str | None, now: float) -> LoadedTable:
    try:
        state, events = table.rules.apply(table.state, seat, move)
    except IllegalMove as error:
        raise Illegal(error.template, **error.values) from error
    event: dict[str, Any] = {"seat": seat, "move": move}
    if key is None and seat in table.runtime.stand_ins:
        event[BY] = STAND_IN
    after, ply = advance.advance_game(table, event, state, events, now=now, key=key)
    if key is not None:
        after = advance.note_presence(after, seat)
    return commit(table, after, [ply], now=now)


def commit(before: LoadedTable, after: LoadedTable, plies: Sequence[NewPly] = (), *, now: float) -> LoadedTable:
    """Write these plies, with the standing passes that follow, as one change. Raises Conflict, Busy."""
    after, passes = advance.run_standing_passes(after, now=now)
    seconds = 0.0 if after.is_over_days else settings.INTERLUDE_SECONDS  # nobody is there to look at it together
    after = interludes.begin_interlude(after, plies, seconds=seconds, now=now)
    after = schedule_bots(after, now=now)._replace(version=before.version + 1)
    began = time.monotonic()
    store.commit(before, after, [*plies, *passes])
    return return_lost_time(before, after, time.monotonic() - began)


def return_lost_time(before: LoadedTable, after: LoadedTable, waited: float) -> LoadedTable:
    """The table after its new clocks were postponed by `waited`, the seconds that the database took for the change."""

    def attempt(table: LoadedTable, _now: float) -> LoadedTable:
        clocks = delay_new_clocks(table.runtime.clocks, before.runtime.clocks, after.runtime.clocks, by=waited)
        if table.status != PLAYING or clocks == table.runtime.clocks:
            return table
        return store.commit(table, table.changed(runtime=table.runtime._replace(clocks=clocks)))

    if waited < SLOW_SECONDS:
        return after
    try:
        return retry(after.id, attempt)
    except Refusal:  # the change itself is durable
        return after


def schedule_bots(table: LoadedTable, *, now: float) -> LoadedTable:
    """The table with the time at which the next bot moves, or a window is answered for a person, by BOT_DELAY.

    Called after every change of who plays: an interlude that waits for nobody any more ends here.
    """
    table = interludes.settle_interlude(table, now=now)
    table = advance.schedule_bots(table, now=now, delay=settings.BOT_DELAY, rng=_rng)
    return window_answers.schedule_answers(table, now=now, delay=settings.BOT_DELAY, rng=_rng)


def run_overdue(table: LoadedTable, *, now: float, grace: float = 0.0) -> LoadedTable:
    """The table after every clock event whose time was over `grace` seconds ago. Raises Conflict, Busy.

    An interlude that is over has ended, too.
    """
    table = _end_interlude(table, now=now, grace=grace)
    while (
        table.status == PLAYING
        and table.runtime.paused_at is None
        and (clock := find_overdue_clock(table.runtime.clocks, now - grace)) is not None
        and not heartbeat.is_interrupted(now)
    ):
        try:
            state, events = table.rules.on_clock(table.state, clock.event)
        except IllegalMove:  # this wait ended by other means; its clock goes with the next step
            return table
        # The next turn begins now and not when this one ended: nobody loses time they were not told of.
        after, ply = advance.advance_game(table, clock.event, state, events, now=now)
        if clock.event.get("clock") == "turn":
            after = advance.pause_if_abandoned(advance.note_timeouts(after, clock.seats), now=now)
        table = commit(table, after, [ply], now=now)
    return table


def _end_interlude(table: LoadedTable, *, now: float, grace: float) -> LoadedTable:
    interlude = table.runtime.interlude
    if interlude is None or interlude.until > now - grace or table.status != PLAYING:
        return table
    if table.runtime.paused_at is not None or heartbeat.is_interrupted(now):
        return table
    return commit(table, interludes.settle_interlude(table, now=now), now=now)


def find_answer_grace(table: LoadedTable) -> float:
    """Seconds that a timer waits for answers sent in time: network delay plus `ANSWER_GRACE`."""
    awaited = {seat for clock in table.runtime.clocks if clock.left is None for seat in clock.seats}
    persons = tuple(place.seat for place in table.places if place.seat in awaited and not place.bot)
    return ANSWER_GRACE + (round_trips.find_longest_delay(table.id, persons) if persons else 0.0)


def choose_bot_move(table: LoadedTable, seat: Seat) -> Move:
    """The move of the bot that plays for this seat, chosen from the seat's own view alone."""
    return bots.answer(ask_bot(table, seat))


def play_bot(table_id: str, *, ply: int, now: float, choose: ChooseBotMove = choose_bot_move) -> LoadedTable | None:
    """Make the move of the bot, or the answer for a person, whose time comes first; None if none is due at this ply.

    choose: None from it leaves the bot's move to a later call.
    """

    def attempt(table: LoadedTable, now: float) -> LoadedTable | None:
        if table.ply < ply:
            table = store.reload(table_id)
        if table.status != PLAYING or table.runtime.paused_at is not None or table.ply != ply:
            return None
        seat = advance.find_next_bot(table)
        answer = window_answers.find_next_answer(table)
        if answer is not None and (seat is None or not _comes_before(table, seat, answer)):
            return _answer_window(table, answer, now=now)
        if seat is None or (table.is_over_days and _is_early(table, seat, now=now)):
            return None
        move = choose(table, seat)
        if move is None:
            return None
        if seat not in table.rules.to_act(table.state) and bots.stays_silent(
            table.rules.slug, table.bot_level(seat), _rng
        ):
            return store.commit(table, advance.silence_bot(table, seat).changed())
        return _apply_move(table, seat, dict(move), key=None, now=now)

    return None if has_passed(table_id, ply) else retry(table_id, attempt, now=now)


def _comes_before(table: LoadedTable, seat: Seat, answer: AnswerDue) -> bool:
    """Whether the bot of this seat moves before that answer is given."""
    due = next((bot.due for bot in table.runtime.bots if bot.seat == seat), None)
    return due is None or answer.due is None or due <= answer.due


def _is_early(table: LoadedTable, seat: Seat, *, now: float) -> bool:
    """Whether this bot leaves a window to the people who are asked, for hours: a message of before may come earlier."""
    due = next((bot.due for bot in table.runtime.bots if bot.seat == seat), None)
    return due is not None and now < due - BOT_EARLY_SECONDS


def _answer_window(table: LoadedTable, answer: AnswerDue, *, now: float) -> LoadedTable | None:
    """The table after a person was answered for; None before the time of it, which an outdated message may ask for."""
    move = window_answers.choose_answer(table, answer.seat)
    if move is None or answer.due is None or now < answer.due - window_answers.EARLY_SECONDS:
        return None
    by = ORDER if window_answers.is_ordered(table, answer.seat) else AUTOMATIC
    state, events = table.rules.apply(table.state, answer.seat, move)
    event = {"seat": answer.seat, "move": dict(move), BY: by}
    after, ply = advance.advance_game(table, event, state, events, now=now)
    return commit(table, after, [ply], now=now)


def has_passed(table_id: str, ply: int) -> bool:
    """Whether this process knows that the table is past this ply. Plies are never taken back: no query is needed."""
    remembered = store.peek(table_id)
    return remembered is not None and remembered.ply > ply


def ask_bot(table: LoadedTable, seat: Seat) -> bots.Question:
    """What the bot that plays for this seat is asked now: what its seat sees, and nothing else."""
    rules, level = table.rules, table.bot_level(seat) or "steady"
    legal = rules.legal_moves(table.state, seat)
    if legal is None:
        legal = [rules.legal_sample(table.state, seat, _rng) for _ in range(SAMPLED_MOVES)]
    return bots.Question(rules.slug, rules.view(table.state, seat), legal, level, _rng.getrandbits(64))
