"""Tables read from and written to the database; each process remembers the newest version that it has seen.

A table is written only where its version is still the expected one (`table_writes`). So a process may act on a
remembered table: if that is out of date, the write fails with `Conflict`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from functools import partial
from operator import attrgetter
from typing import Any

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from games import models
from games.memo import Memo
from games.play import signals
from games.play.errors import Busy, NotFound, NotInstalled, Unreadable
from games.play.storage import codec, table_reads
from games.play.storage.game_start import opening_lines
from games.play.storage.table import OVER, LoadedTable, LogLine, TableRuntime
from games.play.storage.table_reads import Row
from games.play.storage.table_writes import Change, NewPly, write
from games.rules import registry
from games.rules.base import Rules

logger = logging.getLogger(__name__)

KEPT_TABLES = 4096
"""Tables that a process remembers: more than one process serves at a time."""
KEPT_RESTING = 64
"""Games over days that a process remembers: those that somebody looks at in this moment."""
RECENT_PLIES = 60
"""Plies whose events a loaded table contains; `game_record` reads the whole log."""
MAX_PER_QUERY = 500
"""Tables per statement, which bounds its number of parameters."""


class Conflict(Exception):
    """Another thread or process changed the table first."""


_tables: Memo[str, LoadedTable] = Memo("tables", KEPT_TABLES, version_of=attrgetter("version"))
_resting: Memo[str, LoadedTable] = Memo("tables over days", KEPT_RESTING, version_of=attrgetter("version"))
"""Apart, so that thousands of games over days neither fill the memory nor push out tables that people play at now."""
_unreadable: Memo[tuple[str, int], bool] = Memo("unreadable tables", KEPT_TABLES)
"""(Table id, version) of unreadable tables that are already in the log."""


def fetch(table_id: str) -> LoadedTable:
    """The table as this process last knew it, or from the database. Raises NotFound, Unreadable, Busy."""
    return peek(table_id) or reload(table_id)


def peek(table_id: str) -> LoadedTable | None:
    """What this process remembers of the table, if anything."""
    return _tables.get(table_id) or _resting.get(table_id)


def _remember(table_id: str, table: LoadedTable) -> LoadedTable:
    return (_resting if table.is_over_days else _tables).put(table_id, table)


def reload(table_id: str) -> LoadedTable:
    """The table as it is in the database now. Raises NotFound, Unreadable, Busy."""
    try:
        row, cached = _read(table_id)
        if row is None:
            forget(table_id)
            raise NotFound("This table does not exist or has been closed. You can find open tables in the lobby.")
        loaded = _load_or_refuse(table_id, row, cached)
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    # Inside `save_together` this may be what is not durable yet: good to go on with, not to be shown.
    return loaded if _thread.is_together else _remember(table_id, loaded)


def refresh(table_id: str) -> LoadedTable:
    """The table as it is in the database now, read in full only if this process is behind."""
    cached = peek(table_id)
    try:
        version = table_reads.read_version(table_id)
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    return cached if cached is not None and cached.version == version else reload(table_id)


def read_versions(table_ids: Sequence[str]) -> dict[str, int]:
    """The versions of these tables in the database now; without those that are gone. Raises Busy."""
    found: dict[str, int] = {}
    try:
        for first in range(0, len(table_ids), MAX_PER_QUERY):
            some = models.Table.objects.filter(pk__in=table_ids[first : first + MAX_PER_QUERY])
            found |= dict(some.values_list("pk", "version"))
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    return found


def forget(table_id: str) -> None:
    """Drop what this process remembers of a table."""
    _tables.drop(table_id)
    _resting.drop(table_id)


def _read(table_id: str) -> tuple[Row | None, LoadedTable | None]:
    """The table's row, and what this process remembers of it, if the row's lines go on from there.

    Plies only ever come on top, so those that are remembered are not read again.
    """
    cached = peek(table_id)
    if cached is not None and cached.seed:
        row = table_reads.read_row(table_id, after=cached.ply, most=RECENT_PLIES)
        if row is None or (cached.seed == row.seed and cached.version <= row.version):
            return row, cached
    return table_reads.read_row(table_id, after=0, most=RECENT_PLIES), None


def _load_or_refuse(table_id: str, row: Row, cached: LoadedTable | None) -> LoadedTable:
    if not registry.is_installed(row.game):
        raise NotInstalled(
            "The game of this table, “%(game)s”, is no longer installed on this site. Its results are kept.",
            game=row.game,
        )
    try:
        return _load(table_id, row, cached)
    except Exception as error:
        if not _unreadable.get((table_id, row.version)):  # said once: it is looked at again and again
            _unreadable.put((table_id, row.version), True)
            logger.exception("table %s cannot be read", table_id)
        raise Unreadable("This table cannot be read now. Nothing is lost. Tell the administrator.") from error


def _load(table_id: str, row: Row, cached: LoadedTable | None) -> LoadedTable:
    """The table of this row, whose lines go on from those of the remembered one."""
    rules, options = registry.find(row.game), codec.read(row.options)
    return LoadedTable(
        id=table_id,
        rules=rules,
        options=options,
        status=row.status,
        is_public=row.is_public,
        is_rated=row.is_rated,
        talk=row.talk,
        invite=row.invite,
        host_id=row.host_id,
        seat_count=row.seat_count,
        turn_seconds=row.turn_seconds,
        version=row.version,
        ply=row.ply,
        state=rules.from_json(codec.read(row.state)) if row.state else None,
        runtime=codec.read_runtime(row.desk),
        places=row.places,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        secret=row.secret,
        commitment=row.commitment,
        seed=row.seed,
        outcome=codec.read_outcome(row.result),
        rematch_id=row.rematch_id,
        log=_find_log(row, rules, cached),
        void_reason=row.void_reason,
        procedure=row.procedure,
    )


def _find_log(row: Row, rules: Rules[Any], cached: LoadedTable | None) -> tuple[LogLine, ...]:
    """The lines of the last plies: on from the remembered ones, or from the beginning."""
    oldest = row.ply - RECENT_PLIES
    if cached is not None:
        return (*(line for line in cached.log if line.ply > oldest), *row.lines)
    opening = () if oldest >= 0 else opening_lines(rules, row.seat_count, codec.read(row.options), row.seed)
    return (*opening, *row.lines)


def commit(
    before: LoadedTable, after: LoadedTable, plies: Sequence[NewPly] = (), *, also: Callable[[], object] | None = None
) -> LoadedTable:
    """Write one change in one transaction, and send the signals once it is durable.

    also: further writes of the same transaction (seats). Raises Conflict if the table is no longer
    at `before.version` or a ply's key is used; Busy if the database cannot save it. Inside
    `collect_changes` the change is only collected.
    """
    change = Change(before, after, tuple(plies))
    if _thread.gathered is not None:
        _thread.note(change._replace(context=copy_context()), is_alone=also is not None)
        return after
    try:
        with around_write():
            _write_one(change, also)
    except IntegrityError as error:
        raise Conflict from error
    except DatabaseError as error:
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
    _remember_and_announce([change])
    return after


def _write_one(change: Change, also: Callable[[], object] | None) -> None:
    if also is None:
        if not write([change]):
            raise Conflict
        return
    with transaction.atomic():
        if not write([change]):
            raise Conflict
        also()


def save(changes: Sequence[Change]) -> frozenset[str]:
    """Write changes of different tables, and send the signals of those that are durable. Returns their ids.

    Raises DatabaseError, and then nothing was written; IntegrityError if any of their plies' keys is used.
    """
    with around_write():
        moved = write(changes)
    _remember_and_announce([change for change in changes if change.after.id in moved])
    return moved


def _remember_and_announce(changes: Iterable[Change]) -> None:
    on_commit = transaction.get_connection().on_commit  # looking it up costs as much as sending a signal
    for change in changes:
        if _thread.is_together:
            on_commit(partial(_remember, change.after.id, change.after))
        else:
            _remember(change.after.id, change.after)
        send = partial(_send_signals, change.before, change.after, change.plies)
        on_commit(send if change.context is None else partial(change.context.run, send))


around_write: Callable[[], AbstractContextManager[object]] = nullcontext
"""Opened around every write of tables: the app puts a span of a trace here."""


class NotBatchable(Exception):
    """This change cannot be written in one statement with others; run its work again by itself."""


class _ThreadState(threading.local):
    """State of the current thread.

    is_together: inside `save_together`; gathered: the changes that `collect_changes` collects, or None outside.
    """

    is_together = False
    gathered: list[Change] | None = None

    def note(self, change: Change, *, is_alone: bool) -> None:
        assert self.gathered is not None  # noqa: S101 - asked by the caller
        if is_alone or any(other.after.id == change.after.id for other in self.gathered):
            raise NotBatchable
        self.gathered.append(change)


_thread = _ThreadState()


@contextmanager
def save_together() -> Iterator[None]:
    """Several changes in one transaction: all are durable and announced at its end, or none. Raises Busy."""
    _thread.is_together = True
    try:
        with transaction.atomic():
            yield
            if connection.needs_rollback:  # one of them broke the transaction, and its own rollback failed
                raise DatabaseError("the transaction is broken")
    except DatabaseError as error:
        _tables.clear()
        _resting.clear()
        raise Busy("The database could not save this. Nothing was changed. Try again in a moment.") from error
    finally:
        _thread.is_together = False


@contextmanager
def collect_changes(changes: list[Change]) -> Iterator[None]:
    """Have changes that are committed here only noted, for `save`; raises Alone from those that cannot be."""
    _thread.gathered = changes
    try:
        yield
    finally:
        _thread.gathered = None


def _send_signals(before: LoadedTable, after: LoadedTable, plies: Sequence[NewPly]) -> None:
    # Robust: the change is durable, and its author must be told so whatever a listener does.
    signals.table_changed.send_robust(sender=LoadedTable, table=after)
    ended = [line for ply in plies for line in ply.lines if line.kind in signals.RESULT_KINDS]
    if ended or (after.status == OVER and before.status != OVER):
        signals.result_in.send_robust(sender=LoadedTable, table=after, lines=ended)


def build_first_runtime(seats: int) -> TableRuntime:
    """The runtime of a game that begins, for so many seats."""
    return TableRuntime(timeouts=(0,) * seats)
