"""How places on leaderboards have changed in the last seven days.

Every row keeps the values that its lists were ordered by at one moment, the same for all boards: the start of a day
(UTC), so that seven days are compared, today included. A weekly club then sees its last evening, and not the one
before. Once a day the moment moves on, and the rows of those who played on the day that has left follow.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction

from tournaments.flow.counting import leaderboard_rows, ledger
from tournaments.flow.counting.calendar_years import DAY_SECONDS
from tournaments.models import Ledger, PersonResult

DAYS: Final = 7
"""Days that are compared, today included."""
AT_ONCE: Final = 200
"""People whose rows follow together."""


def find_moment(now: float) -> float:
    """The moment with which places are compared. now: seconds since 1970."""
    return float((int(now // DAY_SECONDS) - (DAYS - 1)) * DAY_SECONDS)


def follow_days(*, now: float) -> None:
    """Move on to the moment of today, and bring the rows of those who played in between along. At any time, and again
    after an interruption. The first time everything is computed again by those who do so anyway."""
    wanted = find_moment(now)
    row = Ledger.objects.filter(pk=1).first()
    if row is not None and row.compared_to >= wanted:
        return
    with transaction.atomic():
        ledger.lock()
        Ledger.objects.filter(pk=1, compared_with__lt=wanted).update(compared_with=wanted)
    if row is None or not row.compared_to:
        ledger.request_recount()
    else:
        _refresh(row.compared_to, wanted)
    Ledger.objects.filter(pk=1, compared_to__lt=wanted).update(compared_to=wanted)


def _refresh(since: float, until: float) -> None:
    played = PersonResult.objects.filter(counted__ended_at__gte=since, counted__ended_at__lt=until)
    people = sorted(set(played.values_list("player", flat=True)))
    for start in range(0, len(people), AT_ONCE):
        leaderboard_rows.refresh(people[start : start + AT_ONCE])
