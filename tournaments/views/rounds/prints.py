"""Sheets for the printer: a list for the door, pairings, table cards with QR codes, slips, standings, certificates."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.timezone import localtime
from django.views.decorators.http import require_safe

from games.accounts.current_player import player_id
from games.accounts.site_urls import absolute_url
from games.play.errors import NotFound
from games.presenters.names import name_game
from games.rules import registry
from tournaments import formats
from tournaments.flow import permissions
from tournaments.flow.clubs import club_picture
from tournaments.flow.counting import stand_in_records
from tournaments.flow.drawing import pairing
from tournaments.flow.entry import waiting_list
from tournaments.flow.standings import book_cache, ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.models import Rest, Role, Round, Tournament
from tournaments.views.lookups import disable_caching, find_tournament, render_qr
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import bracket_view, cached_rows, table_views, team_views, tournament_view
from tournaments.words.terms import name_sort_key

MAX_CERTIFICATES = 400
"""Certificates in one document. More pages make browsers slow to print."""
FILES = ("archive.zip", "tournament.json", "standings.csv", "results.csv")
TEAMS_FILE = "teams.csv"
"""One more in a tournament of teams."""
FREE_LINES = 12
"""Empty lines for walk-ins on the list for the door."""
BEST_TEAMS = 3
"""Teams in these places get a certificate."""


@require_safe
def show(request: HttpRequest, tournament_id: str, sheet: str) -> HttpResponse:
    """One kind of sheet; `?round=` chooses the round. Raises NotFound."""
    tournament, role = find_tournament(request, tournament_id)
    if sheet not in SHEETS:
        raise NotFound("This sheet does not exist.")
    book = book_cache.read(tournament)
    played = _choose_round(request, book)
    context = build_frame(request, tournament, role, "print") | {"sheet": sheet, "played": played, "now": time.time()}
    context |= SHEETS[sheet](request, book, played)
    return disable_caching(render(request, f"tournaments/print/{sheet}.html", context))


@require_safe
def show_outputs(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Links to the hall display, to sheets for printing and to files."""
    tournament, role = find_tournament(request, tournament_id)
    context = build_frame(request, tournament, role, "outputs") | {
        "files": FILES if tournament.team_size is None else (*FILES, TEAMS_FILE)
    }
    return disable_caching(render(request, "tournaments/rounds/outputs.html", context))


def _choose_round(request: HttpRequest, book: Book) -> Round | None:
    seen = [played for played in book.rounds if played.status in (Round.Status.RELEASED, Round.Status.COMPLETE)]
    wanted = [played for played in seen if str(played.number) == request.GET.get("round")]
    return wanted[0] if wanted else (seen[-1] if seen else None)


