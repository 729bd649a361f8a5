"""The page of duplicate deals: commitments, contributions and published secrets; and contributing."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.accounts.current_player import player_of
from games.play.errors import NotAllowed
from games.views import error_pages
from games.views.json_responses import JsonAnswer
from tournaments.flow import duplicate_commitments
from tournaments.models import Entrant, RoundDeals
from tournaments.views.duplicate_promise import find_shown_commitment
from tournaments.views.lookups import disable_caching, find_tournament, run_action
from tournaments.views.page_frame import build_frame

SHOWN = 40
"""Rounds (or seatings of an arena) on the page. The API lists all of them."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The commitments with their contributions and published secrets, the newest first."""
    tournament, role = find_tournament(request, tournament_id)
    names = dict(Entrant.objects.filter(tournament=tournament).values_list("number", "name"))
    rows = duplicate_commitments.list_commitments(tournament)[::-1]
    context = build_frame(request, tournament, role, "fair") | {
        "rows": [_describe(row, names) for row in rows[:SHOWN]],
        "left_out": len(rows[SHOWN:]),
    }
    return disable_caching(render(request, "tournaments/rounds/fair.html", context))


def _describe(row: RoundDeals, names: dict[int, str]) -> dict[str, Any]:
    given = enumerate(duplicate_commitments.list_contributions(row), start=1)
    return {
        "row": row,
        "secret": row.deal.secret if row.revealed_at is not None else "",
        "committed_at": datetime.fromtimestamp(row.committed_at, tz=UTC),
        "given": [(number, names.get(number, ""), text) for number, text in given if text is not None],
    }


@require_safe
def show_coming(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The current commitment and the reader's contribution as JSON, for pages in the background."""
    tournament, _role = find_tournament(request, tournament_id)
    promise = find_shown_commitment(tournament, player_of(request))
    return disable_caching(JsonAnswer({} if promise is None else promise._asdict()))


@require_POST
def contribute(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Contribute `entropy` to a `commitment`; `replace` overwrites an earlier one. As JSON: the entropy that counts."""
    tournament, _role = find_tournament(request, tournament_id)
    player = player_of(request)
    if player is None:
        raise NotAllowed("Only entrants of this tournament can contribute to its deals.")
    counted: list[str] = []

    def act() -> None:
        commitment, entropy = request.POST.get("commitment", ""), request.POST.get("entropy", "")
        is_asked = bool(request.POST.get("replace"))
        counted.append(
            duplicate_commitments.contribute(tournament, player, commitment, entropy, replace=is_asked, now=time.time())
        )

    response = run_action(request, act, back=f"{reverse('tournaments:tournament', args=[tournament.pk])}#promise")
    return (
        disable_caching(JsonAnswer({"entropy": counted[0]}))
        if counted and error_pages.wants_json(request)
        else response
    )
