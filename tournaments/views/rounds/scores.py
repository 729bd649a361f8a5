"""The scorer's page: the tables of the round under way, those without a result first, each with its own form."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_of
from tournaments.flow.permissions import require_duty
from tournaments.flow.rounds.result_reports import needs_scores
from tournaments.models import Duty, Round
from tournaments.views.lookups import disable_caching, find_page_version, find_tournament
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import table_views, tournament_view


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The tables of the released round: number, names, and whether a result is in, waits for a word or is missing.

    Each has its form on the page, so that results can be entered while there is no network.
    """
    tournament, role = find_tournament(request, tournament_id)
    require_duty(tournament, player_of(request), Duty.SCORER)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    current = next((played for played in reversed(book.rounds) if played.status == Round.Status.RELEASED), None)
    pods = table_views.list_pods(book, current, tournament_view.find_tables(book, current), None) if current else []
    context = build_frame(request, tournament, role, "scores") | {
        "current": current,
        "round": current,
        "needs_scores": needs_scores(tournament),
        "open": sorted((pod for pod in pods if pod.accepted is None), key=lambda pod: not pod.proposed),
        "done": [pod for pod in pods if pod.accepted is not None],
    }
    return disable_caching(render(request, "tournaments/results/scores.html", context))
