"""A result that turns out to be wrong when its round is long complete: what follows from it, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from games import models
from games.play.errors import Stale
from tests.cast import NOW, browser
from tests.tournaments.cast import NAMES, check_in, draw, enter, plan, play_round, release, standing
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.counting import real_tables
from tournaments.flow.planning import phases
from tournaments.flow.rounds import results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo, undo_offers
from tournaments.models import Entrant, Format, PersonResult, Phase, Pod, Result, Round, Step, Tournament
from tournaments.words.step_words import say_step

OTHERWISE = ReportedResult((4, 3, 2, 1))


@pytest.fixture
def evening(ana: models.Player) -> Tournament:
    """Three rounds of eight people with accounts, at real tables; the third is being played."""
    tournament = plan(ana, most=4, venue="real")
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    enter(tournament, *NAMES[:8])
    check_in_all(ana, tournament)
    for number in (1, 2):
        play_round(ana, tournament, number)
    release(ana, tournament, 3)
    return tournament


def check_in_all(owner: models.Player, tournament: Tournament) -> None:
    phases.move_on(tournament, owner, Phase.CHECK_IN, now=NOW)
    Entrant.objects.filter(tournament=tournament).update(status=Entrant.Status.PRESENT)


def first_pod(tournament: Tournament, number: int = 1) -> Pod:
    return Pod.objects.filter(round__tournament=tournament, round__number=number).order_by("number")[0]


def correct(owner: models.Player, pod: Pod, reported: ReportedResult = OTHERWISE) -> int:
    """As an organiser sends it from the page of that table; the status of the answer."""
    url = reverse("tournaments:pod", args=[pod.round.tournament_id, pod.round.number, pod.number])
    places = {f"place-{index}": str(place) for index, place in enumerate(reported.places)}
    return browser(owner).post(url, {"action": "enter", **places}).status_code


def read_careers(tournament: Tournament, number: int) -> list[tuple[int, int]]:
    """Who came in where in this round, as careers tell it."""
    assert real_tables.follow(tournament.pk, now=NOW)
    rows = PersonResult.objects.filter(counted__pod__round__number=number).order_by("player")
    return list(rows.values_list("player", "place"))


def test_standings_and_careers_follow_and_draws_stay(ana: models.Player, evening: Tournament) -> None:
    pod = first_pod(evening)
    seats = list(pod.seats.order_by("index").values_list("entrant__name", flat=True))
    before, careers = [standing(evening, after) for after in (1, 2)], read_careers(evening, 1)
    solutions = list(Round.objects.filter(tournament=evening).values_list("solution", flat=True))
    for _ in range(2):
        assert correct(ana, pod) == 302
    assert Step.objects.filter(tournament=evening, kind="decide", details__contains='"before"').count() == 1
    sentence = say_step(Step.objects.filter(tournament=evening).latest("number"), format_slug=evening.format)
    assert sentence.startswith("corrected the result of round 1, table 1: 1. ")
    after = [standing(evening, number) for number in (1, 2)]
    for old, new in zip(before, after, strict=True):
        gained = {name: points - {one: old_value for one, _, old_value in old}[name] for name, _, points in new}
        assert gained == {name: 0 for name, _, _ in new} | dict(zip(seats, (-840, -280, 280, 840), strict=True))
    assert list(Round.objects.filter(tournament=evening).values_list("solution", flat=True)) == solutions
    assert sorted(set(read_careers(evening, 1)) - set(careers))
    undo(ana, evening, "decide")
    assert [standing(evening, number) for number in (1, 2)] == before
    assert read_careers(evening, 1) == careers
    undo(ana, evening)
    assert [standing(evening, number) for number in (1, 2)] == after


def test_only_what_was_decided_otherwise_can_be_taken_back(ana: models.Player, evening: Tournament) -> None:
    correct(ana, first_pod(evening))
    steps = step_undo.list_steps(evening, limit=100, with_changes=True)
    offered = undo_offers.find_offered(evening, steps, now=NOW)
    decided = [step for step in steps if step.kind == "decide"]
    assert [step.number in offered for step in decided] == [True] + [False] * (len(decided) - 1)
    for step in decided[1:]:
        with pytest.raises(Stale):
            step_undo.revert(evening, ana, step.number, now=NOW)


def test_the_page_of_the_table_offers_it_to_organisers(
    ana: models.Player, eva: models.Player, evening: Tournament
) -> None:
    pod = first_pod(evening)
    url = reverse("tournaments:pod", args=[evening.pk, 1, pod.number])
    offers = [re.findall('<details id="correct">', browser(one).get(url).content.decode()) for one in (ana, eva)]
    assert [len(found) for found in offers] == [1, 0]
    player = pod.seats.select_related("entrant__player")[0].entrant.player
    assert player is not None
    with pytest.raises(Stale):
        results.enter(evening, player, pod.pk, OTHERWISE, now=NOW)


def leave_draft(owner: models.Player, tournament: Tournament) -> None:
    draw(owner, tournament, 2)


def finish(owner: models.Player, tournament: Tournament) -> None:
    phases.move_on(tournament, owner, Phase.FINISHED, now=NOW)


def release_round(owner: models.Player, tournament: Tournament) -> None:
    release(owner, tournament, 2)


@pytest.mark.parametrize(
    ("form", "then", "sentence"),
    [
        (Format.SWISS, leave_draft, "Cancel that draw first"),
        (Format.SWISS, finish, "not being played"),
        (Format.SWISS_CUT, release_round, "not being played"),
        (Format.KNOCKOUT, release_round, "not being played"),
        (Format.LADDER, release_round, "not being played"),
    ],
)
def test_where_more_than_points_follows_a_complete_round_stands(
    ana: models.Player, form: Format, then: Callable[[models.Player, Tournament], None], sentence: str
) -> None:
    plans: dict[Format, dict[str, Any]] = {
        Format.SWISS_CUT: {"rounds_planned": 1, "cut_to": 4, "advance": 2},
        Format.KNOCKOUT: {"advance": 2},
        Format.LADDER: {"round_minutes": 20, "options": {}},
    }
    tournament = plan(ana, most=4, venue="real", format=form, **plans.get(form, {}))
    check_in(ana, tournament, NAMES[:8])
    play_round(ana, tournament, 1)
    then(ana, tournament)
    tournament.refresh_from_db()
    with pytest.raises(Stale, match=sentence):
        results.decide(tournament, ana, first_pod(tournament).pk, OTHERWISE, now=NOW)
    url = reverse("tournaments:pod", args=[tournament.pk, 1, 1])
    assert 'id="correct"' not in browser(ana).get(url).content.decode()
    assert Result.objects.filter(pod=first_pod(tournament)).count() == 1
