"""When a round is complete without all of its results, no table waits on and no game stands still."""

from __future__ import annotations

from functools import partial

import pytest

from games import models
from games.play.storage import store
from tests.cast import NOW, count_work, finish
from tests.tournaments.cast import NAMES, begin, enter, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.rounds import lifecycle, sweeper
from tournaments.models import Pod, Result, Round, Tournament


def two_tables(owner: models.Player, **overrides: object) -> tuple[Tournament, Pod, Pod]:
    """A released round on screens: two tables that wait."""
    tournament = begin(owner, [], venue="online", most=4, **overrides)
    enter(tournament, *NAMES[:8])
    release(owner, tournament, 1)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    return tournament, first, second


def status_of(pod: Pod) -> str:
    pod.refresh_from_db()
    return store.reload(pod.table_id).status if pod.table_id else ""


def test_a_table_that_waits_is_closed_and_opened_again_with_its_round(ana: models.Player) -> None:
    tournament, first, second = two_tables(ana)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    assert (status_of(first), status_of(second)) == ("", "")
    undo(ana, tournament)
    assert (status_of(first), status_of(second)) == ("waiting", "waiting")
    undo(ana, tournament)
    assert (status_of(first), status_of(second)) == ("", "")


@pytest.mark.parametrize("duplicate", [False, True])
def test_a_game_that_stands_still_goes_on_and_is_kept_beside_what_counts(ana: models.Player, duplicate: bool) -> None:
    tournament, first, second = two_tables(ana, duplicate=duplicate)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    lifecycle.pause(tournament, ana, 1, now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="shared", now=NOW + 60)
    for pod in (first, second):
        table = store.reload(pod.table_id or "")
        assert (table.status, table.runtime.paused_at) == ("playing", None)
        finish(table, now=NOW + 60)
    sweeper.sweep(now=NOW + 61)
    kept = Result.objects.filter(pod__in=(first, second)).order_by("source", "pk").values_list("source", "status")
    assert list(kept) == [*[("organiser", "accepted")] * 2, *[("table", "proposed")] * 2]


def test_the_sweeper_does_it_for_a_worker_that_was_killed(ana: models.Player) -> None:
    tournament, first, second = two_tables(ana)
    Round.objects.filter(tournament=tournament).update(status="complete", completed_at=NOW)  # and then the power went
    for _ in range(2):
        sweeper.sweep(now=NOW + 1)
    assert (status_of(first), status_of(second)) == ("", "")


def test_the_sweeper_does_not_look_at_every_table_that_was_ever_played_at(ana: models.Player) -> None:
    """It comes every second, and what was played only grows."""
    tournament, first, _second = two_tables(ana)
    look = partial(sweeper.sweep, now=NOW)
    look()
    before = count_work(look)
    row = models.Table.objects.get(pk=first.table_id)
    for number in range(200):
        row.pk, row.invite, row.status, row.ended_at, row.result = f"past-{number}", f"{number}", "over", 1.0, "{}"
        row.save(force_insert=True)
    past = Round.objects.create(tournament=tournament, number=9, status="complete", completed_at=1.0)
    pods = Pod.objects.bulk_create(Pod(round=past, number=number, table_id=f"past-{number}") for number in range(200))
    Result.objects.bulk_create(Result(pod=pod, source="table", status="accepted", at=1.0) for pod in pods)
    assert count_work(look) < 2 * before
