"""A season on paper and on the big screen: its table, certificates, the hall display."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import date
from django.utils.timezone import localtime
from django.views.decorators.http import require_safe

from games.accounts.site_urls import address_of
from games.play.errors import NotFound
from games.presenters.names import name_game
from games.presenters.stand_in_texts import say_games
from tournaments.flow.seasons.season_standings import OVER, read_table
from tournaments.models import Entrant, Season
from tournaments.views.lookups import draw_qr, find_season, fresh
from tournaments.views.seasons.season_frame import frame
from tournaments.views.standings import cached_rows
from tournaments.words.terms import say_points

FILES = ("archive.zip", "league.json", "standings.csv")
MOST_CERTIFICATES = 400
LINES_A_SHEET = 12
"""Of the hall display."""
MOST_LINES = 36


@require_safe
def outputs(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Everything that leaves the screen: hall display, sheets, files."""
    season, role = find_season(request, tournament_id)
    return fresh(render(request, "seasons/outputs.html", frame(request, season, role, "outputs") | {"files": FILES}))


@require_safe
def show(request: HttpRequest, tournament_id: str, sheet: str) -> HttpResponse:
    """One kind of sheet. Raises NotFound."""
    season, role = find_season(request, tournament_id)
    if sheet not in SHEETS:
        raise NotFound("There is no such sheet.")
    context = frame(request, season, role, "print") | {"tournament": season, "sheet": sheet, "now": time.time()}
    return fresh(render(request, f"seasons/print/{sheet}.html", context | SHEETS[sheet](season)))


def _list_lines(season: Season) -> list[dict[str, Any]]:
    """The table as the sheets of tournaments have theirs."""
    table = read_table(season)
    stand_ins = table.stand_ins()
    return [
        {"place": line.place, "entrant": Entrant(name=line.person, avatar=table.avatars[line.person]),
         "points": say_points(line.points), "played": line.played, "wins": line.wins,
         "stand_in": say_games(line.person, stand_ins.get(line.person, 0))}
        for line in table.standing()
    ]  # fmt: skip


def _certificates(season: Season) -> dict[str, Any]:
    lines, day = _list_lines(season), ""
    if season.finished_at:
        day = date(localtime(datetime.fromtimestamp(season.finished_at, tz=UTC)))
    return {
        "lines": lines[:MOST_CERTIFICATES],
        "of": len(lines),
        "what": " · ".join(part for part in (name_game(season.game) if season.game else "", day) if part),
        "is_over": season.phase in OVER,
    }


SHEETS: dict[str, Callable[[Season], dict[str, Any]]] = {
    "standings": lambda season: {"lines": _list_lines(season)},
    "certificates": _certificates,
}


@require_safe
def show_hall(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Who is in front, in sheets, and where to read along; the script turns them over."""
    season, role = find_season(request, tournament_id)
    lines = [
        cached_rows.HallLine(line["place"], line["entrant"].name, False, line["points"], "", line["stand_in"])
        for line in _list_lines(season)[:MOST_LINES]
    ]
    context = frame(request, season, role, "hall") | {
        "tournament": season,
        "now": round(time.time() * 1000),
        "line_sheets": cached_rows.draw_hall_lines(lines, LINES_A_SHEET),
        "entry_qr": draw_qr(address := address_of(request, "tournaments:tournament", season.pk)),
        "address": address,
    }
    return fresh(render(request, "tournaments/hall.html", context))
