"""The bell of a round, in every game and at real tables; nobody is late while everything stands still."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F
from django.urls import reverse

from games import models
from games.play.clocks import downtime
from games.play.storage import store
from games.rules import registry
from tests.cast import NOW, browser, come_to_table, finish
from tests.tournaments.cast import NAMES, begin, enter, release
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.evenings import evening_sweeper
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Pod, Result, Round, Step

MINUTE = 60.0
OPTIONS: dict[str, dict[str, Any]] = {"karriere-poker": {"deals": 9}, "animal-poker": {"sessions": 9}}


def bells(pod: Pod) -> int:
    return models.Ply.objects.filter(table=pod.table_id, event__contains="time-up").count()


@pytest.mark.parametrize("game", registry.slugs())
def test_every_game_hears_it_once_and_ends(ana: models.Player, game: str) -> None:
    tournament = begin(ana, [], venue="online", most=4, game=game, options=OPTIONS.get(game, {}), round_minutes=30,
                       grace_minutes=120)  # fmt: skip
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    bell = NOW + 30 * MINUTE
    lifecycle.begin_now(tournament, ana, 1, now=bell - 2)
    sweeper.sweep(now=bell - 1)
    assert bells(pod) == 0
    for _ in range(3):
        sweeper.sweep(now=bell)
    assert bells(pod) == 1
    over = finish(store.reload(pod.table_id or ""), now=bell)
    sweeper.sweep(now=bell)
    assert over.outcome is not None
    assert Result.objects.get(pod=pod).places == str(list(over.outcome.places)).replace(" ", "")
    lifecycle.complete(tournament, ana, 1, now=bell + 1)


def test_a_table_that_cannot_be_read_keeps_it_from_no_other(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(ana, [], venue="online", most=4, options={"deals": 9}, round_minutes=30, grace_minutes=0)
    players = enter(tournament, *NAMES[:8])
    release(ana, tournament, 1)
    sweeper.sweep(now=NOW + 1)
    broken, other = Pod.objects.order_by("number")
    models.Table.objects.filter(pk=broken.table_id).update(state="broken", version=F("version") + 1)
    ringing = NOW + 30 * MINUTE
    for _ in range(2):
        sweeper.sweep(now=ringing)
    assert (bells(broken), bells(other), Round.objects.get().has_rung) == (0, 1, True)
    here = {seat.entrant.player_id for seat in broken.seats.select_related("entrant")}
    reader = next(player for player in players if player.pk in here)
    assert browser(reader).get(reverse("tournaments:tournament", args=[tournament.pk])).status_code == 200
    monkeypatch.setattr(lifecycle, "ring_tables", lambda *_args, **_wishes: 1 // 0)  # whatever else may fail there
    looked_at: list[float] = []

    def note(*, now: float) -> None:
        looked_at.append(now)

    monkeypatch.setattr(evening_sweeper, "sweep_evenings", note)
    sweeper.sweep(now=ringing + 1)
    assert looked_at == [ringing + 1]


def test_a_game_that_begins_after_it_is_the_last_deal(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4, options={"deals": 9}, round_minutes=30)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    lifecycle.ring(tournament, ana, 1, now=NOW)
    pod = Pod.objects.get()
    for player in players:
        come_to_table(pod.table_id or "", player.pk, now=NOW + 1)
    for later in (2, 3):
        sweeper.sweep(now=NOW + later)
    assert bells(pod) == 1
    over = finish(store.reload(pod.table_id or ""), now=NOW + 4)
    assert len([line for line in over.log if line.kind == "deal_over"]) == 1


def test_a_sweeper_that_looked_a_moment_before_rings_no_bell_that_was_moved_since(ana: models.Player) -> None:
    """With many rounds to look at it may be seconds until it comes to what it has seen."""
    tournament = begin(ana, NAMES[:4], venue="real", most=4, round_minutes=30)
    release(ana, tournament, 1)
    bell = NOW + 30 * MINUTE
    lifecycle.pause(tournament, ana, 1, now=bell - 2)
    lifecycle.ring_bell(tournament.pk, 1, None, now=bell)
    lifecycle.resume(tournament, ana, 1, now=bell - 2)
    lifecycle.extend(tournament, ana, 1, 10, key="k", now=bell - 1)
    lifecycle.ring_bell(tournament.pk, 1, None, now=bell)
    assert not Round.objects.get(tournament=tournament).has_rung
    lifecycle.ring_bell(tournament.pk, 1, None, now=bell + 10 * MINUTE)
    assert Round.objects.get(tournament=tournament).has_rung


@pytest.mark.parametrize(("minutes", "wanted"), [(30, NOW + 32 * MINUTE), (None, None)], ids=["a bell", "none"])
def test_a_moved_bell_is_taken_back_and_moved_again_over_pauses(
    ana: models.Player, minutes: int | None, wanted: float | None
) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, round_minutes=minutes)
    release(ana, tournament, 1)
    lifecycle.extend(tournament, ana, 1, 10, key="k", now=NOW)
    moved = Round.objects.get(tournament=tournament).ends_at
    assert moved is not None
    for begins in (1, 3):
        lifecycle.pause(tournament, ana, 1, now=NOW + begins * MINUTE)
        lifecycle.resume(tournament, ana, 1, now=NOW + (begins + 1) * MINUTE)
    undo(ana, tournament, "extend")
    assert Round.objects.get(tournament=tournament).ends_at == wanted
    step_undo.revert(tournament, ana, Step.objects.latest("number").number, now=NOW)
    assert Round.objects.get(tournament=tournament).ends_at == moved + 2 * MINUTE


def test_real_tables_end_by_word_of_mouth_and_their_results_count(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="real", most=4, round_minutes=30)
    first, second, *_ = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    sweeper.sweep(now=NOW + 30 * MINUTE)
    assert Round.objects.get().has_rung
    reported = ReportedResult((1, 2, 3, 4))
    results.enter(tournament, first, Pod.objects.get().pk, reported, now=NOW + 31 * MINUTE)
    results.enter(tournament, second, Pod.objects.get().pk, reported, now=NOW + 31 * MINUTE)
    lifecycle.complete(tournament, ana, 1, now=NOW + 32 * MINUTE)
    assert Result.objects.get(status="accepted").places == "[1,2,3,4]"


@pytest.mark.parametrize("no_show", ["bot", "forfeit"])
def test_nobody_is_late_while_everything_stands_still(ana: models.Player, no_show: str) -> None:
    tournament = begin(ana, [], venue="online", most=4, grace_minutes=5, no_show=no_show)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    lifecycle.pause(tournament, ana, 1, now=NOW + 1 * MINUTE)
    lifecycle.resume(tournament, ana, 1, now=NOW + 21 * MINUTE)
    sweeper.sweep(now=NOW + 24 * MINUTE)
    assert store.reload(pod.table_id or "").status == "waiting"
    lifecycle.pause(tournament, ana, 1, now=NOW + 24 * MINUTE)
    sweeper.sweep(now=NOW + 30 * MINUTE)
    lifecycle.resume(tournament, ana, 1, now=NOW + 31 * MINUTE)
    sweeper.sweep(now=NOW + 31 * MINUTE)
    assert store.reload(pod.table_id or "").status == "waiting"
    sweeper.sweep(now=NOW + 32 * MINUTE)
    assert store.reload(pod.table_id or "").status == "playing"


@pytest.mark.parametrize("no_show", ["bot", "forfeit"])
def test_nobody_is_late_while_the_server_is_away(ana: models.Player, no_show: str) -> None:
    tournament = begin(ana, [], venue="online", most=4, grace_minutes=5, no_show=no_show)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get()
    downtime.compensate_downtime(now=NOW + 1 * MINUTE)
    downtime.compensate_downtime(now=NOW + 21 * MINUTE)
    sweeper.sweep(now=NOW + 25 * MINUTE - 1)
    assert store.reload(pod.table_id or "").status == "waiting"
    sweeper.sweep(now=NOW + 25 * MINUTE)
    assert store.reload(pod.table_id or "").status == "playing"
