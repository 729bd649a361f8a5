"""A worker is killed between any two SQL statements; in the end its work is done once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import models
from games.play.storage import store
from tests.cast import NOW, finish
from tests.tournaments import killing
from tests.tournaments.cast import NAMES, begin, draw, enter, play_online, play_round, release
from tournaments.flow.drawing import draw_requests
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Membership, Phase, Pod, PodSeat, Rest, Result, Round, Step, Tournament


def read_side_effects(tournament: Tournament) -> dict[str, Any]:
    """What can have happened twice, or by halves."""
    tables = models.Table.objects.exclude(status="over")
    desks = models.Table.objects.filter(pod__round__tournament=tournament).order_by("pod__number")
    return {
        "phase": Tournament.objects.get(pk=tournament.pk).phase,
        "rounds": list(Round.objects.values_list("number", "status", "has_rung", "drawing").order_by("number")),
        "steps": sorted(Step.objects.values_list("kind", flat=True)),
        "pods": list(Pod.objects.values_list("number", "is_online").order_by("number")),
        "seats": (PodSeat.objects.count(), Rest.objects.count()),
        "results": sorted(Result.objects.values_list("source", "status", "places")),
        "tables": (tables.count(), Pod.objects.exclude(table=None).count(), models.Table.objects.count()),
        "desks": [
            (desk.status, arrangement.is_sealed, [place.player_id for place in table.places])
            for desk in desks
            if (table := store.reload(desk.pk)) and (arrangement := table.runtime.arranged)
        ],
        "bells": models.Ply.objects.filter(event__contains="time-up").count(),
    }


def act_while_killed(tournament: Tournament, act: Callable[[], object]) -> None:
    """Act, and be killed, in this tournament; it is as no sweeper has left it."""
    killing.act_while_killed(act, lambda: sweep(tournament), before=lambda: read_side_effects(tournament))


def sweep(tournament: Tournament) -> dict[str, Any]:
    """What is so after the sweeper's next round."""
    sweeper.sweep(now=NOW + 1)
    return read_side_effects(tournament)


def phones(owner: models.Player, **overrides: Any) -> Tournament:
    """A tournament of four people with a phone each."""
    tournament = begin(owner, [], **{"venue": "online", "most": 4, "rounds_planned": 1} | overrides)
    enter(tournament, *NAMES[:4])
    return tournament


def test_a_draw(ana: models.Player) -> None:
    tournament = phones(ana)
    asked = draw_requests.request_draw(tournament, ana, 1, again=False, now=NOW)
    assert asked is not None
    act_while_killed(tournament, lambda: draw_requests.run_draw(asked.pk, asked.drawing, ana, now=NOW))


def test_a_release(ana: models.Player) -> None:
    tournament = phones(ana)
    draw(ana, tournament, 1)
    act_while_killed(tournament, lambda: lifecycle.release(tournament, ana, 1, now=NOW))


def test_a_result_of_a_table_on_screens(ana: models.Player) -> None:
    tournament = phones(ana)
    release(ana, tournament, 1)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    over = finish(store.refresh(Pod.objects.get().table_id or ""))
    act_while_killed(tournament, lambda: results.record_table(over, now=NOW))


@pytest.mark.parametrize("who", ["player", "organiser"])
def test_a_result_of_a_real_table(ana: models.Player, who: str) -> None:
    tournament = phones(ana, venue="real")
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    first, second = (seat.entrant.player for seat in pod.seats.order_by("index")[:2])
    assert first is not None
    assert second is not None
    reported = ReportedResult((1, 2, 3, 4))
    if who == "organiser":
        act_while_killed(tournament, lambda: results.decide(tournament, ana, pod.pk, reported, now=NOW))
        return
    results.enter(tournament, first, pod.pk, reported, now=NOW)
    act_while_killed(tournament, lambda: results.enter(tournament, second, pod.pk, reported, now=NOW))


def test_the_end_of_a_round_whose_records_are_kept_back(ana: models.Player) -> None:
    tournament = phones(ana, duplicate=True)
    release(ana, tournament, 1)
    play_online(tournament, 1)
    sweeper.sweep(now=NOW)
    act_while_killed(tournament, lambda: lifecycle.complete(tournament, ana, 1, now=NOW))


def test_the_end_of_a_round_in_which_results_are_missing(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    release(ana, tournament, 1)
    act_while_killed(tournament, lambda: lifecycle.complete(tournament, ana, 1, missing="shared", now=NOW))


def test_the_end_of_a_tournament(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, rounds_planned=1)
    play_round(ana, tournament, 1)
    act_while_killed(tournament, lambda: phases.move_on(tournament, ana, Phase.FINISHED, now=NOW))


def test_the_bell(ana: models.Player) -> None:
    tournament = phones(ana, options={"deals": 5})
    release(ana, tournament, 1)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    act_while_killed(tournament, lambda: lifecycle.ring(tournament, ana, 1, now=NOW))


def test_a_substitute(ana: models.Player, ben: models.Player) -> None:
    tournament = phones(ana)
    Membership.objects.create(club=tournament.club, player=ben)
    release(ana, tournament, 1)
    chair = Pod.objects.get().seats.get(index=0)
    act_while_killed(tournament, lambda: lifecycle.substitute(tournament, ana, chair.pk, player=ben, now=NOW))


def test_a_release_taken_back(ana: models.Player) -> None:
    tournament = phones(ana)
    release(ana, tournament, 1)
    number = Step.objects.get(kind="release").number
    act_while_killed(tournament, lambda: step_undo.revert(tournament, ana, number, now=NOW))
