"""Which pages an address leads to: those of tournaments and of seasons are the same, as no two of them share an id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from games.memo import Memo
from tournaments.views.lookups import Missing

View = Callable[..., HttpResponse]

_seasons: Memo[str, bool] = Memo("season ids", 1024)
"""Ids that were a season's when they were last asked for: there it is looked for first."""


def either(of_tournament: View, of_season: View) -> View:
    """The page of whichever of the two it is. Raises Missing where it is neither."""

    def show(request: HttpRequest, tournament_id: str, **rest: Any) -> HttpResponse:
        views = (of_tournament, of_season)
        if _seasons.get(tournament_id):
            views = (of_season, of_tournament)
        try:
            return views[0](request, tournament_id, **rest)
        except Missing:
            answer = views[1](request, tournament_id, **rest)
        _seasons.put(tournament_id, views[1] is of_season)
        return answer

    return show
