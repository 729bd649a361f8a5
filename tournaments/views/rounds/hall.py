"""The hall display: pairings, countdown and standings in sheets, readable from ten metres."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.accounts.site_urls import address_of
from games.presenters.render import macro
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking, team_ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Phase, Pod, Rest, Round
from tournaments.views.lookups import (
    disable_caching,
    find_page_version,
    find_tournament,
    read_query_number,
    render_qr,
)
from tournaments.views.page_frame import build_frame
from tournaments.views.rounds import arena
from tournaments.views.standings import cached_rows, table_views, tournament_view
from tournaments.views.standings.bracket_view import name_round, render_hall_brackets
from tournaments.views.standings.name_sheets import NAMES_ALONE, split_names
from tournaments.views.standings.table_views import PodView
from tournaments.words.terms import say_points

PODS_A_SHEET = 6
LINES_A_SHEET = 10
"""What fits on a sheet. More makes the type smaller, less makes people wait longer for their sheet."""
TALL_PODS_A_SHEET = 4
"""Tables of more than SHORT_POD lines on a sheet. A name of more than POD_LETTERS takes two lines."""
SHORT_POD = 4
POD_LETTERS = 30
MAX_POD_SHEETS = 4
"""Sheets of tables, at most. If there are more, only names are shown: people find their table sooner."""
MAX_SCREENS = 9
"""Screens that can share the names among them."""
SCREENS = ("names", "tables", "standings", "teams", "timer", "missing", "bracket")
"""What a screen can show alone: `?show=` with one of these. Without it all sheets take turns."""
MAX_LINES = 30
"""Lines of the standings that are shown at all."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """All sheets of the hall display; a script turns them over.

    `?show=` one of `SCREENS`; `?screen=2&of=3` the second of three screens that share the names.
    """
    tournament, role = find_tournament(request, tournament_id)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    current = next((played for played in reversed(book.rounds) if played.status == Round.Status.RELEASED), None)
    sitting = tournament_view.list_current_pods(book, current) if current else []
    bell = current.ends_at if current and not current.paused_at else None
    wanted = request.GET.get("show", "")
    only = wanted if wanted in SCREENS else ""
    pod_sheets = _render_pod_sheets(book, current, sitting) if current and only in ("", "tables") else []
    context = build_frame(request, tournament, role, "hall") | {
        "current": current,
        "stage": name_round(book, current) if current else "",
        "ends_at": round(bell * 1000) if bell and not tournament.is_over_days else None,
        "deadline": bell if tournament.is_over_days else None,
        "now": round(time.time() * 1000),
        "only": only,
        "pod_sheets": pod_sheets if only or len(pod_sheets) <= MAX_POD_SHEETS else [],
        "name_sheets": _share_names(request, book, sitting) if only in ("", "names") else [],
        "missing_sheets": _render_missing(book, only),
        "arena": None if formats.of(tournament).has_rounds else _describe_arena(book),
        "byes": tournament_view.list_rests(book, current, Rest.Kind.BYE) if current else [],
        "brackets": render_hall_brackets(book) if only in ("", "bracket") else [],
        "line_sheets": cached_rows.render_hall_standings(_list_leaders(book), LINES_A_SHEET)
        if only in ("", "standings")
        else [],
        "team_sheets": cached_rows.render_hall_standings(_list_leading_teams(book), LINES_A_SHEET)
        if only in ("", "teams")
        else [],
        "entry_qr": render_qr(address := address_of(request, "tournaments:tournament", tournament.pk)),
        "address": address,
        "can_enter": tournament.phase in (Phase.ENTRY, Phase.CHECK_IN),
    }
    shown = ("pod_sheets", "name_sheets", "line_sheets", "team_sheets", "missing_sheets", "brackets")
    context["is_empty"] = only not in ("", "timer", "missing") and not any(context[sheets] for sheets in shown)
    return disable_caching(render(request, "tournaments/rounds/hall.html", context))


def _render_pod_sheets(book: Book, current: Round, sitting: Sequence[Pod]) -> list[str]:
    pods = table_views.list_pods(book, current, {}, None, only=sitting)
    size = PODS_A_SHEET if all(_count_lines(pod) <= SHORT_POD for pod in pods) else TALL_PODS_A_SHEET
    return [cached_rows.render_hall_pods(sheet) for sheet in cached_rows.split_evenly(pods, size)]


def _count_lines(pod: PodView) -> int:
    written = (f"{seat.name} {seat.substitute} {seat.team} {seat.stand_in}".strip() for seat in pod.seats)
    return sum(len(textwrap.wrap(line, POD_LETTERS)) for line in written)


def _share_names(request: HttpRequest, book: Book, sitting: Sequence[Pod]) -> list[SafeString]:
    """The sheets of names of this screen: all of them, or its part of the alphabet where several screens share them."""
    screens = min(MAX_SCREENS, max(1, read_query_number(request, "of", 1)))
    screen = min(screens, max(1, read_query_number(request, "screen", 1)))
    sheets = cached_rows.render_hall_names(book, sitting, screens)
    return sheets[len(sheets) * (screen - 1) // screens : len(sheets) * screen // screens]


def _render_missing(book: Book, only: str) -> list[SafeString]:
    """Who has not checked in yet, in sheets: while people check in, and on a screen for them."""
    if only != "missing" and (only or book.tournament.phase != Phase.CHECK_IN):
        return []
    missing = [
        entrant for entrant in book.entrants.values() if entrant.status == Entrant.Status.ENTERED and not entrant.bot
    ]
    render_sheet = macro("hall.jinja", "missing")
    names = [entrant.name for entrant in cached_rows.sort_by_name(missing)]
    sheets = split_names(names, NAMES_ALONE)
    return [cached_rows.join([render_sheet(tuple(names[begin:end]))]) for begin, end in sheets]


def _describe_arena(book: Book) -> dict[str, Any] | None:
    """Who waits in an arena, and until when; None unless it is open."""
    state = arena.describe_pool(book, arena.find_arena_round(book), now=time.time())
    return state if state["is_open"] else None


def _list_leading_teams(book: Book) -> list[cached_rows.HallLine]:
    """The leading teams, with the results of the round under way; empty before the first result."""
    if not any(book.accepted(pod) for pods in book.pods.values() for pod in pods):
        return []
    return [
        cached_rows.HallLine(
            line.place,
            team_ranking.find_team(book, line.team).name,
            is_bot=False,
            points=say_points(line.points),
            penalty=say_points(-line.penalties) if line.penalties else "",
        )
        for line in team_ranking.rank_teams(book, live=True)[:MAX_LINES]
    ]


def _list_leaders(book: Book) -> list[cached_rows.HallLine]:
    """The leaders, with the results of the round under way; empty before the first result."""
    if not any(book.accepted(pod) for pods in book.pods.values() for pod in pods):
        return []
    named = [(line, book.by_key[line.entrant]) for line in ranking.rank(book, live=True)[:MAX_LINES]]
    is_by_points, stand_ins = (
        not tournament_view.explain_order(book, live=True),
        stand_in_records.count_stand_ins(book, live=True),
    )
    return [
        cached_rows.HallLine(
            line.place,
            one.name,
            bool(one.bot),
            tournament_view.say_total(book, line) if is_by_points else "",
            say_points(-line.penalties) if line.penalties and is_by_points else "",
            tournament_view.say_stand_ins(book, one.name, stand_ins.get(line.entrant)),
            book.name_team(one.pk),
        )
        for line, one in named
    ]
