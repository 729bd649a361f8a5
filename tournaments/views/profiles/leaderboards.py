"""The page of leaderboards."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.presenters.names import GAMES
from tournaments.flow.counting import ledger
from tournaments.flow.counting.place_counts import ORDERS
from tournaments.flow.profiles import leaderboards
from tournaments.flow.profiles.finding import MAX_LETTERS
from tournaments.flow.profiles.leaderboards import LeaderboardPage, Query
from tournaments.models import Club
from tournaments.views.fragments import render_fragment

COLUMN_HEADS = {
    "rating": _("Rating"),
    "games": _("Tables"),
    "share": _("Beaten"),
    "wins": _("Wins"),
    "tops": _("Top jobs"),
}


PEOPLE_URL = "/people/"
"""The path of profiles, fixed because reversing it for each of fifty rows takes longer than rendering them."""


@require_safe
def show_leaderboard(request: HttpRequest) -> HttpResponse:
    """One page of a leaderboard; its filters are in the query string. Raises BadInput, NotFound."""
    query = leaderboards.read_query(request.GET)
    reader = player_id(request)
    club = leaderboards.find_club(query.club, reader)
    wanted = request.GET.get("q", "").strip()[:MAX_LETTERS]
    page = (
        LeaderboardPage(leaderboards.search_lines(wanted, query, club), None)
        if wanted
        else leaderboards.list_page(query, club)
    )
    clubs = leaderboards.list_clubs(reader)
    own = None if reader is None or not page.lines else leaderboards.find_own_line(reader, query, club)
    compared_with = ledger.read_compared_with()
    context = {
        "query": query,
        "wanted": wanted,
        "club": club,
        "rows": (
            render_fragment(
                "rows", lines=page.lines, by=query.by, me=reader, home=PEOPLE_URL, is_compared=bool(compared_with)
            )
            if page.lines
            else ""
        ),
        "me": reader,
        "games": list(GAMES.values()),
        "seasons": leaderboards.list_seasons(),
        "clubs": clubs if club is None or club in clubs else [*clubs, club],
        "heads": [(by, COLUMN_HEADS[by], build_query_string(query._replace(by=by, after=None))) for by in ORDERS],
        "own": own,
        "own_movement": render_fragment("movement", moved=own.moved) if own else "",
        "head": COLUMN_HEADS[query.by],
        "since": datetime.fromtimestamp(compared_with, tz=UTC) if compared_with else None,
        "mine": _find_own_page(reader, query, club, page),
        "first": build_query_string(query._replace(after=None)) if query.after else "",
        "next": build_query_string(query._replace(after=page.next)) if page.next else "",
    }
    return render(request, "people/leaderboard.html", context)


def _find_own_page(reader: int | None, query: Query, club: Club | None, page: LeaderboardPage) -> str:
    """The query string of the page with the reader's own line; empty if it is on this page or there is none."""
    if reader is None or any(line.player_id == reader for line in page.lines):
        return ""
    found = leaderboards.find_page_of(reader, query, club)
    return "" if found is None else build_query_string(found)


def build_query_string(query: Query) -> str:
    """The query string of a query, without default values."""
    fields = {"game": query.game, "season": query.season or "", "club": query.club, "by": query.by}
    after = f"{query.after[0]}_{query.after[1]}" if query.after else ""
    given = {
        name: value
        for name, value in (fields | {"after": after}).items()
        if value and (name, value) != ("by", "rating")
    }
    return f"?{urlencode(given)}"
