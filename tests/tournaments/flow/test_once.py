"""Whatever is clicked, sent or interrupted how often: everything happens once."""

from __future__ import annotations

import time
from functools import partial

import pytest

from games import models
from games.play.errors import Stale
from games.play.storage import store
from tests.cast import NOW, at_once, come_to_table, finish, person
from tests.tournaments.cast import NAMES, begin, decide_all, draw, enter, entrant, play_round, release
from tournaments.flow.drawing import drafts, draw_requests
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.steps.recorder import lock_tournament
from tournaments.flow.tables import online_tables
from tournaments.flow.undo import step_undo
from tournaments.models import Membership, Penalty, Phase, Pod, Result, Role, Round, Step, Tournament


def organisers(owner: models.Player, tournament: Tournament) -> tuple[models.Player, models.Player]:
    """The owner, and a second organiser."""
    other = person("Otto")
    Membership.objects.create(club=tournament.club, player=other, role=Role.ORGANISER)
    return owner, other


def test_two_organisers_draw_release_and_complete_at_the_same_moment(
    transactional_db: None, ana: models.Player
) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    both = organisers(ana, tournament)
    asked = at_once(
        *(lambda who=who: draw_requests.request_draw(tournament, who, 1, again=False, now=NOW) for who in both)
    )
    assert [type(answer).__name__ for answer in asked].count("Round") == 1
    played = Round.objects.get(tournament=tournament)
    at_once(*(lambda who=who: draw_requests.run_draw(played.pk, played.drawing, who, now=NOW) for who in both))
    assert Step.objects.filter(tournament=tournament, kind="draw").count() == 1
    at_once(*(lambda who=who: lifecycle.release(tournament, who, 1, now=NOW) for who in both))
    assert Step.objects.filter(tournament=tournament, kind="release").count() == 1
    assert models.Table.objects.count() == 1
    decide_all(ana, tournament, 1)
    at_once(*(lambda who=who: lifecycle.complete(tournament, who, 1, now=NOW) for who in both))
    assert Step.objects.filter(tournament=tournament, kind="complete").count() == 1


def test_two_organisers_finish_and_take_back_at_the_same_moment(transactional_db: None, ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, rounds_planned=1)
    both = organisers(ana, tournament)
    play_round(ana, tournament, 1)
    at_once(*(partial(phases.move_on, tournament, who, Phase.FINISHED, now=NOW) for who in both))
    finished = Step.objects.get(tournament=tournament, kind="finish")
    at_once(*(partial(step_undo.revert, tournament, who, finished.number, now=NOW) for who in both))
    undone = Step.objects.get(tournament=tournament, kind="undo")
    assert (undone.reverts, Tournament.objects.get().phase) == (finished, Phase.RUNNING)
    answers = at_once(
        partial(step_undo.revert, tournament, both[0], undone.number, now=NOW),
        partial(phases.move_on, tournament, both[1], Phase.FINISHED, now=NOW),
    )
    assert Tournament.objects.get().phase == Phase.FINISHED
    assert [type(answer).__name__ for answer in answers if isinstance(answer, Exception)] in ([], ["Stale"])


