"""Every step can be taken back, and that again, until something has followed from it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import models
from games.play.errors import NotAllowed, Stale
from games.play.storage import store
from tests.cast import NOW, come_to_table
from tests.tournaments.cast import (
    NAMES,
    begin,
    check_in,
    decide_all,
    draw,
    enter,
    entrant,
    plan,
    play_round,
    release,
    standing,
    table_of,
)
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.planning import phases
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import season_undo, step_undo, undo_offers
from tournaments.models import Entrant, PairRule, Phase, Pod, PodSeat, Result, Round, Season, Step, Tournament

Act = Callable[[Tournament, models.Player], object]


def undo(owner: models.Player, of: Tournament | Season, kind: str = "") -> None:
    """Take back the last step, or the last of this kind."""
    steps = of.steps.filter(reverted_by=None)
    found = (steps.filter(kind=kind) if kind else steps).latest("number")
    if isinstance(of, Season):
        season_undo.revert(of, owner, found.number, now=NOW)
    else:
        step_undo.revert(of, owner, found.number, now=NOW)
    of.refresh_from_db()


def test_a_walk_in_goes_and_comes_again(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    row = entrant(tournament, "Ada")
    undo(ana, tournament)
    assert Entrant.objects.filter(tournament=tournament).count() == 0
    undo(ana, tournament)
    again = entrant(tournament, "Ada")
    assert (again.pk, again.claim_token, again.number) == (row.pk, row.claim_token, row.number)


def test_a_phase_goes_back_and_on_again(ana: models.Player) -> None:
    tournament = plan(ana)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)
    undo(ana, tournament)
    assert tournament.phase == Phase.PLANNED
    undo(ana, tournament)
    assert tournament.phase == Phase.ENTRY


def test_a_draw_goes_with_its_pods_and_comes_back_as_it_was(ana: models.Player) -> None:
    tournament = begin(ana)
    before = draw(ana, tournament, 1)
    tables = table_of(tournament, 1)
    undo(ana, tournament)
    assert (tournament.phase, Round.objects.filter(tournament=tournament).count()) == (Phase.CHECK_IN, 0)
    undo(ana, tournament)
    after = Round.objects.get(tournament=tournament)
    assert (after.pk, after.seed, after.solution) == (before.pk, before.seed, before.solution)
    assert table_of(tournament, 1) == tables


def test_a_swap_is_taken_back_before_the_draw_can_be(ana: models.Player) -> None:
    tournament = begin(ana)
    draw(ana, tournament, 1)
    tables = table_of(tournament, 1)
    first, second = entrant(tournament, tables[0][0]), entrant(tournament, tables[1][0])
    drafts.swap(tournament, ana, 1, first.pk, second.pk, key="k", now=NOW)
    assert table_of(tournament, 1) != tables
    with pytest.raises(Stale, match="A later step depends on this one"):
        undo(ana, tournament, "draw")
    undo(ana, tournament)
    assert table_of(tournament, 1) == tables


LATER: dict[str, tuple[Act, Act]] = {
    "rename": (
        lambda one, ana: organiser_decisions.rename(one, ana, entrant(one, "Ada").pk, "Adele", now=NOW),
        lambda one, ana: organiser_decisions.rename(one, ana, entrant(one, "Adele").pk, "Adina", now=NOW),
    ),
    "walk-in": (
        lambda one, ana: sign_up.add_walk_in(one, ana, name="Zoe", now=NOW),
        lambda one, ana: organiser_decisions.rename(one, ana, entrant(one, "Zoe").pk, "Zola", now=NOW),
    ),
    "away": (
        lambda one, ana: attendance.set_away(one, ana, [entrant(one, "Ada").pk], away=True, now=NOW),
        lambda one, ana: attendance.set_away(one, ana, [entrant(one, "Ada").pk], away=False, now=NOW + 1),
    ),
    "fate": (
        lambda one, ana: results.set_fate(one, ana, first_chair(one).pk, PodSeat.Fate.NO_SHOW, now=NOW),
        lambda one, ana: results.set_fate(one, ana, first_chair(one).pk, PodSeat.Fate.FORFEIT, now=NOW),
    ),
    "extend": (
        lambda one, ana: lifecycle.extend(one, ana, 1, 5, key="a", now=NOW),
        lambda one, ana: lifecycle.extend(one, ana, 1, 10, key="b", now=NOW),
    ),
    "decide": (
        lambda one, ana: results.decide(one, ana, first_chair(one).pod_id, ReportedResult((1, 2, 3, 4)), now=NOW),
        lambda one, ana: results.decide(one, ana, first_chair(one).pod_id, ReportedResult((4, 3, 2, 1)), now=NOW),
    ),
}
"""Steps by their kind, and what rests on them."""


def first_chair(tournament: Tournament) -> PodSeat:
    return PodSeat.objects.filter(pod__round__tournament=tournament).earliest("pk")


@pytest.mark.parametrize("kind", LATER)
def test_a_step_on_which_another_rests_stands(ana: models.Player, kind: str) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, round_minutes=30)
    release(ana, tournament, 1)
    before = read_rows(tournament)
    first, later = LATER[kind]
    first(tournament, ana)
    number = Step.objects.latest("number").number
    later(tournament, ana)
    after = read_rows(tournament)
    with pytest.raises(Stale, match="A later step depends on this one"):
        step_undo.revert(tournament, ana, number, now=NOW)
    assert read_rows(tournament) == after
    undo(ana, tournament)
    step_undo.revert(tournament, ana, number, now=NOW)
    assert read_rows(tournament) == before


def read_rows(tournament: Tournament) -> list[object]:
    """What the steps of `LATER` change."""
    chairs = PodSeat.objects.filter(pod__round__tournament=tournament).order_by("pk")
    return [
        list(tournament.entrants.order_by("pk").values_list("name", "is_away")),
        list(chairs.values_list("entrant", "fate")),
        list(Round.objects.filter(tournament=tournament).values_list("ends_at", flat=True)),
        list(Result.objects.filter(pod__round__tournament=tournament).values_list("status", "places")),
    ]


def test_a_release_takes_its_waiting_tables_away_and_opens_new_ones(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    first = Pod.objects.get(round__tournament=tournament)
    undo(ana, tournament)
    assert Round.objects.get(tournament=tournament).status == "draft"
    assert Pod.objects.get(round__tournament=tournament).table is None
    assert store.reload(first.table_id or "").status == "over"
    undo(ana, tournament)
    second = Pod.objects.get(round__tournament=tournament)
    assert second.table_id not in (None, first.table_id)


def test_a_release_stands_once_a_game_has_begun(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", most=4)
    players = enter(tournament, *NAMES[:4])
    release(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    for player in players:
        come_to_table(pod.table_id or "", player.pk, now=NOW)
    with pytest.raises(Stale, match="The game at table 1 has begun"):
        undo(ana, tournament)
    assert Round.objects.get(tournament=tournament).status == "released"


def test_a_release_stands_once_a_result_is_in(ana: models.Player) -> None:
    tournament = begin(ana)
    release(ana, tournament, 1)
    decide_all(ana, tournament, 1)
    with pytest.raises(Stale, match="already has a result"):
        undo(ana, tournament, "release")


def test_a_corrected_result_is_taken_back(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4])
    release(ana, tournament, 1)
    decide_all(ana, tournament, 1)
    pod = Pod.objects.get(round__tournament=tournament)
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW)
    undo(ana, tournament)
    assert Result.objects.get(pod=pod, status="accepted").places == "[1,2,3,4]"
    undo(ana, tournament)
    assert Result.objects.get(pod=pod, status="accepted").places == "[4,3,2,1]"


def test_undo_in_the_middle_of_a_tournament(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:12], most=4, rounds_planned=3)
    play_round(ana, tournament, 1)
    after_one = standing(tournament)
    play_round(ana, tournament, 2)
    after_two = standing(tournament)
    undo(ana, tournament)
    assert standing(tournament) == after_one
    with pytest.raises(Stale, match="not complete"):
        draw(ana, tournament, 3)
    undo(ana, tournament)
    assert standing(tournament) == after_two
    draw(ana, tournament, 3)
    with pytest.raises(Stale, match=r"A later step depends on this one|been drawn"):
        undo(ana, tournament, "complete")
    lifecycle.release(tournament, ana, 3, now=NOW)
    decide_all(ana, tournament, 3)
    lifecycle.complete(tournament, ana, 3, now=NOW)
    assert sum(points for _, _, points in standing(tournament)) == 3 * 12 * 420


def test_the_same_step_is_taken_back_once(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada", "Bea"])
    number = Step.objects.filter(tournament=tournament).latest("number").number
    for _ in range(2):
        step_undo.revert(tournament, ana, number, now=NOW)
    assert [one.name for one in tournament.entrants.all()] == ["Ada"]
    assert Step.objects.filter(tournament=tournament, kind="undo").count() == 1


def test_only_organisers_take_steps_back(ana: models.Player, ben: models.Player) -> None:
    tournament = plan(ana)
    check_in(ana, tournament, ["Ada"])
    with pytest.raises(NotAllowed):
        undo(ben, tournament)


def test_the_log_says_who_did_what_and_what_it_was_before(ana: models.Player) -> None:
    tournament = begin(ana, ["Ada"])
    organiser_decisions.rename(tournament, ana, entrant(tournament, "Ada").pk, "Ava", now=NOW)
    step = Step.objects.filter(tournament=tournament).latest("number")
    assert (step.actor_name, step.kind, step.details) == ("Ana", "rename", '{"before":"Ada","name":"Ava"}')
    assert '{"name":"Ada"},{"name":"Ava"}' in step.changes


def test_who_has_entered_is_tried_out_at_one_go(ana: models.Player) -> None:
    """Undoing many entries is tried in one transaction, not in one for each person."""
    tournament = plan(ana)
    phases.move_on(tournament, ana, Phase.ENTRY, now=NOW)

    def look() -> tuple[list[Step], frozenset[int], int]:
        steps = step_undo.list_steps(tournament, with_changes=True)
        with CaptureQueriesContext(connection) as queries:
            return steps, undo_offers.find_offered(tournament, steps, now=NOW), len(queries)

    enter(tournament, *NAMES[:2])
    _, _, before = look()
    enter(tournament, *NAMES[2:12])
    steps, offered, after = look()
    assert {step.number for step in steps if step.kind == "enter"} <= offered
    assert after <= before + 2
    organiser_decisions.rename(tournament, ana, entrant(tournament, NAMES[2]).pk, "Ava", now=NOW)
    enter(tournament, NAMES[2])
    one, other = (entrant(tournament, name).pk for name in NAMES[4:6])
    organiser_decisions.rule_pair(tournament, ana, one, other, PairRule.Kind.APART, now=NOW)
    attendance.withdraw(tournament, ana, [entrant(tournament, NAMES[7]).pk], now=NOW)
    steps, offered, _ = look()
    tried = {step.number for step in steps if step_undo.can_offer(step, tournament, now=NOW)}
    assert offered == tried
    assert 9 < len(tried) < len(steps) - 3


def test_between_two_try_outs_others_may_write(ana: models.Player, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begin(ana, ["Ada", "Ben", "Cyd"])
    done: list[str] = []

    def try_out(*_args: object, **_words: object) -> bool:
        done.append("try-out")
        return True

    monkeypatch.setattr(step_undo, "can_offer", try_out)
    monkeypatch.setattr(step_undo, "can_offer_all", try_out)
    monkeypatch.setattr(undo_offers, "time", SimpleNamespace(sleep=lambda _seconds: done.append("others")))
    steps = step_undo.list_steps(tournament, with_changes=True)
    assert len(undo_offers.find_offered(tournament, steps, now=NOW)) > 2
    turns = ["try-out", "others"] if connection.vendor == "sqlite" else ["try-out"]
    assert done == turns * done.count("try-out")
