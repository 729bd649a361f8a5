"""Sheets of a season for the printer (standings, certificates), and its hall display."""

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
from tournaments.formats.base import Columns
from tournaments.models import Entrant, Season
from tournaments.views.lookups import disable_caching, find_season, render_qr
from tournaments.views.seasons.season_frame import build_frame
from tournaments.views.standings import cached_rows
from tournaments.words.terms import say_points

FILES = ("archive.zip", "league.json", "standings.csv")
MAX_CERTIFICATES = 400
"""Certificates in one document. More pages make browsers slow to print."""
LINES_A_SHEET = 10
MAX_LINES = 30
"""Lines of the hall display, on a sheet and in all."""


@require_safe
def show_outputs(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Links to the hall display, to sheets for printing and to files."""
    season, role = find_season(request, tournament_id)
    return disable_caching(
        render(request, "seasons/outputs.html", build_frame(request, season, role, "outputs") | {"files": FILES})
    )


@require_safe
def show(request: HttpRequest, tournament_id: str, sheet: str) -> HttpResponse:
    """One kind of sheet. Raises NotFound."""
    season, role = find_season(request, tournament_id)
    if sheet not in SHEETS:
        raise NotFound("This sheet does not exist.")
    context = build_frame(request, season, role, "print") | {"tournament": season, "sheet": sheet, "now": time.time()}
    return disable_caching(render(request, f"seasons/print/{sheet}.html", context | SHEETS[sheet](season)))


def _list_lines(season: Season) -> list[dict[str, Any]]:
    """The standings in the shape that the sheets of tournaments use."""
    table = read_table(season)
    stand_ins = table.stand_ins()
    return [
        {"place": line.place, "entrant": Entrant(name=line.person, avatar=table.avatars[line.person]),
         "points": say_points(line.points), "played": line.played, "wins": line.wins,
         "stand_in": say_games(line.person, stand_ins.get(line.person, 0))}
        for line in table.standing()
    ]  # fmt: skip


def _describe_certificates(season: Season) -> dict[str, Any]:
    lines, day = _list_lines(season), ""
    if season.finished_at:
        day = date(localtime(datetime.fromtimestamp(season.finished_at, tz=UTC)))
    return {
        "lines": lines[:MAX_CERTIFICATES],
        "of": len(lines),
        "what": " · ".join(part for part in (name_game(season.game) if season.game else "", day) if part),
        "is_over": season.phase in OVER,
    }


SHEETS: dict[str, Callable[[Season], dict[str, Any]]] = {
    "standings": lambda season: {"lines": _list_lines(season), "traits": {"columns": Columns()}},
    "certificates": _describe_certificates,
}


@require_safe
def show_hall(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The hall display: the leaders in sheets, and the address of the page; a script turns them over."""
    season, role = find_season(request, tournament_id)
    lines = [
        cached_rows.HallLine(line["place"], line["entrant"].name, False, line["points"], "", line["stand_in"])
        for line in _list_lines(season)[:MAX_LINES]
    ]
    context = build_frame(request, season, role, "hall") | {
        "tournament": season,
        "now": round(time.time() * 1000),
        "line_sheets": cached_rows.render_hall_standings(lines, LINES_A_SHEET),
        "entry_qr": render_qr(address := address_of(request, "tournaments:tournament", season.pk)),
        "address": address,
    }
    return disable_caching(render(request, "tournaments/rounds/hall.html", context))
