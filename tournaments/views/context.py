"""What the lobby says of tournaments: asked for only where a page shows it."""

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
from tournaments.views.tournament_lists import Listed, draw_list

SHOWN = 5
SOON = 7 * 24 * 3600.0
"""Seconds before an evening from which on the lobby shows it."""


def coming(request: HttpRequest) -> dict[str, Callable[[], Any]]:
    """`coming_tournaments`, `coming_evenings`: the reader's, his clubs' and those that everybody may come to."""
    player = getattr(request, "player", None)
    return {
        "coming_tournaments": lambda: _list(player),
        "coming_evenings": lambda: _list_evenings(player, now=time.time()),
    }


def _list_evenings(player: Player | None, *, now: float) -> list[dict[str, Any]]:
    """Evenings that are under way, and those of the next week."""
    seen = Q(club__is_public=True)
    if player is not None:
        seen |= Q(club__in=Membership.objects.filter(player=player).values("club"))
    rows = TimedSession.objects.filter(seen, has_rung=False, starts_at__lte=now + SOON).select_related("club")
    return [
        {
            "evening": one,
            "club": one.club,
            "starts_at": datetime.fromtimestamp(one.starts_at, tz=UTC),
            "is_now": one.starts_at <= now,
        }
        for one in rows.order_by("starts_at")[:SHOWN]
    ]


def _list(player: Player | None) -> SafeString:
    seen = Q(is_public=True)
    if player is not None:
        seen |= Q(pk__in=Entrant.objects.filter(player=player).values("tournament"))
        seen |= Q(club__in=Membership.objects.filter(player=player).values("club"))
    rows = Tournament.objects.filter(seen, is_coming(time.time())).order_by(*NOW_FIRST)
    return draw_list(rows.values_list(*Listed._fields)[:SHOWN])
