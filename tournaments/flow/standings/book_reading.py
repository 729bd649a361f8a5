"""Reads the book of a tournament: completely, or by updating an earlier one."""

from __future__ import annotations

from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_update import (
    group_rows,
    list_penalties,
    list_team_members,
    list_teams,
    update_book,
)
from tournaments.models import Entrant, Pod, PodSeat, Rest, Result, Round, Tournament


def open_book(tournament: Tournament, *, earlier: Book | None = None) -> Book:
    """The present book of a tournament, in at most eight queries whatever its size, and two more for teams.

    earlier: an earlier book of it; rows that no step has changed since are taken from there.
    """
    renewed = None if earlier is None else update_book(earlier, tournament)
    return _read(tournament) if renewed is None else renewed


def _read(tournament: Tournament) -> Book:
    seats = PodSeat.objects.filter(pod__round__tournament=tournament).order_by("index")
    results = Result.objects.filter(pod__round__tournament=tournament).select_related("entered_by").order_by("pk")
    return Book(
        tournament=tournament,
        version=tournament.version,
        rounds=tuple(Round.objects.filter(tournament=tournament).order_by("number")),
        pods=group_rows(Pod.objects.filter(round__tournament=tournament).order_by("number"), "round_id"),
        seats=group_rows(seats, "pod_id"),
        results=group_rows(results, "pod_id"),
        rests=group_rows(Rest.objects.filter(round__tournament=tournament).order_by("pk"), "round_id"),
        penalties=list_penalties(tournament),
        teams=list_teams(tournament),
        team_members=list_team_members(tournament),
        entrants={entrant.pk: entrant for entrant in Entrant.objects.filter(tournament=tournament).order_by("number")},
    )
