"""What the lobby says of tournaments: asked for only where a page shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Q
from django.http import HttpRequest

from games.models import Player
from tournaments.models import Entrant, Format, Membership, Tournament
from tournaments.words import FORMATS, PHASES

SHOWN = 5
OPEN = ("entry", "check-in", "running")


def coming(request: HttpRequest) -> dict[str, Callable[[], list[dict[str, Any]]]]:
    """`coming_tournaments`: the reader's, his clubs' and those that everybody may come to."""
    return {"coming_tournaments": lambda: _list(getattr(request, "player", None))}


def _list(player: Player | None) -> list[dict[str, Any]]:
    seen = Q(is_public=True)
    if player is not None:
        seen |= Q(pk__in=Entrant.objects.filter(player=player).values("tournament"))
        seen |= Q(club__in=Membership.objects.filter(player=player).values("club"))
    rows = (
        Tournament.objects.filter(seen, phase__in=OPEN)
        .exclude(format=Format.LEAGUE)
        .order_by("-phase", "-created_at")[:SHOWN]
    )
    return [{"tournament": one, "phase": PHASES[one.phase], "format": FORMATS[one.format]} for one in rows]
