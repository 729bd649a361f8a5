"""Sheets for the printer: pairings by table and by name, table cards with QR codes, standings, certificates."""

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
from games.accounts.site_urls import absolute
from games.play.errors import NotFound
from games.presenters.names import name_game
from tournaments import formats
from tournaments.flow import permissions
from tournaments.flow.counting import stand_in_records
from tournaments.flow.drawing import pairing
from tournaments.flow.standings import book_cache, ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.models import Rest, Role, Round, Tournament
from tournaments.views.lookups import draw_qr, find_tournament, fresh
from tournaments.views.page_frame import frame
from tournaments.views.standings import table_views, tournament_view
from tournaments.words.terms import by_name

MOST_CERTIFICATES = 400
FILES = ("archive.zip", "tournament.json", "standings.csv", "results.csv")


@require_safe
def show(request: HttpRequest, tournament_id: str, sheet: str) -> HttpResponse:
    """One kind of sheet; `?round=` chooses the round. Raises NotFound."""
    tournament, role = find_tournament(request, tournament_id)
    if sheet not in SHEETS:
        raise NotFound("There is no such sheet.")
    book = book_cache.read(tournament)
    played = _choose(request, book)
    context = frame(request, tournament, role, "print") | {"sheet": sheet, "played": played, "now": time.time()}
    context |= SHEETS[sheet](request, book, played)
    return fresh(render(request, f"tournaments/print/{sheet}.html", context))


@require_safe
def outputs(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Everything that leaves the screen: hall display, sheets, files."""
    tournament, role = find_tournament(request, tournament_id)
    context = frame(request, tournament, role, "outputs") | {"files": FILES}
    return fresh(render(request, "tournaments/outputs.html", context))


def _choose(request: HttpRequest, book: Book) -> Round | None:
    seen = [one for one in book.rounds if one.status in (Round.Status.RELEASED, Round.Status.COMPLETE)]
    wanted = [one for one in seen if str(one.number) == request.GET.get("round")]
    return wanted[0] if wanted else (seen[-1] if seen else None)


def _pairings(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    if played is None:
        return {"pods": [], "byes": []}
    return {
        "pods": table_views.list_pods(book, played, {}, None, only=tournament_view.sitting(book, played)),
        "byes": tournament_view.list_rests(book, played, Rest.Kind.BYE),
    }


def _names(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    """Everybody in the round by name; who has a bye sits at no table (0)."""
    told = _pairings(request, book, played)
    seats = [(seat, pod.label, index + 1) for pod in told["pods"] for index, seat in enumerate(pod.seats)]
    rows = [(name, seat.is_bot, label, number) for seat, label, number in seats for name in seat.sought]
    resting = [(one.name, bool(one.bot), 0, 0) for one in told["byes"]]
    return {"names": sorted(rows + resting, key=lambda row: by_name(row[0]))}


def _cards(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    club = book.tournament.club
    is_desk = permissions.is_at_least(permissions.role_of(club, player_id(request)), Role.ORGANISER)

    def draw(pod: table_views.PodView) -> str:
        return draw_qr(absolute(request, card_address(book.tournament, played, pod.number, is_desk=is_desk)))

    return {"cards": [(pod, draw(pod)) for pod in _pairings(request, book, played)["pods"] if not pod.is_online]}


def card_address(tournament: Tournament, played: Round | None, number: int, *, is_desk: bool) -> str:
    """The table's page; in an arena the tournament's, which knows who sits there by then.

    is_desk: the organiser prints it; his cards open the tournament as its link does, so that people without an account
    say at the table who they are.
    """
    has_rounds, at = formats.of(tournament).has_rounds, played.number if played else 0
    if is_desk:
        link = reverse("tournaments:entry_link", args=[tournament.entry_token])
        return f"{link}?table={at}-{number}" if has_rounds else link
    if not has_rounds:
        return reverse("tournaments:tournament", args=[tournament.pk])
    return reverse("tournaments:pod", args=[tournament.pk, at, number])


def _standings(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    if not formats.of(book.tournament).has_rounds:
        lines = ranking.rank(book) if find_games(book).over else ()
        parts = {
            "has_penalties": tournament_view.has_penalties(lines),
            "penalties": tournament_view.list_penalties(book),
        }
        rows = tournament_view.list_standings(book, lines, None, told=stand_in_records.tell(book))
        return {"after": None, "lines": rows, "tie_breaks": [], "numbers": [], **parts}
    rounds = book.complete_rounds()
    wanted = next((one for one in rounds if str(one.number) == request.GET.get("round")), None)
    after = wanted or (rounds[-1] if rounds else None)
    lines = ranking.rank(book, after.number) if after else ()
    columns = tournament_view.find_columns(book, lines)
    return {
        "after": after,
        "order": tournament_view.explain_order(book, after.number) if after else "",
        "lines": tournament_view.list_standings(
            book, lines, None, columns, stand_in_records.tell(book, after.number if after else None)
        ),
        "tie_breaks": tournament_view.name_tie_breaks(book.scheme.tie_breaks[at] for at in columns),
        "numbers": book.scored_rounds(after.number) if after else (),
        "has_penalties": tournament_view.has_penalties(lines),
        "penalties": [
            one for one in tournament_view.list_penalties(book) if after and one[0].round_number <= after.number
        ],
    }


def _certificates(request: HttpRequest, book: Book, played: Round | None) -> dict[str, Any]:
    told = _standings(request, book, played)
    lines, has_points = told["lines"], not told.get("order")
    game, day = book.tournament.game, _find_day(book)
    people = [line if has_points else line | {"points": ""} for line in lines if not line["entrant"].bot]
    return {
        "lines": people[:MOST_CERTIFICATES],
        "of": len(lines),
        "what": " · ".join(([name_game(game)] if game else []) + ([date(localtime(day))] if day else [])),
        "is_over": pairing.is_over(book),
    }


def _find_day(book: Book) -> datetime | None:
    """When it took place: what was planned for no time, when its first round was released."""
    if book.tournament.starts_at is not None:
        return book.tournament.starts_at
    released_at = min((played.released_at for played in book.rounds if played.released_at), default=None)
    return datetime.fromtimestamp(released_at, tz=UTC) if released_at else None


SHEETS: dict[str, Callable[[HttpRequest, Book, Round | None], dict[str, Any]]] = {
    "pairings": _pairings,
    "names": _names,
    "cards": _cards,
    "standings": _standings,
    "certificates": _certificates,
}
