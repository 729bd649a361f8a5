"""What an arena comes to is added up again only for those whose games have changed."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games import memo, models
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin
from tests.tournaments.scoring.test_oracle import play_pod
from tournaments.flow.entry import attendance
from tournaments.flow.rounds import arena, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.arena_games import find_games
from tournaments.flow.standings.book import Book
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Entrant, Pod, Tournament
from tournaments.scoring import tally
from tournaments.scoring.points import Scheme, count_pod
from tournaments.scoring.results import PodResult, RoundResult
from tournaments.scoring.standings import Standing
from tournaments.views.standings import standing_rows

TURNS = 3
"""Seatings; sixteen people at four tables each time."""


@pytest.fixture
def tournament(ana: models.Player) -> Tournament:
    """An arena in which everybody has played as many games."""
    one = begin(ana, NAMES[:16], format="arena", round_minutes=300, venue="real", least=4, most=4)
    arena.open_arena(one, ana, now=NOW)
    for turn in range(TURNS):
        arena.seat_free(one.rounds.get(), now=NOW + 60 * (turn + 1))
        for pod in Pod.objects.filter(round__tournament=one, results=None):
            results.decide(one, ana, pod.pk, ReportedResult((1, 2, 3, 4)), now=NOW + 60 * turn + 61)
    one.refresh_from_db()
    return one


@pytest.mark.parametrize("number", [1, TURNS * 4])
def test_a_corrected_game_counts_anew_for_its_four(
    tournament: Tournament, ana: models.Player, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = open_book(tournament)
    ranking.rank(earlier)
    pod = Pod.objects.get(round__tournament=tournament, number=number)
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW + 900)
    tournament.refresh_from_db()
    book = open_book(tournament, earlier=earlier)
    added: list[PodResult] = []

    def count(pod: PodResult, scheme: Scheme) -> tuple[int, ...]:
        added.append(pod)
        return count_pod(pod, scheme)

    monkeypatch.setattr(tally, "count_pod", count)
    there = {book.key(seat.entrant_id) for seat in book.seats[pod.pk]}
    theirs = [one for one in find_games(book).results if there.intersection(one.entrants)]
    lines = ranking.rank(book)
    assert len(added) == len(theirs) < len(find_games(book).results)
    assert lines == ranking.rank(open_book(tournament)) != ranking.rank(earlier)


@pytest.mark.parametrize("seed", range(40))
def test_person_by_person_comes_to_the_same(seed: int) -> None:
    rng, scheme = Random(seed), Scheme(no_show=84, forfeit=-84)
    people = [str(number) for number in range(rng.randint(4, 12))]
    pods = [play_pod(rng, rng.sample(people, rng.randint(1, 4))) for _ in range(rng.randint(0, 20))]
    penalties = {one: rng.choice((-420, 840)) for one in rng.sample([*people, "nobody"], 3)}
    games = {one: [pod for pod in pods if one in pod.entrants] for one in people[1:]}
    sums = tally.tally_games(games, scheme)
    assert tally.penalise(sums, penalties) == tally.add_up(
        people[1:], [RoundResult(tuple(pods), penalties=penalties)], scheme
    )
    assert sums == tally.tally_games(games, scheme)


def test_a_corrected_game_draws_only_the_lines_that_say_something_else(
    tournament: Tournament, ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def look() -> str:
        return Client().get(reverse("tournaments:standings", args=[tournament.pk])).content.decode().split("<main")[1]

    def note(
        book: Book,
        line: Standing,
        columns: standing_rows.StandingsColumns,
        me: Entrant | None,
        beside: standing_rows.LineNotes,
    ) -> str:
        drawn.append(book.by_key[line.entrant].name)
        return draw_line(book, line, columns, me, beside)

    draw_line = standing_rows._render_line
    monkeypatch.setattr(standing_rows, "_render_line", note)
    look()
    assert sorted(drawn) == sorted(NAMES[:16])
    drawn.clear()
    loser = open_book(tournament).by_key[ranking.rank(open_book(tournament))[-1].entrant]
    attendance.withdraw(tournament, ana, [loser.pk], now=NOW + 901)
    read_on = look()
    assert drawn == [loser.name]
    memo.forget_all()
    assert look() == read_on
