"""The table after a round stays what it was when people come or go later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games import models
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, decide_all, draw, entrant, play_round, release, standing
from tests.tournaments.flow.test_formats import ARK, LADDER
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.entry import attendance, sign_up
from tournaments.flow.rounds import arena, lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.standings import ranking
from tournaments.flow.standings.book_reading import open_book
from tournaments.models import Pod, Rest, Round, Tournament

Act = Callable[[Tournament, models.Player], object]
LATER: dict[str, Act] = {
    "a newcomer": lambda one, owner: sign_up.add_walk_in(one, owner, name="Zoe", now=NOW),
    "a bot": lambda one, owner: sign_up.add_bot(one, owner, name="Robo", level="steady", now=NOW),
    "who goes": lambda one, owner: attendance.withdraw(one, owner, [entrant(one, "Ada").pk], now=NOW),
    "who sat out and goes": lambda one, owner: attendance.withdraw(one, owner, [entrant(one, "Ida").pk], now=NOW),
    "who sits out": lambda one, owner: attendance.set_away(one, owner, [entrant(one, "Bea").pk], away=True, now=NOW),
}


@pytest.mark.parametrize("what", LATER)
def test_who_comes_and_goes_changes_no_past_table(ana: models.Player, what: str) -> None:
    tournament = begin(ana, NAMES[:9], rounds_planned=4, most=4)
    attendance.set_away(tournament, ana, [entrant(tournament, "Ida").pk], away=True, now=NOW)
    play_round(ana, tournament, 1)
    play_round(ana, tournament, 2)
    first, second = standing(tournament, 1), standing(tournament, 2)
    assert standing(tournament) == second
    assert ("Ida", 9, 0) in first
    LATER[what](tournament, ana)
    assert (standing(tournament, 1), standing(tournament, 2), standing(tournament)) == (first, second, second)
    play_round(ana, tournament, 3)
    assert (standing(tournament, 1), standing(tournament, 2)) == (first, second)
    undo(ana, tournament)
    assert (standing(tournament, 1), standing(tournament, 2), standing(tournament)) == (first, second, second)


def test_who_comes_late_stands_in_no_table_before_they_came_and_passes_nobody(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], **ARK, least=4, most=4, points="score", rounds_planned=3)
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    results.decide(tournament, ana, pod.pk, ReportedResult((1, 2, 3, 4), (9, 4, 0, -7)), now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    places = [(place, points) for _, place, points in standing(tournament)]
    assert places == [(1, 7560), (2, 3360), (3, 0), (4, -5880)]
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    assert [(place, points) for _, place, points in standing(tournament, 1)] == places
    assert [(place, points) for _, place, points in standing(tournament)] == places


def test_the_first_draw_finds_everybody_who_is_here(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    assert [place for _, place, _ in standing(tournament)] == [1, 2, 3, 4]  # by lot
    release(ana, tournament, 1)
    book = open_book(tournament)
    assert [len(ranking.rank(book, live=live)) for live in (False, True)] == [4, 4]


def test_a_past_table_of_an_arena_has_those_who_had_played(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **ARK | {"format": "arena", "least": 4, "most": 4, "round_minutes": 60})
    arena.open_arena(tournament, ana, now=NOW)
    played = Round.objects.select_related("tournament").get(tournament=tournament)
    assert arena.seat_free(played, now=NOW + 60) == 2
    decide_all(ana, tournament, 1)
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    assert [len(standing(tournament, games)) for games in (1, 2)] == [4, 9]
    assert standing(tournament, 2) == standing(tournament)


def test_drawn_again_the_same_one_sits_out_on_a_ladder(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:9], **LADDER, venue="real", rounds_planned=3)
    for number in (1, 2):
        rests = Rest.objects.filter(round__tournament=tournament, round__number=number)
        draw(ana, tournament, number)
        first = rests.get().entrant.name
        draw(ana, tournament, number, again=True)
        assert rests.get().entrant.name == first
        play_round(ana, tournament, number)
