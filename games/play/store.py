"""Tables read from and written to the database; the newest version known is kept by each process.

A write is one transaction: the ply is inserted and the row is updated where its version is still the
expected one, or nothing is. So a process may act on what it remembers: if that is old, it loses.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from games import models
from games.play import codec, signals
from games.play.beginning import opening_lines
from games.play.errors import Busy, NotFound
from games.play.table import OVER, Desk, Line, Loaded, Place
from games.rules import registry

Value = int | float | str | None
KEPT_TABLES = 4096
LOG_PLIES = 60
"""Plies whose events a table keeps at hand."""


class NewPly(NamedTuple):
    """A ply to be written: its number, the event of the record, its log lines, key and time."""

    number: int
    event: dict[str, object]
    lines: tuple[Line, ...]
    key: str | None
    at: float


class Conflict(Exception):
    """Somebody else changed the table first."""


_kept: OrderedDict[str, Loaded] = OrderedDict()
_lock = threading.Lock()


def fetch(table_id: str) -> Loaded:
    """The table as this process last knew it, or from the database. Raises NotFound."""
    return _kept.get(table_id) or reload(table_id)


def peek(table_id: str) -> Loaded | None:
    """What this process remembers of the table, if anything."""
    return _kept.get(table_id)


def reload(table_id: str) -> Loaded:
    """The table as it is in the database now. Raises NotFound, Busy."""
    try:
        row = models.Table.objects.select_related("rematch").filter(pk=table_id).first()
        if row is None:
            forget(table_id)
            raise NotFound("There is no such table. It may have been closed; the lobby shows the open ones.")
        loaded = _load(row)
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    # Inside `together` this may be what is not durable yet: good to go on with, not to be shown.
    return loaded if _here.is_together else _keep(loaded)


def refresh(table_id: str) -> Loaded:
    """The table as it is in the database now, read in full only if this process is behind."""
    known = _kept.get(table_id)
    try:
        version = models.Table.objects.filter(pk=table_id).values_list("version", flat=True).first()
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    return known if known is not None and known.version == version else reload(table_id)


def forget(table_id: str) -> None:
    """Drop what this process remembers of a table."""
    with _lock:
        _kept.pop(table_id, None)


def forget_all() -> None:
    """Drop everything this process remembers (the database was exchanged, or between tests)."""
    with _lock:
        _kept.clear()


def _keep(loaded: Loaded) -> Loaded:
    with _lock:
        known = _kept.get(loaded.id)
        if known is not None and known.version > loaded.version:
            return known
        _kept[loaded.id] = loaded
        _kept.move_to_end(loaded.id)
        if len(_kept) > KEPT_TABLES:
            _kept.popitem(last=False)
    return loaded


def _load(row: models.Table) -> Loaded:
    rules, options = registry.find(row.game), codec.read(row.options)
    plies = models.Ply.objects.filter(table=row, number__gt=row.ply - LOG_PLIES).order_by("number")
    opening = opening_lines(rules, row.seat_count, options, row.seed) if row.ply < LOG_PLIES else ()
    return Loaded(
        id=row.pk,
        rules=rules,
        options=options,
        status=row.status,
        is_public=row.is_public,
        invite=row.invite,
        host_id=row.host_id,
        seat_count=row.seat_count,
        turn_seconds=row.turn_seconds,
        version=row.version,
        ply=row.ply,
        state=rules.from_json(codec.read(row.state)) if row.state else None,
        desk=codec.read_desk(row.desk),
        places=tuple(
            Place(seat.index, seat.player_id, seat.bot, seat.name, seat.avatar, seat.entropy)
            for seat in row.seats.order_by("index")
        ),
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        secret=row.secret,
        commitment=row.commitment,
        seed=row.seed,
        outcome=codec.read_outcome(row.result),
        rematch_id=row.rematch_id,
        log=(*opening, *(line for ply in plies for line in codec.read_lines(ply.number, ply.events))),
    )


_UPDATE = """
UPDATE games_table SET version=%s, ply=%s, status=%s, state=%s, desk=%s, wake_at=%s, host_id=%s,
    started_at=%s, ended_at=%s, seed=%s, result=%s, rematch_id=%s