def _describe_entrants(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    """The list for the door: people by name (bots need no door), with those on the waiting list at its end."""
    people = [one for one in book.entrants.values() if not one.bot]
    signed_up = cached_rows.sort_by_name(one for one in people if one.status in waiting_list.IN)
    waiting = waiting_list.sort_waiting(people)
    return {
        "people": [(one, book.name_team(one.pk)) for one in signed_up],
        "waiting": [(one, "") for one in waiting],
        "free_lines": range(FREE_LINES),
    }


def _describe_pairings(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    if played is None:
        return {"pods": [], "byes": []}
    return {
        "pods": table_views.list_pods(book, played, {}, None, only=tournament_view.list_current_pods(book, played)),
        "byes": tournament_view.list_rests(book, played, Rest.Kind.BYE),
    }


def _describe_names(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    """The players of a round by name. The table of a bye is 0."""
    described = _describe_pairings(request, book, played)
    seats = [(seat, pod.label, index + 1) for pod in described["pods"] for index, seat in enumerate(pod.seats)]
    rows = [(name, seat.is_bot, label, number) for seat, label, number in seats for name in seat.search_names]
    resting = [(entrant.name, bool(entrant.bot), 0, 0) for entrant in described["byes"]]
    return {"names": sorted(rows + resting, key=lambda row: name_sort_key(row[0]))}


def _describe_cards(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    """Cards and result slips of real tables, with boxes for places, and for scores if the game has them."""
    club = book.tournament.club
    is_desk = permissions.is_at_least(permissions.role_of(club, player_id(request)), Role.ORGANISER)

    def render_code(pod: table_views.PodView) -> str:
        return render_qr(absolute_url(request, build_card_url(book.tournament, played, pod.number, is_desk=is_desk)))

    game = book.tournament.game
    return {
        "cards": [
            (pod, render_code(pod)) for pod in _describe_pairings(request, book, played)["pods"] if not pod.is_online
        ],
        "has_scores": registry.is_installed(game) and registry.find(game).has_scores,
    }


def build_card_url(tournament: Tournament, played: Round | None, number: int, *, is_desk: bool) -> str:
    """The address in the QR code of a table's card: the table's page, or in an arena the tournament's.

    is_desk: an organiser prints the card. Then it is the entry link, with which people without an account can claim
    their name at the table.
    """
    has_rounds, at = formats.of(tournament).has_rounds, played.number if played else 0
    if is_desk:
        link = reverse("tournaments:entry_link", args=[tournament.entry_token])
        return f"{link}?table={at}-{number}" if has_rounds else link
    if not has_rounds:
        return reverse("tournaments:tournament", args=[tournament.pk])
    return reverse("tournaments:pod", args=[tournament.pk, at, number])


def _describe_standings(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    if not formats.of(book.tournament).has_rounds:
        lines = ranking.rank(book) if find_games(book).over else ()
        parts = {
            "has_penalties": tournament_view.has_penalties(lines),
            "penalties": tournament_view.list_penalties(book),
        }
        rows = tournament_view.list_standings(book, lines, None, stand_ins=stand_in_records.count_stand_ins(book))
        return {"after": None, "lines": rows, "tie_breaks": [], "numbers": [], **parts}
    rounds = book.complete_rounds()
    wanted = next((row for row in rounds if str(row.number) == request.GET.get("round")), None)
    after = wanted or (rounds[-1] if rounds else None)
    lines = ranking.rank(book, after.number) if after else ()
    columns = tournament_view.find_columns(book, lines)
    return {
        "after": after,
        "brackets": bracket_view.render_paper_brackets(book),
        "order": tournament_view.explain_order(book, after.number) if after else "",
        "lines": tournament_view.list_standings(
            book, lines, None, columns, stand_in_records.count_stand_ins(book, after.number if after else None)
        ),
        "tie_breaks": tournament_view.name_tie_breaks(book.scheme.tie_breaks[at] for at in columns),
        "numbers": book.scored_rounds(after.number) if after else (),
        "has_penalties": tournament_view.has_penalties(lines),
        "penalties": [
            penalty
            for penalty in tournament_view.list_penalties(book)
            if after and penalty[0].round_number <= after.number
        ],
        **(team_views.describe_team_standings(book, after.number) if after else {}),
    }


def _describe_certificates(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    described = _describe_standings(request, book, played)
    lines, has_points = described["lines"], not described.get("order")
    game, day = book.tournament.game, _find_day(book)
    people = [line if has_points else line | {"points": ""} for line in lines if not line["entrant"].bot]
    return {
        "lines": people[:MAX_CERTIFICATES],
        "best_teams": [line for line in described.get("team_lines", []) if line["place"] <= BEST_TEAMS],
        "all_teams": len(described.get("team_lines", [])),
        "of": len(lines),
        "what": " · ".join(([name_game(game)] if game else []) + ([date(localtime(day))] if day else [])),
        "is_over": pairing.is_over(book),
        "picture": club_picture.find_key(book.tournament.club),
    }


def _find_day(book: Book) -> datetime | None:
    """The day on certificates: the planned one, or that of the first released round."""
    if book.tournament.starts_at is not None:
        return book.tournament.starts_at
    released_at = min((played.released_at for played in book.rounds if played.released_at), default=None)
    return datetime.fromtimestamp(released_at, tz=UTC) if released_at else None


SHEETS: dict[str, Callable[[HttpRequest, Book, Round | None], dict[str, Any]]] = {
    "entrants": _describe_entrants,
    "pairings": _describe_pairings,
    "names": _describe_names,
    "cards": _describe_cards,
    "slips": _describe_cards,
    "standings": _describe_standings,
    "certificates": _describe_certificates,
}
