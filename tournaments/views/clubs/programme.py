"""A club's tournaments, seasons and evenings: the latest on its page, all of them in pages."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.flow.planning.phases import NOW_FIRST, is_cancelled_ahead
from tournaments.flow.profiles import finding
from tournaments.flow.seasons.season_phases import UNSETTLED
from tournaments.models import Club, Phase, Role, Season, TimedSession, Tournament
from tournaments.views.evenings import evening_pages
from tournaments.views.lookups import disable_caching, find_club, read_search
from tournaments.views.tournament_lists import list_both, render_list

SHOWN = 100
SHOWN_EVENINGS = 20
"""Rows on the club's page of each list of tournaments, and of evenings."""
PAGE_ROWS = 50
"""Rows on one page of the full lists."""
_Row = TypeVar("_Row")


def describe_programme(club: Club, role: Role | None) -> dict[str, Any]:
    """Template context: the latest tournaments and evenings, and whether there are more."""
    seen = _query_visible(club, role)
    coming = list(list_both(*seen, *NOW_FIRST, where=Q(phase__in=UNSETTLED))[: SHOWN + 1])
    coming += list_both(*seen, *NOW_FIRST, where=is_cancelled_ahead(time.time()))[: SHOWN + 1]
    listed = {pk for pk, *_ in coming}
    for phase in (Phase.FINISHED, Phase.CALLED_OFF):
        coming += [row for row in _list_latest(seen, phase) if row[0] not in listed]
    archived = _list_latest(seen, Phase.ARCHIVED)
    agreed = list(_query_evenings(club)[: SHOWN_EVENINGS + 1])
    return {
        "tournaments": render_list(coming[:SHOWN]),
        "archive": render_list(archived[:SHOWN]),
        "has_more_tournaments": max(len(coming), len(archived)) > SHOWN,
        "evenings": evening_pages.list_rows(agreed[:SHOWN_EVENINGS], now=time.time()),
        "has_more_evenings": len(agreed) > SHOWN_EVENINGS,
    }


_Queries: TypeAlias = tuple[QuerySet[Tournament], QuerySet[Season]]


def _query_visible(club: Club, role: Role | None) -> _Queries:
    queries = Tournament.objects.filter(club=club), Season.objects.filter(club=club)
    return queries if role is not None else (queries[0].filter(is_public=True), queries[1].filter(is_public=True))


def _list_latest(seen: _Queries, phase: Phase) -> list[tuple[Any, ...]]:
    """The latest of a phase. A query per phase, so that the index of finished times is used."""
    return list(list_both(*seen, "-finished_at", "-created_at", where=Q(phase=phase))[: SHOWN + 1])


def _query_evenings(club: Club) -> QuerySet[TimedSession]:
    return TimedSession.objects.filter(club=club).order_by("-starts_at", "pk")


@require_safe
def list_tournaments(request: HttpRequest, slug: str) -> HttpResponse:
    """All tournaments and seasons of a club (`?page=`, `?q=`): first those not over, then the latest first."""
    club, role = find_club(request, slug)
    rows = list_both(*_query_visible(club, role), *NOW_FIRST)
    shown, page = _read_page(request, rows, lambda row: row[1])
    return disable_caching(
        render(request, "clubs/past.html", {"club": club, "page": page, "tournaments": render_list(shown)})
    )


@require_safe
def list_evenings(request: HttpRequest, slug: str) -> HttpResponse:
    """All evenings of a club (`?page=`, `?q=`), the latest first."""
    club, _role = find_club(request, slug)
    shown, page = _read_page(request, _query_evenings(club), lambda evening: evening.name)
    rows = evening_pages.list_rows(shown, now=time.time())
    return disable_caching(render(request, "clubs/past.html", {"club": club, "page": page, "evenings": rows}))


def _read_page(
    request: HttpRequest, rows: QuerySet[Any, _Row], name_of: Callable[[_Row], str]
) -> tuple[list[_Row], dict[str, Any]]:
    """The rows of `?page=` (or of the nearest page) whose names match `?q=`, and the template context of the pages."""
    wanted = read_search(request)
    found = finding.filter_by_name(rows[: finding.LATEST], wanted, name_of) if wanted else rows
    pages: Paginator[_Row] = Paginator(found, PAGE_ROWS)
    page = pages.get_page(request.GET.get("page"))
    search = f"&{urlencode({'q': wanted})}" if wanted else ""
    about = {"number": page.number, "of": pages.num_pages, "wanted": wanted, "search": search}
    return list(page), about | {"is_paged": bool(wanted) or pages.num_pages > 1}
