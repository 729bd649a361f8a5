"""What a club plays, has played and is going to: the latest on its page, all of it page by page."""

from __future__ import annotations

import time
from typing import Any, TypeAlias, TypeVar

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.flow.planning.phases import NOW_FIRST, is_off
from tournaments.flow.seasons.season_phases import UNSETTLED
from tournaments.models import Club, Phase, Role, Season, TimedSession, Tournament
from tournaments.views.evenings import evening_pages
from tournaments.views.lookups import find_club, fresh
from tournaments.views.tournament_lists import draw_list, list_both

SHOWN = 100
SHOWN_EVENINGS = 20
A_PAGE = 50
_Row = TypeVar("_Row")


def look(club: Club, role: Role | None) -> dict[str, Any]:
    """The latest tournaments and evenings, and whether there are others."""
    seen = _seen(club, role)
    coming = list(list_both(*seen, *NOW_FIRST, where=Q(phase__in=UNSETTLED))[: SHOWN + 1])
    coming += list_both(*seen, *NOW_FIRST, where=is_off(time.time()))[: SHOWN + 1]
    known = {pk for pk, *_ in coming}
    for phase in (Phase.FINISHED, Phase.CALLED_OFF):
        coming += [row for row in _list_latest(seen, phase) if row[0] not in known]
    archived = _list_latest(seen, Phase.ARCHIVED)
    agreed = list(_agreed(club)[: SHOWN_EVENINGS + 1])
    return {
        "tournaments": draw_list(coming[:SHOWN]),
        "archive": draw_list(archived[:SHOWN]),
        "has_more_tournaments": max(len(coming), len(archived)) > SHOWN,
        "evenings": evening_pages.list_rows(agreed[:SHOWN_EVENINGS], now=time.time()),
        "has_more_evenings": len(agreed) > SHOWN_EVENINGS,
    }


_Seen: TypeAlias = tuple[QuerySet[Tournament], QuerySet[Season]]


def _seen(club: Club, role: Role | None) -> _Seen:
    known = Tournament.objects.filter(club=club), Season.objects.filter(club=club)
    return known if role is not None else (known[0].filter(is_public=True), known[1].filter(is_public=True))


def _list_latest(seen: _Seen, phase: Phase) -> list[tuple[Any, ...]]:
    """Read where the latest ones of each phase are: this page is asked for again and again."""
    return list(list_both(*seen, "-finished_at", "-created_at", where=Q(phase=phase))[: SHOWN + 1])


def _agreed(club: Club) -> QuerySet[TimedSession]:
    return TimedSession.objects.filter(club=club).order_by("-starts_at", "pk")


@require_safe
def list_tournaments(request: HttpRequest, slug: str) -> HttpResponse:
    """All tournaments and seasons of a club (`?page=`): those that are not over, then the latest first."""
    club, role = find_club(request, slug)
    rows = list_both(*_seen(club, role), *NOW_FIRST)
    shown, page = _read_page(request, rows)
    return fresh(render(request, "clubs/past.html", {"club": club, "page": page, "tournaments": draw_list(shown)}))


@require_safe
def list_evenings(request: HttpRequest, slug: str) -> HttpResponse:
    """All evenings of a club (`?page=`), the latest first."""
    club, _role = find_club(request, slug)
    shown, page = _read_page(request, _agreed(club))
    told = evening_pages.list_rows(shown, now=time.time())
    return fresh(render(request, "clubs/past.html", {"club": club, "page": page, "evenings": told}))


def _read_page(request: HttpRequest, rows: QuerySet[Any, _Row]) -> tuple[list[_Row], dict[str, int]]:
    """The rows of the page that the reader asks for, else of the first or the last one; which of how many that is."""
    pages = Paginator(rows, A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return list(page), {"number": page.number, "of": pages.num_pages}
