"""Pauses a table at which none of its players has been for ten minutes, until one of them returns.

Its clocks are held as in a pause, no bot moves and nothing is due, so it costs nothing. Idle tables are found in the
database: it does not matter which process served them. Exempt are arranged tables, which have an organiser and a bell,
tables of bots only, to which no player could return, and games over days, whose players need not be there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from django.db import OperationalError
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import models
from games.play.errors import Busy
from games.play.moves.submission import retry, run_overdue
from games.play.storage import codec, store
from games.play.storage.error_isolation import isolate_errors
from games.play.storage.table import PLAYING, LoadedTable
from games.rules.day_pace import DAY_SECONDS

IDLE_SECONDS = 600.0
"""Seconds without any of its players after which a table is paused: longer than a break at a real table."""
MAX_PER_SWEEP = 500
"""Tables paused in one run, which bounds its length; the next run pauses the others."""

EXEMPTIONS: list[Callable[[Sequence[str]], Collection[str]]] = []
"""Called with table ids; each returns those that are not to be paused. Apps built on tables register here."""


def pause_idle_tables(*, now: float) -> int:
    """Pause every idle table; returns how many. May run twice, late or never. Raises Busy."""
    try:
        found = list(_list_idle(now).order_by("pk").values_list("pk", flat=True)[:MAX_PER_SWEEP])
        kept = {table_id for exempt in EXEMPTIONS for table_id in exempt(found)} if found else set()
    except OperationalError as error:
        raise Busy("The database is not answering. Nothing is lost. Try again in a moment.") from error
    held = 0
    for table_id in found:
        if table_id not in kept:
            with isolate_errors(f"table {table_id}"):
                held += _pause(table_id, now=now).runtime.is_standing
    return held


def _list_idle(now: float) -> QuerySet[models.Table]:
    limit = now - IDLE_SECONDS
    people = models.Seat.objects.filter(table=OuterRef("pk"), bot="")
    running = models.Table.objects.filter(status=PLAYING, wake_at__isnull=False, started_at__lt=limit)
    alone = running.filter(Q(seen_at=None) | Q(seen_at__lt=limit), turn_seconds__lt=DAY_SECONDS)
    return alone.filter(Exists(people)).exclude(desk__contains=codec.ARRANGED)


def _pause(table_id: str, *, now: float) -> LoadedTable:
    def attempt(table: LoadedTable, present: float) -> LoadedTable:
        if table.status != PLAYING or table.runtime.paused_at is not None:
            return table
        if not _list_idle(now).filter(pk=table_id).exists():  # somebody has come back meanwhile
            return table
        table = run_overdue(table, now=now)
        if table.status != PLAYING:
            return table
        runtime = table.runtime._replace(paused_at=present, is_standing=True, bot_due=None, bots=(), answers=())
        return store.commit(table, table.changed(runtime=runtime))

    return retry(table_id, attempt, now=now)
