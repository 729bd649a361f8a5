"""A book read on from an earlier one is the book that is read anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import models
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, decide_all, draw, entrant, play_round, release
from tournaments.flow.entry import organiser_decisions, sign_up
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.flow.steps.recorder import read_columns
from tournaments.flow.undo import step_undo
from tournaments.models import Pod, PodSeat, Step, Tournament

Doing = Callable[[Tournament, models.Player], object]


def describe(book: Book) -> dict[str, Any]:
    """Everything in a book, as plain values."""
    described: dict[str, Any] = {"entrants": {key: read_columns(row) for key, row in book.entrants.items()}}
    described["rounds"] = [read_columns(row) for row in book.rounds]
    described["penalties"] = [read_columns(row) for row in book.penalties]
    for name in ("pods", "seats", "results", "rests"):
        rows = getattr(book, name)
        described[name] = {key: [read_columns(row) for row in group] for key, group in rows.items() if group}
    return described


def first_pod(tournament: Tournament, number: int) -> Pod:
    """Table 1 of a round."""
    return Pod.objects.get(round__tournament=tournament, round__number=number, number=1)


def decide(tournament: Tournament, owner: models.Player, number: int) -> None:
    """The first seat of table 1 of this round was last after all."""
    pod = first_pod(tournament, number)
    seats = pod.seats.count()
    results.decide(tournament, owner, pod.pk, ReportedResult((seats, *range(1, seats))), now=NOW)


def note_forfeit(tournament: Tournament, owner: models.Player) -> None:
    """Somebody forfeited their chair in the running round."""
    seat = PodSeat.objects.filter(pod=first_pod(tournament, 3)).first()
    assert seat is not None
    results.set_fate(tournament, owner, seat.pk, PodSeat.Fate.FORFEIT, now=NOW)


def take_back(tournament: Tournament, owner: models.Player) -> None:
    """The newest step, and once more what it was."""
    for _ in range(2):
        newest = Step.objects.filter(tournament=tournament).latest("number")
        step_undo.revert(tournament, owner, newest.number, now=NOW)


def reopen_second(tournament: Tournament, owner: models.Player) -> None:
    """The third round and the completion of the second are taken back."""
    for kind in ("release", "draw", "complete"):
        step = Step.objects.filter(tournament=tournament, kind=kind).latest("number")
        step_undo.revert(tournament, owner, step.number, now=NOW)


def finish_third(tournament: Tournament, owner: models.Player) -> None:
    """The third round is completed and the fourth drawn."""
    decide_all(owner, tournament, 3)
    lifecycle.complete(tournament, owner, 3, now=NOW)
    draw(owner, tournament, 4)


DOINGS: dict[str, Doing] = {
    "a result of the running round": lambda one, owner: decide(one, owner, 3),
    "a forfeit": note_forfeit,
    "a penalty": lambda one, owner: organiser_decisions.penalise(
        one, owner, entrant(one, "Ada").pk, points=420, reason="late", key="k", now=NOW
    ),
    "a walk-in": lambda one, owner: sign_up.add_walk_in(one, owner, name="Zoe", now=NOW),
    "a step taken back and done again": take_back,
    "a round opened again": reopen_second,
    "the next round": finish_third,
    "nothing": lambda one, owner: None,
}


@pytest.mark.parametrize("name", DOINGS)
def test_what_is_taken_over_is_what_is_there(ana: models.Player, name: str) -> None:
    tournament = begin(ana, NAMES[:9], least=4, most=4, venue="real", rounds_planned=4)
    for number in (1, 2):
        play_round(ana, tournament, number)
    release(ana, tournament, 3)
    tournament.refresh_from_db()
    earlier = open_book(tournament)
    DOINGS[name](tournament, ana)
    tournament.refresh_from_db()
    assert describe(open_book(tournament, earlier=earlier)) == describe(open_book(tournament))


def test_complete_rounds_are_not_read_again(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], least=4, most=4, venue="real")
    for number in (1, 2):
        play_round(ana, tournament, number)
    tournament.refresh_from_db()
    earlier = open_book(tournament)
    completed = Step.objects.filter(tournament=tournament, kind="complete").latest("number")
    step_undo.revert(tournament, ana, completed.number, now=NOW)
    decide(tournament, ana, 2)
    lifecycle.complete(tournament, ana, 2, now=NOW)
    tournament.refresh_from_db()
    book = open_book(tournament, earlier=earlier)
    kept = [book.pods[one.pk] is earlier.pods[one.pk] for one in book.rounds]
    assert kept == [True, False]
