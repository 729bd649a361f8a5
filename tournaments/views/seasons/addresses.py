"""Tournaments and seasons share addresses, as their ids never collide: this chooses the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from games.memo import Memo
from tournaments.views.lookups import TournamentMissing

View = Callable[..., HttpResponse]

_seasons: Memo[str, bool] = Memo("season ids", 1024)
"""Ids that were found to be of a season, up to 1024: their season is looked up first."""


def choose_view(of_tournament: View, of_season: View) -> View:
    """A view that calls the one of the kind that the id belongs to. Raises TournamentMissing if it is neither."""

    def show(request: HttpRequest, tournament_id: str, **rest: Any) -> HttpResponse:
        views = (of_tournament, of_season)
        if _seasons.get(tournament_id):
            views = (of_season, of_tournament)
        try:
            return views[0](request, tournament_id, **rest)
        except TournamentMissing:
            answer = views[1](request, tournament_id, **rest)
        _seasons.put(tournament_id, views[1] is of_season)
        return answer

    return show
