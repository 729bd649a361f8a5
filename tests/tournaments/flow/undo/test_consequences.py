"""A step stands once something has followed from it, although its own rows are as it left them."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from games import models
from games.play.errors import Stale
from tests.cast import NOW, as_other_process
from tests.tournaments.cast import (
    NAMES,
    begin,
    decide_all,
    draw,
    enter,
    entrant,
    play_online,
    play_round,
    release,
    standing,
    table_of,
)
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import attendance, organiser_decisions
from tournaments.flow.planning import phases, tournament_plan
from tournaments.flow.rounds import lifecycle, results, sweeper
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, PairRule, Penalty, Phase, Pod, PodSeat, Result, Round, Step, Tournament

MINUTE = 60.0


def table(owner: models.Player, **overrides: object) -> tuple[Tournament, Pod]:
    """A released real table of four."""
    tournament = begin(owner, NAMES[:4], venue="real", most=4, **overrides)
    release(owner, tournament, 1)
    return tournament, Pod.objects.get(round__tournament=tournament)


@pytest.mark.parametrize("kind", ["draw", "swap", "keep-pod"])
def test_who_sits_where_stands_with_the_release(ana: models.Player, kind: str) -> None:
    tournament = begin(ana, NAMES[:12], venue="real", most=4)
    draw(ana, tournament, 1)
    draw(ana, tournament, 1, again=True)
    first, second, *_ = table_of(tournament, 1)
    drafts.keep_pod(tournament, ana, Pod.objects.get(number=3).pk, locked=True, now=NOW)
    drafts.swap(
        tournament, ana, 1, entrant(tournament, first[0]).pk, entrant(tournament, second[0]).pk, key="k", now=NOW
    )
    lifecycle.release(tournament, ana, 1, now=NOW)
    released = table_of(tournament, 1)
    with pytest.raises(Stale, match="no longer a draft"):
        undo(ana, tournament, kind)
    assert (table_of(tournament, 1), Pod.objects.get(number=3).is_locked) == (released, True)


def test_a_swap_undone_is_not_done_again_after_the_release(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    draw(ana, tournament, 1)
    first, second = table_of(tournament, 1)
    drafts.swap(
        tournament, ana, 1, entrant(tournament, first[0]).pk, entrant(tournament, second[0]).pk, key="k", now=NOW
    )
    undo(ana, tournament)
    lifecycle.release(tournament, ana, 1, now=NOW)
    with pytest.raises(Stale, match="no longer a draft"):
        undo(ana, tournament, "undo")
    assert table_of(tournament, 1) == [first, second]


def test_what_was_noted_at_a_table_stands_with_the_round(ana: models.Player) -> None:
    tournament, pod = table(ana)
    chair = pod.seats.get(index=0)
    results.set_fate(tournament, ana, chair.pk, PodSeat.Fate.NO_SHOW, now=NOW)
    lifecycle.substitute(tournament, ana, pod.seats.get(index=1).pk, name="Zoe", now=NOW)
    lifecycle.extend(tournament, ana, 1, 5, key="k", now=NOW)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    final = standing(tournament)
    for kind in ("fate", "substitute", "extend", "decide"):
        with pytest.raises(Stale, match="round is complete"):
            undo(ana, tournament, kind)
    assert standing(tournament) == final
    undo(ana, tournament, "complete")
    for kind in ("decide", "fate", "substitute", "extend"):
        undo(ana, tournament, kind)
    assert (pod.seats.get(index=0).fate, pod.seats.get(index=1).substitute_name) == ("plays", "")


def test_a_result_is_not_decided_again_under_the_draft_that_rests_on_it(ana: models.Player) -> None:
    tournament, pod = table(ana)
    decide_all(ana, tournament, 1)
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW)
    undo(ana, tournament)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    draw(ana, tournament, 2)
    with pytest.raises(Stale, match="round is complete"):
        undo(ana, tournament, "undo")
    assert Result.objects.get(pod=pod, status="accepted").places == "[1,2,3,4]"


def test_a_round_is_not_completed_again_while_a_result_is_missing(ana: models.Player) -> None:
    tournament, _ = table(ana)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    undo(ana, tournament)
    undo(ana, tournament, "decide")
    done = Step.objects.get(tournament=tournament, kind="undo", reverts__kind="complete")
    with pytest.raises(Stale, match="missing: table 1"):
        take_back(ana, tournament, done)
    assert Round.objects.get(tournament=tournament).status == "released"


def take_back(owner: models.Player, tournament: Tournament, step: Step) -> None:
    step_undo.revert(tournament, owner, step.number, now=NOW)


def test_a_tournament_is_not_finished_again_while_a_round_is_open(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, rounds_planned=2)
    play_round(ana, tournament, 1)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    undo(ana, tournament)
    release(ana, tournament, 2)
    done = Step.objects.get(tournament=tournament, kind="undo", reverts__kind="finish")
    with pytest.raises(Stale, match="A round is not complete"):
        take_back(ana, tournament, done)
    tournament.refresh_from_db()
    assert tournament.phase == Phase.RUNNING


def test_a_final_standing_is_final_until_its_end_is_taken_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, rounds_planned=1)
    play_round(ana, tournament, 1)
    ada = entrant(tournament, "Ada").pk
    organiser_decisions.penalise(tournament, ana, ada, points=300, reason="late", key="k", now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    final = standing(tournament)
    for kind in ("penalty", "complete"):
        with pytest.raises(Stale, match=r"The tournament is finished\. Undo that step first"):
            undo(ana, tournament, kind)
    with pytest.raises(Stale, match=r"The tournament is finished\. Undo that step first"):
        organiser_decisions.penalise(tournament, ana, ada, points=300, reason="late", key="l", now=NOW)
    assert standing(tournament) == final
    organiser_decisions.rename(
        tournament, ana, ada, "Adele", now=NOW
    )  # a name on a certificate is put right at any time
    undo(ana, tournament)
    phases.move_on(tournament, ana, Phase.ARCHIVED, now=NOW)
    for kind in ("archive", "finish", "penalty"):
        undo(ana, tournament, kind)
    assert Penalty.objects.count() == 0


def test_what_the_first_draw_settles_is_settled_backwards_too(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8])
    tournament_plan.revise(
        tournament, ana, msgspec.structs.replace(tournament_plan.read(tournament), points="table"), now=NOW
    )
    draw(ana, tournament, 1)
    with pytest.raises(Stale, match="cannot change after the first draw"):
        undo(ana, tournament, "revise")
    undo(ana, tournament, "draw")
    undo(ana, tournament, "revise")
    assert tournament.points == "beaten"


def test_who_has_been_drawn_is_here(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="real", most=4)
    enter(tournament, *NAMES[:4])
    ids = list(tournament.entrants.values_list("pk", flat=True))
    attendance.mark_missing(tournament, ana, ids, now=NOW)
    attendance.check_in(tournament, ana, ids, now=NOW)
    draw(ana, tournament, 1)
    with pytest.raises(Stale, match="Ada has already been drawn"):
        undo(ana, tournament, "present")
    undo(ana, tournament, "draw")
    undo(ana, tournament, "present")
    assert set(tournament.entrants.values_list("status", flat=True)) == {"entered"}


def test_nobody_in_a_pair_rule_is_taken_off(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8])
    organiser_decisions.rule_pair(
        tournament, ana, entrant(tournament, "Hal").pk, entrant(tournament, "Ada").pk, PairRule.Kind.APART, now=NOW
    )
    with pytest.raises(Stale, match="A later step depends on this one"):
        undo(ana, tournament, "walk-in")
    assert (tournament.entrants.count(), PairRule.objects.count()) == (8, 1)
    undo(ana, tournament, "pair-rule")
    undo(ana, tournament, "walk-in")
    assert tournament.entrants.count() == 7


def test_who_is_put_in_again_plays_from_the_next_round_on(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:5], venue="real", least=4, most=4)
    undo(ana, tournament)
    release(ana, tournament, 1)
    take_back(ana, tournament, Step.objects.get(tournament=tournament, kind="undo"))
    assert entrant(tournament, "Eli").joined_round == 2


@pytest.mark.parametrize("pausing", [False, True])
def test_a_round_released_again_has_all_its_time(ana: models.Player, pausing: bool) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, round_minutes=30)
    release(ana, tournament, 1)
    if pausing:
        lifecycle.pause(tournament, ana, 1, now=NOW + 60)
        lifecycle.resume(tournament, ana, 1, now=NOW + 120)
        lifecycle.ring(tournament, ana, 1, now=NOW + 180)
    for later in (200, 300, 400):
        step = Step.objects.filter(tournament=tournament, kind__in=["release", "undo"]).latest("number")
        step_undo.revert(tournament, ana, step.number, now=NOW + later)
    played = Round.objects.get(tournament=tournament)
    assert (played.status, played.ends_at, played.has_rung, played.paused_at) == ("draft", None, False, None)
    lifecycle.release(tournament, ana, 1, now=NOW + 500)
    played.refresh_from_db()
    assert (played.released_at, played.ends_at) == (NOW + 500, NOW + 500 + 30 * MINUTE)


def test_a_release_done_again_rings_when_its_minutes_are_over(ana: models.Player) -> None:
    tournament, _ = table(ana, round_minutes=30)
    for later in (60, 900):
        step = Step.objects.filter(tournament=tournament, kind__in=["release", "undo"]).latest("number")
        step_undo.revert(tournament, ana, step.number, now=NOW + later)
    played = Round.objects.get(tournament=tournament)
    assert (played.status, played.released_at, played.ends_at) == ("released", NOW + 900, NOW + 900 + 30 * MINUTE)


def test_steps_are_taken_back_by_another_process_and_another_organiser(ana: models.Player, ben: models.Player) -> None:
    """As after a restart: nothing of them is remembered but what the database has."""
    tournament = begin(ana, [], venue="online", most=4, rounds_planned=1)
    tournament.club.memberships.create(player=ben, role="organiser")
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    play_online(tournament, 1)
    sweeper.sweep(now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    phases.move_on(tournament, ana, Phase.FINISHED, now=NOW)
    for kind in ("finish", "complete"):
        as_other_process(partial(undo, ben, tournament, kind))
    assert (tournament.phase, Round.objects.get().status) == (Phase.RUNNING, "released")
    with pytest.raises(Stale, match="already has a result"):
        undo(ben, tournament, "release")
    assert Entrant.objects.filter(tournament=tournament).count() == 4


def test_a_name_corrected_again_leaves_them_in_from_the_round_they_came_in(ana: models.Player) -> None:
    tournament, _ = table(ana)
    organiser_decisions.rename(tournament, ana, entrant(tournament, "Ada").pk, "Adele", now=NOW)
    undo(ana, tournament)
    undo(ana, tournament, "undo")
    assert entrant(tournament, "Adele").joined_round == 1
