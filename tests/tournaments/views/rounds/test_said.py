"""Entered results are shown whole to those who confirm them: places, scores, and contradictions."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.models import Player
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, begin, enter, play_online, release
from tests.tournaments.flow.standings.test_own_scores import SCORES
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.models import Pod, PodSeat, Tournament

SAID = ReportedResult((1, 2, 3, 4), (47, 31, 5, -8))
OTHER = ReportedResult((1, 2, 3, 4), (49, 31, 5, -8))


@pytest.fixture
def room(ana: Player) -> tuple[Tournament, Pod, list[Player]]:
    """A real table of a tournament that counts scores; its people by seat."""
    tournament = begin(ana, [], **SCORES | {"venue": "real"})
    enter(tournament, *NAMES[:4])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    seats = PodSeat.objects.filter(pod=pod).select_related("entrant__player").order_by("index")
    return tournament, pod, [seat.entrant.player for seat in seats if seat.entrant.player]


Room = tuple[Tournament, Pod, list[Player]]


def read(player: Player, name: str, *args: object) -> str:
    """What stands on this page, without markup."""
    page = browser(player).get(reverse(f"tournaments:{name}", args=args)).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition("<main")[2]).split())


def test_scores_are_read_before_they_are_confirmed(room: Room, ana: Player) -> None:
    tournament, pod, players = room
    results.enter(tournament, players[0], pod.pk, SAID, now=NOW)
    lines = list(zip((1, 2, 3, 4), (one.name for one in players), (47, 31, 5, -8), strict=True))
    page = read(players[1], "pod", tournament.pk, 1, 1)
    assert " ".join(f"{place}. {name} Score {score}" for place, name, score in lines) in page
    desk = read(ana, "console", tournament.pk)
    assert " , ".join(f"{place}. {name} Score ({score})" for place, name, score in lines) in desk
    assert "Result not confirmed yet" in desk
    assert "Two different results" not in desk + page


def test_the_same_places_with_other_scores_are_two_results(room: Room, ana: Player) -> None:
    tournament, pod, players = room
    for player, scores in zip(players, (SAID, OTHER), strict=False):
        results.enter(tournament, player, pod.pk, scores, now=NOW)
    assert "Two different results were entered" in read(players[2], "pod", tournament.pk, 1, 1)
    desk = read(ana, "console", tournament.pk)
    assert "· two results" in desk
    assert "Two different results" in desk
    assert "Result not confirmed yet" not in desk


def test_places_are_those_among_who_played(room: Room, ana: Player) -> None:
    tournament, pod, players = room
    results.enter(tournament, players[1], pod.pk, SAID, now=NOW)
    results.set_fate(tournament, ana, pod.seats.get(index=0).pk, PodSeat.Fate.NO_SHOW, now=NOW)
    page = read(players[2], "pod", tournament.pk, 1, 1)
    assert f"1. {players[1].name} Score 31 2. {players[2].name} Score 5 3. {players[3].name} Score -8" in page


def test_in_a_pause_no_table_is_said_to_play(room: Room, ana: Player) -> None:
    tournament, _, players = room
    seen = []
    for do in (lifecycle.pause, lifecycle.resume):
        do(tournament, ana, 1, now=NOW)
        for page in (read(ana, "console", tournament.pk), read(players[0], "pairings", tournament.pk)):
            seen.append((" Paused " in page, " Playing " in page))
    assert seen == [(True, False)] * 2 + [(False, True)] * 2


@pytest.mark.parametrize("form", ["knockout", "swiss"])
def test_who_goes_on_from_a_table_without_a_result_is_said_where_it_is_decided(ana: Player, form: str) -> None:
    tournament = begin(ana, NAMES[:8], format=form, venue="real", most=4)
    release(ana, tournament, 1)
    desk = read(ana, "console", tournament.pk)
    assert "Results of tables 1, 2" in desk
    settle = browser(ana).get(reverse("tournaments:settle", args=[tournament.pk, 1])).content.decode()
    for where in (desk, settle):
        assert ("better seeds of such a table advance" in where) == (form == "knockout")


def test_at_the_desk_a_game_that_is_over_is_looked_at_and_not_watched(ana: Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    tournament.entrants.update(status="present")
    release(ana, tournament, 1)
    assert " Watch 1 " in read(ana, "console", tournament.pk)
    play_online(tournament, 1)
    desk = read(ana, "console", tournament.pk)
    assert (" Watch 1 " in desk, " View 1 " in desk) == (False, True)
