"""Leaderboards."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.presenters.names import GAMES
from tournaments.flow.counting.place_counts import ORDERS
from tournaments.flow.profiles import leaderboards
from tournaments.flow.profiles.leaderboards import Page, Query
from tournaments.models import Club
from tournaments.views.fragments import fragment

HEADS = {
    "rating": _("Rating"),
    "games": _("Tables"),
    "share": _("Beaten"),
    "wins": _("Wins"),
    "tops": _("Top jobs"),
}


HOME = "/people/"
"""Where profiles begin; asking the router for each of fifty takes longer than all the rest of their rows."""


@require_safe
def show_leaderboard(request: HttpRequest) -> HttpResponse:
    """One page of one board; every filter stands in the address. Raises BadInput, NotFound."""
    query = leaderboards.read_query(request.GET)
    reader = player_id(request)
    club = leaderboards.find_club(query.club, reader)
    page = leaderboards.list_page(query, club)
    clubs = leaderboards.list_clubs(reader)
    context = {
        "query": query,
        "club": club,
        "rows": fragment("rows", lines=page.lines, by=query.by, me=reader, home=HOME) if page.lines else "",
        "me": reader,
        "games": list(GAMES.values()),
        "seasons": leaderboards.list_seasons(),
        "clubs": clubs if club is None or club in clubs else [*clubs, club],
        "heads": [(by, HEADS[by], address(query._replace(by=by, after=None))) for by in ORDERS],
        "mine": _lead_to(reader, query, club, page),
        "first": address(query._replace(after=None)) if query.after else "",
        "next": address(query._replace(after=page.next)) if page.next else "",
    }
    return render(request, "people/leaderboard.html", context)


def _lead_to(reader: int | None, query: Query, club: Club | None, page: Page) -> str:
    """Where the reader stands, if it is not on this page."""
    if reader is None or any(line.player_id == reader for line in page.lines):
        return ""
    found = leaderboards.find_page_of(reader, query, club)
    return "" if found is None else address(found)


def address(query: Query) -> str:
    """The query as the end of an address: only what is not the default."""
    fields = {"game": query.game, "season": query.season or "", "club": query.club, "by": query.by}
    after = f"{query.after[0]}_{query.after[1]}" if query.after else ""
    said = {
        name: value
        for name, value in (fields | {"after": after}).items()
        if value and (name, value) != ("by", "rating")
    }
    return f"?{urlencode(said)}"