def test_a_button_pressed_twice(ana: models.Player) -> None:
    tournament = begin(ana)
    for _ in range(2):
        draw(ana, tournament, 1)
        attendance.check_in(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
        organiser_decisions.penalise(
            tournament, ana, entrant(tournament, "Ada").pk, points=420, reason="late", key="k1", now=NOW
        )
    assert Penalty.objects.filter(tournament=tournament).count() == 1
    kinds = list(Step.objects.filter(tournament=tournament).values_list("kind", flat=True))
    assert (kinds.count("draw"), kinds.count("penalty"), kinds.count("present")) == (1, 1, 0)
    first, second = (pod.seats.first().entrant for pod in Pod.objects.filter(round__tournament=tournament)[:2])  # type: ignore[union-attr]
    for _ in range(2):
        drafts.swap(tournament, ana, 1, first.pk, second.pk, key="k2", now=NOW)
    assert Step.objects.filter(tournament=tournament, kind="swap").count() == 1
    for _ in range(2):
        lifecycle.release(tournament, ana, 1, now=NOW)
        lifecycle.extend(tournament, ana, 1, 5, key="k3", now=NOW)
    assert Step.objects.filter(tournament=tournament, kind__in=["release", "extend"]).count() == 2


def test_a_walk_in_added_twice_is_one(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    with pytest.raises(Exception, match="is already in this tournament"):
        sign_up.add_walk_in(tournament, ana, name="Ada", now=NOW)
    assert tournament.entrants.count() == 1


def test_a_worker_killed_before_the_draw_is_kept_loses_nothing(ana: models.Player) -> None:
    tournament = begin(ana)
    asked = draw_requests.request_draw(tournament, ana, 1, again=False, now=NOW)
    assert asked is not None
    sweeper.sweep(now=NOW + draw_requests.LOST_AFTER_SECONDS - 1)
    assert Round.objects.get(tournament=tournament).status == "drawing"
    sweeper.sweep(now=NOW + draw_requests.LOST_AFTER_SECONDS + 1)
    assert Round.objects.get(tournament=tournament).status == "draft"
    draw_requests.run_draw(asked.pk, asked.drawing, ana, now=NOW)  # the first worker comes back to life
    assert Step.objects.filter(tournament=tournament, kind="draw").count() == 1


def test_a_draw_given_up_is_not_kept_when_it_comes(ana: models.Player) -> None:
    tournament = begin(ana)
    asked = draw_requests.request_draw(tournament, ana, 1, again=False, now=NOW)
    assert asked is not None
    draw_requests.cancel_draw(tournament, ana, 1)
    draw_requests.run_draw(asked.pk, asked.drawing, ana, now=NOW)
    assert Round.objects.filter(tournament=tournament).count() == 0


def test_a_worker_killed_while_it_opens_tables(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:8])
    draw(ana, tournament, 1)
    with lock_tournament(tournament.pk):
        Round.objects.filter(tournament=tournament).update(status="released", released_at=NOW)
    first, second = Pod.objects.filter(round__tournament=tournament).order_by("number")
    online_tables.open_table(first.pk, now=NOW)  # and then the power went
    assert models.Table.objects.count() == 1
    for _ in range(2):
        sweeper.sweep(now=NOW + 1)
    assert models.Table.objects.count() == 2
    assert Pod.objects.filter(round__tournament=tournament, table=None).count() == 0
    assert second.pk


def test_a_table_whose_pod_is_taken_leaves_nothing_behind(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    draw(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    assert not online_tables.open_table(pod.pk, now=NOW)  # not released
    assert models.Table.objects.count() == 0


def test_a_result_is_recorded_once_no_matter_who_comes(transactional_db: None, ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1, now=time.time())
    pod = Pod.objects.get(round__tournament=tournament)
    lifecycle.begin_now(tournament, ana, 1, now=time.time())
    Result.objects.all().delete()
    over = finish(store.refresh(pod.table_id or ""), now=time.time())
    assert Result.objects.filter(pod=pod, status="accepted", source="table").count() == 1
    at_once(*(lambda: results.record_table(over, now=NOW) for _ in range(3)), lambda: sweeper.sweep(now=NOW))
    assert Result.objects.filter(pod=pod).count() == 1


def test_a_lost_result_is_found_by_the_sweeper(ana: models.Player) -> None:
    """Without its signal (here nothing follows a commit), as after a kill between the two."""
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    finish(store.refresh(pod.table_id or ""))
    assert Result.objects.filter(pod=pod).count() == 0
    sweeper.sweep(now=NOW)
    assert Result.objects.get(pod=pod).status == "accepted"


def test_a_result_that_comes_after_the_decision_is_kept_beside_it(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    lifecycle.begin_now(tournament, ana, 1, now=NOW)
    with pytest.raises(Stale, match="table 1"):
        lifecycle.complete(tournament, ana, 1, now=NOW)
    lifecycle.complete(tournament, ana, 1, missing="void", now=NOW)
    pod = Pod.objects.get(round__tournament=tournament)
    finish(store.refresh(pod.table_id or ""))
    sweeper.sweep(now=NOW)
    assert sorted(Result.objects.filter(pod=pod).values_list("source", "status", "is_void")) == [
        ("organiser", "accepted", True),
        ("table", "proposed", False),
    ]


def test_sweepers_at_the_end_of_the_grace_at_the_same_moment(transactional_db: None, ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4, no_show="forfeit", grace_minutes=5)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    table_id = Pod.objects.get().table_id or ""
    for player in players[1:]:
        come_to_table(table_id, player.pk, now=NOW)
    at_once(*(partial(sweeper.sweep, now=NOW + 300) for _ in range(3)))
    at_once(*(partial(sweeper.sweep, now=NOW + 301) for _ in range(3)))
    assert (store.reload(table_id).status, store.reload(table_id).ply) == ("playing", 0)
    assert Step.objects.filter(kind="no-show").count() == 1


def test_the_last_four_come_and_the_grace_ends_at_the_same_moment(transactional_db: None, ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4, grace_minutes=5)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    table_id = Pod.objects.get().table_id or ""
    comes = [partial(come_to_table, table_id, player.pk, now=NOW + 300) for player in players]
    at_once(*comes, partial(sweeper.sweep, now=NOW + 300))
    for come in comes:
        come()
    begun = store.reload(table_id)
    assert (begun.status, begun.runtime.stand_ins, begun.ply) == ("playing", frozenset(), 0)
