"""The context processor for the lobby's lists of coming tournaments and evenings."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.utils.safestring import SafeString

from games.models import Player
from tournaments.flow.planning.phases import NOW_FIRST, is_coming
from tournaments.models import Entrant, Membership, TimedSession, Tournament
from tournaments.views.tournament_lists import ListedTournament, render_list

SHOWN = 5
"""Rows of each of the two lists."""
EVENING_HORIZON_SECONDS = 7 * 24 * 3600.0
"""How many seconds before its start the lobby lists an evening."""


def add_coming_events(request: HttpRequest) -> dict[str, Callable[[], Any]]:
    """`coming_tournaments` and `coming_evenings`: public ones, and those of the reader and of their clubs.

    Both are functions, so that only pages that show them query the database.
    """
    player = getattr(request, "player", None)
    return {
        "coming_tournaments": lambda: _render_tournaments(player),
        "coming_evenings": lambda: _list_evenings(player, now=time.time()),
    }


def _list_evenings(player: Player | None, *, now: float) -> list[dict[str, Any]]:
    """Evenings under way or starting within `EVENING_HORIZON_SECONDS`, the first ones first."""
    seen = Q(club__is_public=True)
    if player is not None:
        seen |= Q(club__in=Membership.objects.filter(player=player).values("club"))
    rows = TimedSession.objects.filter(
        seen, has_rung=False, starts_at__lte=now + EVENING_HORIZON_SECONDS
    ).select_related("club")
    return [
        {
            "evening": evening,
            "club": evening.club,
            "starts_at": datetime.fromtimestamp(evening.starts_at, tz=UTC),
            "is_now": evening.starts_at <= now,
        }
        for evening in rows.order_by("starts_at")[:SHOWN]
    ]


def _render_tournaments(player: Player | None) -> SafeString:
    seen = Q(is_public=True)
    if player is not None:
        seen |= Q(pk__in=Entrant.objects.filter(player=player).values("tournament"))
        seen |= Q(club__in=Membership.objects.filter(player=player).values("club"))
    rows = Tournament.objects.filter(seen, is_coming(time.time())).order_by(*NOW_FIRST)
    return render_list(rows.values_list(*ListedTournament._fields)[:SHOWN])