WHERE id=%s AND version=%s
"""
_ROW_ID = -2
"""Where the table's id is among the values of `_UPDATE`."""
_INSERT = "INSERT INTO games_ply (table_id, number, event, events, key, at) VALUES (%s, %s, %s, %s, %s, %s)"
_UPDATE_AND_INSERT = f"""
WITH moved AS ({_UPDATE} RETURNING id)
INSERT INTO games_ply (table_id, number, event, events, key, at) SELECT id, %s, %s, %s, %s, %s FROM moved
"""  # noqa: S608 - put together of constants


def commit(
    before: Loaded, after: Loaded, plies: Sequence[NewPly] = (), *, also: Callable[[], None] | None = None
) -> Loaded:
    """Write one change, all of it or nothing, and tell who listens once it is durable.

    also: further writes of the same transaction (seats). Raises Conflict if the table is no longer
    at `before.version` or a ply's key is used; Busy if the database does not take it.
    """
    state = codec.write(after.rules.to_json(after.state)) if after.state is not None else ""
    row = (
        after.version, after.ply, after.status, state, codec.write_desk(after.desk), after.wake_at, after.host_id,
        after.started_at, after.ended_at, after.seed, codec.write_outcome(after.outcome), after.rematch_id,
        before.id, before.version,
    )  # fmt: skip
    try:
        if len(plies) == 1 and also is None and connection.vendor == "postgresql" and not connection.in_atomic_block:
            _write_at_once(row, _values(plies[0]))
        else:
            _write(row, plies, also)
    except IntegrityError as error:
        raise Conflict from error
    except DatabaseError as error:
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error
    if _here.is_together:
        transaction.on_commit(partial(_keep, after))
    else:
        _keep(after)
    transaction.on_commit(lambda: _tell(before, after, plies))
    return after


class _Here(threading.local):
    """What this thread does: whether several changes are made durable together."""

    is_together = False


_here = _Here()


@contextmanager
def together() -> Iterator[None]:
    """Several changes in one transaction: they are durable, seen and told at its end, all or none. Raises Busy."""
    _here.is_together = True
    try:
        with transaction.atomic():
            yield
            if connection.needs_rollback:  # one of them broke the transaction, and its own rollback failed
                raise DatabaseError("the transaction is broken")
    except DatabaseError as error:
        forget_all()
        raise Busy("The club's database could not save this. Nothing was changed; try again in a moment.") from error
    finally:
        _here.is_together = False


def _write(row: tuple[Value, ...], plies: Sequence[NewPly], also: Callable[[], None] | None) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_UPDATE, row)
        if cursor.rowcount != 1:
            raise Conflict
        for ply in plies:
            cursor.execute(_INSERT, (row[_ROW_ID], *_values(ply)))
        if also is not None:
            also()


def _write_at_once(row: tuple[Value, ...], values: tuple[Value, ...]) -> None:
    """One statement is a transaction of its own: one way to PostgreSQL and back, instead of four."""
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE_AND_INSERT, (*row, *values))
        if cursor.rowcount != 1:
            raise Conflict


def _values(ply: NewPly) -> tuple[Value, ...]:
    return ply.number, codec.write(ply.event), codec.write_lines(ply.lines), ply.key, ply.at


def _tell(before: Loaded, after: Loaded, plies: Sequence[NewPly]) -> None:
    # Robust: the change is durable, and whoever made it must be told so whatever a listener does.
    signals.table_changed.send_robust(sender=Loaded, table=after)
    ended = [line for ply in plies for line in ply.lines if line.kind in signals.RESULTS]
    if ended or (after.status == OVER and before.status != OVER):
        signals.result_in.send_robust(sender=Loaded, table=after, lines=ended)


def fresh_desk(seats: int) -> Desk:
    """The desk of a game that begins."""
    return Desk(timeouts=(0,) * seats)
