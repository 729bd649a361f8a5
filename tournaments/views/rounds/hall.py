"""The hall display: pairings, countdown and standings in sheets, readable from ten metres."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.accounts.site_urls import address_of
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Phase, Pod, Rest, Round
from tournaments.views.lookups import disable_caching, find_page_version, find_tournament, render_qr
from tournaments.views.page_frame import build_frame
from tournaments.views.rounds import arena
from tournaments.views.standings import cached_rows, table_views, tournament_view
from tournaments.words.terms import name_stage, say_points

PODS_A_SHEET = 6
NAMES_A_SHEET = 48
LINES_A_SHEET = 12
"""What fits on a sheet. More makes the type smaller, less makes people wait longer for their sheet."""
MOST_LINES = 36
"""Lines of the standings that are shown at all."""


@require_safe
def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """All sheets of the hall display; a script turns them over."""
    tournament, role = find_tournament(request, tournament_id)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    current = next((one for one in reversed(book.rounds) if one.status == Round.Status.RELEASED), None)
    sitting = tournament_view.list_current_pods(book, current) if current else []
    context = build_frame(request, tournament, role, "hall") | {
        "current": current,
        "stage": name_stage(tournament.format, current.stage) if current else "",
        "ends_at": round(current.ends_at * 1000) if current and current.ends_at and not current.paused_at else None,
        "now": round(time.time() * 1000),
        "pod_sheets": _render_pod_sheets(book, current, sitting) if current else [],
        "name_sheets": cached_rows.render_hall_names(book, sitting, NAMES_A_SHEET),
        "arena": None if formats.of(tournament).has_rounds else _describe_arena(book),
        "byes": tournament_view.list_rests(book, current, Rest.Kind.BYE) if current else [],
        "line_sheets": cached_rows.render_hall_standings(_list_leaders(book), LINES_A_SHEET),
        "entry_qr": render_qr(address := address_of(request, "tournaments:tournament", tournament.pk)),
        "address": address,
        "can_enter": tournament.phase in (Phase.ENTRY, Phase.CHECK_IN),
    }
    return disable_caching(render(request, "tournaments/hall.html", context))


def _render_pod_sheets(book: Book, current: Round, sitting: Sequence[Pod]) -> list[str]:
    pods = table_views.list_pods(book, current, {}, None, only=sitting)
    return [cached_rows.render_hall_pods(sheet) for sheet in cached_rows.split_evenly(pods, PODS_A_SHEET)]


def _describe_arena(book: Book) -> dict[str, Any] | None:
    """Who waits in an arena, and until when; None unless it is open."""
    state = arena.describe_pool(book, arena.find_arena_round(book), now=time.time())
    return state if state["is_open"] else None


def _list_leaders(book: Book) -> list[cached_rows.HallLine]:
    """The leaders, with the results of the round under way; empty before the first result."""
    if not any(book.accepted(pod) for pods in book.pods.values() for pod in pods):
        return []
    named = [(line, book.by_key[line.entrant]) for line in ranking.rank(book, live=True)[:MOST_LINES]]
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
        )
        for line, one in named
    ]
