"""The page of an entrant: what they have reached, and each of their rounds with the people at their table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.play.errors import NotFound
from tournaments import formats
from tournaments.flow.counting import stand_in_records
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book import Book
from tournaments.models import Entrant, Rest, Round
from tournaments.views.lookups import disable_caching, find_page_version, find_tournament
from tournaments.views.page_frame import build_frame
from tournaments.views.standings import table_views, tournament_view
from tournaments.views.standings.bracket_view import name_round
from tournaments.views.standings.table_views import PodView
from tournaments.words.terms import say_points


class EntrantRound(NamedTuple):
    """A round of an entrant, or a game of an arena. pod: None if they sat out; has_bye: then, whether with a bye.

    points: what the round was worth; empty while it is not complete, and where rounds give no points.
    """

    number: int
    stage: str
    pod: PodView | None
    has_bye: bool
    points: str


@require_safe
def show(request: HttpRequest, tournament_id: str, number: int) -> HttpResponse:
    """number: of the entrant in the tournament. Raises NotFound."""
    tournament, role = find_tournament(request, tournament_id)
    book = tournament_view.read_book(tournament, find_page_version(tournament))
    entrant = book.by_key.get(str(number))
    if entrant is None:
        raise NotFound("There is no such person in this tournament.")
    line = next((standing for standing in ranking.rank(book) if standing.entrant == str(number)), None)
    columns = range(len(book.scheme.tie_breaks))
    stand_ins = stand_in_records.count_stand_ins(book)
    rows = tournament_view.list_standings(book, [line] if line else [], None, columns, stand_ins)
    context = build_frame(request, tournament, role, "standings") | {
        "entrant": entrant,
        "team": book.name_team(entrant.pk),
        "line": rows[0] if rows and _has_standings(book) else None,
        "order": tournament_view.explain_order(book),
        "tie_breaks": tournament_view.label_tie_breaks(rows[0]["values"], [False for _ in columns]) if rows else (),
        "penalties": [
            penalty for penalty in tournament_view.list_penalties(book) if penalty[0].entrant_id == entrant.pk
        ],
        "rounds": list(_list_rounds(book, entrant, line.rounds if line else ())),
    }
    return disable_caching(render(request, "tournaments/standings/entrant.html", context))


def _has_standings(book: Book) -> bool:
    return bool(book.complete_rounds()) or not formats.of(book.tournament).has_rounds


def _list_rounds(book: Book, entrant: Entrant, points: tuple[int | None, ...]) -> Iterator[EntrantRound]:
    """The latest first. points: of each scored round."""
    scores = dict(zip(book.scored_rounds(), points, strict=False))
    for played in reversed(tournament_view.list_rounds(book)):
        here = [pod for pod in book.pods.get(played.pk, ()) if _sits_at(book, entrant, pod.pk)]
        tables = tournament_view.find_tables(book, played, only=here)
        score = scores.get(played.number)
        said, stage = "" if score is None else say_points(score), name_round(book, played)
        for pod in reversed(table_views.list_pods(book, played, tables, None, only=here)):
            number = pod.number if pod.is_game else played.number
            yield EntrantRound(number, stage, pod, has_bye=False, points="" if pod.is_game else said)
        rests = _list_rests(book, entrant, played)
        if not here and rests:
            yield EntrantRound(played.number, stage, None, has_bye=Rest.Kind.BYE in rests, points=said)


def _sits_at(book: Book, entrant: Entrant, pod_id: int) -> bool:
    return any(seat.entrant_id == entrant.pk for seat in book.seats.get(pod_id, ()))


def _list_rests(book: Book, entrant: Entrant, played: Round) -> set[str]:
    return {rest.kind for rest in book.rests.get(played.pk, ()) if rest.entrant_id == entrant.pk}
