"""A table at which none of its people has been for ten minutes stands still until one of them comes back.

Its clocks are held as in a pause, no bot moves, and nothing is due: it costs nothing. It is found in the database, so
it does not matter which process served it, or whether that is still there. Exempt is what somebody else looks after:
tables that a round, an arena, a ladder or an evening has arranged have a bell and an organiser, and a table of bots
only has nobody who could come back.
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
from games.play.storage.table import PLAYING, Loaded

ALONE_SECONDS = 600.0
"""So long nobody was there."""
MOST = 500
"""Tables that are looked at in one go; the others a moment later."""

KEEPERS: list[Callable[[Sequence[str]], Collection[str]]] = []
"""What is built on tables adds itself here, and says which of some tables it looks after itself."""


def stand_still(*, now: float) -> int:
    """Let every table stand still at which nobody is; returns how many. May run twice, late or never. Raises Busy."""
    try:
        found = list(_list_alone(now).order_by("pk").values_list("pk", flat=True)[:MOST])
        kept = {table_id for keeper in KEEPERS for table_id in keeper(found)} if found else set()
    except OperationalError as error:
        raise Busy("The club's database is not answering. Nothing is lost; try again in a moment.") from error
    held = 0
    for table_id in found:
        if table_id not in kept:
            with isolate_errors(f"table {table_id}"):
                held += _hold(table_id, now=now).desk.is_standing
    return held


def _list_alone(now: float) -> QuerySet[models.Table]:
    limit = now - ALONE_SECONDS
    people = models.Seat.objects.filter(table=OuterRef("pk"), bot="")
    running = models.Table.objects.filter(status=PLAYING, wake_at__isnull=False, started_at__lt=limit)
    alone = running.filter(Q(seen_at=None) | Q(seen_at__lt=limit))
    return alone.filter(Exists(people)).exclude(desk__contains=codec.ARRANGED)


def _hold(table_id: str, *, now: float) -> Loaded:
    def attempt(table: Loaded, present: float) -> Loaded:
        if table.status != PLAYING or table.desk.paused_at is not None:
            return table
        if not _list_alone(now).filter(pk=table_id).exists():  # somebody has come back meanwhile
            return table
        table = run_overdue(table, now=now)
        if table.status != PLAYING:
            return table
        desk = table.desk._replace(paused_at=present, is_standing=True, bot_due=None, bots=())
        return store.commit(table, table.changed(desk=desk))

    return retry(table_id, attempt, now=now)
