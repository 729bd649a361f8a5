"""A draw stands on the rounds before it, on the plan, and on who is there: also if it is done again, or takes long."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from games import models
from games.play.errors import BadInput, Stale
from tests.cast import NOW, browser
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
    table_of,
)
from tests.tournaments.flow.undo.test_undo import undo
from tournaments.flow.drawing import drafts, draw_requests, pairing
from tournaments.flow.drawing.draw_input import RoundDraw
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.flow.planning import tournament_plan
from tournaments.flow.rounds import lifecycle, results
from tournaments.flow.rounds.result_reports import ReportedResult
from tournaments.flow.undo import step_undo
from tournaments.models import Entrant, PairRule, Phase, Pod, Round, Step, Tournament


def redo(owner: models.Player, tournament: Tournament, kind: str) -> None:
    """Do the last step of this kind again that was taken back."""
    step = Step.objects.filter(tournament=tournament, reverts__kind=kind, reverted_by=None).latest("number")
    step_undo.revert(tournament, owner, step.number, now=NOW)


def test_a_draw_is_not_done_again_while_the_round_before_is_open(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    undo(ana, tournament, "draw")
    undo(ana, tournament, "complete")
    with pytest.raises(Stale, match="The previous round is not complete"):
        redo(ana, tournament, "draw")
    redo(ana, tournament, "complete")
    redo(ana, tournament, "draw")
    assert list(Round.objects.order_by("number").values_list("status", flat=True)) == ["complete", "draft"]


def test_a_draw_is_not_done_again_on_other_results(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    undo(ana, tournament, "draw")
    undo(ana, tournament, "complete")
    pod = Pod.objects.get(round__tournament=tournament, number=1)
    results.decide(tournament, ana, pod.pk, ReportedResult((4, 3, 2, 1)), now=NOW)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    with pytest.raises(Stale, match="has changed since this draw"):
        redo(ana, tournament, "draw")
    assert Round.objects.get().number == 1


def test_a_draw_is_not_done_again_on_other_penalties(ana: models.Player) -> None:
    """Given or taken back since; one that was given and taken back is none."""
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    play_round(ana, tournament, 1)
    bea = entrant(tournament, "Bea").pk

    def penalise(key: str) -> None:
        organiser_decisions.penalise(tournament, ana, bea, points=840, reason="Late.", key=key, now=NOW)

    penalise("first")
    draw(ana, tournament, 2)
    undo(ana, tournament, "draw")
    penalise("second")
    with pytest.raises(Stale, match="has changed since this draw"):
        redo(ana, tournament, "draw")
    undo(ana, tournament, "penalty")
    undo(ana, tournament, "penalty")
    with pytest.raises(Stale, match="has changed since this draw"):
        redo(ana, tournament, "draw")
    redo(ana, tournament, "penalty")
    redo(ana, tournament, "draw")
    assert tournament.rounds.count() == 2


def test_no_penalty_is_left_for_a_round_that_is_gone(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    play_round(ana, tournament, 1)
    release(ana, tournament, 2)
    bea = entrant(tournament, "Bea").pk
    organiser_decisions.penalise(tournament, ana, bea, points=840, reason="Late.", key="k", now=NOW)
    undo(ana, tournament, "release")
    with pytest.raises(Stale, match="Bea has a penalty in round 2"):
        undo(ana, tournament, "draw")
    undo(ana, tournament, "penalty")
    undo(ana, tournament, "draw")
    with pytest.raises(Stale, match="Bea has a penalty in round 2"):
        redo(ana, tournament, "penalty")
    assert not tournament.penalties.exists()


def test_a_draw_is_not_done_again_on_another_plan(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    draw(ana, tournament, 1)
    undo(ana, tournament, "draw")
    tournament_plan.revise(
        tournament, ana, msgspec.structs.replace(tournament_plan.read(tournament), format="knockout"), now=NOW
    )
    with pytest.raises(Stale, match="has changed since this draw"):
        redo(ana, tournament, "draw")
    undo(ana, tournament, "revise")
    redo(ana, tournament, "draw")
    assert Round.objects.get().status == "draft"


def test_who_is_not_here_any_more_is_not_drawn_by_doing_it_again(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="real", most=4)
    enter(tournament, *NAMES[:5])
    draw(ana, tournament, 1)
    undo(ana, tournament, "draw")
    attendance.mark_missing(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    with pytest.raises(Stale, match="Ada has already been drawn"):
        redo(ana, tournament, "draw")
    assert (Round.objects.count(), entrant(tournament, "Ada").status) == (0, "entered")


def test_who_comes_before_a_release_is_done_again_plays_from_the_next_round_on(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4)
    release(ana, tournament, 1)
    undo(ana, tournament, "release")
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    redo(ana, tournament, "release")
    assert (entrant(tournament, "Zoe").joined_round, entrant(tournament, "Ada").joined_round) == (2, 1)


def test_who_comes_while_a_draw_is_worked_out_has_come_after_it(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large draw takes its time, and the desk is open meanwhile: the newcomer has missed no round."""
    tournament = begin(ana, NAMES[:8], venue="real", most=4, rounds_planned=2)
    real = pairing.pair_round

    def pair_slowly(*args: Any, **given: Any) -> RoundDraw:
        drawn = real(*args, **given)
        sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
        return drawn

    monkeypatch.setattr(pairing, "pair_round", pair_slowly)
    played = draw(ana, tournament, 1)
    assert [one.name for one in lifecycle.list_undrawn(played)] == ["Zoe"]
    lifecycle.release(tournament, ana, 1, now=NOW)
    assert (entrant(tournament, "Zoe").joined_round, entrant(tournament, "Zoe").rests.count()) == (2, 0)


def test_who_comes_back_after_a_draw_was_absent_in_its_round(ana: models.Player) -> None:
    """They are once it is released without them, and are not once that is taken back."""
    tournament = begin(ana, NAMES[:9], venue="real", most=5, rounds_planned=2)
    play_round(ana, tournament, 1)
    ada = entrant(tournament, "Ada")
    attendance.withdraw(tournament, ana, [ada.pk], now=NOW)
    draw(ana, tournament, 2)
    attendance.bring_back(tournament, ana, [ada.pk], now=NOW)
    for kinds in (["absent"], [], ["absent"]):
        lifecycle.release(tournament, ana, 2, now=NOW) if kinds else undo(ana, tournament, "release")
        assert list(ada.rests.values_list("kind", flat=True)) == kinds


def test_who_leaves_while_a_draw_is_worked_out_is_not_in_it(
    ana: models.Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begin(ana, NAMES[:9], venue="real", most=5)
    ada = entrant(tournament, "Ada")

    real = pairing.pair_round

    def pair_slowly(*args: Any, **given: Any) -> RoundDraw:
        drawn = real(*args, **given)
        attendance.withdraw(tournament, ana, [ada.pk], now=NOW)
        return drawn

    monkeypatch.setattr(pairing, "pair_round", pair_slowly)
    draw(ana, tournament, 1)
    assert sorted(name for one in table_of(tournament, 1) for name in one) == sorted(NAMES[1:9])
    assert Step.objects.filter(tournament=tournament, kind="draw").count() == 1


def test_the_check_in_is_not_taken_back_under_a_draw(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8])
    draw_requests.request_draw(tournament, ana, 1, again=False, now=NOW)
    with pytest.raises(Stale, match="A round is being drawn"):
        undo(ana, tournament, "check-in")
    draw_requests.cancel_draw(tournament, ana, 1)
    undo(ana, tournament, "check-in")
    assert tournament.phase == Phase.ENTRY


def test_drawing_again_twice_is_once(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    first = draw(ana, tournament, 1)
    form = {"action": "draw", "round": 1, "again": 1, "instead": first.seed}
    for _ in range(2):
        browser(ana).post(f"/tournaments/{tournament.pk}/console/do/", form)
    assert Step.objects.filter(tournament=tournament, kind="draw").count() == 2
    page = browser(ana).get(f"/tournaments/{tournament.pk}/console/").content.decode()
    assert f'name="instead" value="{Round.objects.get().seed}"' in page


def test_a_rule_laid_down_after_the_draw_holds_for_its_release(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", most=4)
    draw(ana, tournament, 1)
    (first, second, *_), (third, *_) = table_of(tournament, 1)
    one, other, away = (entrant(tournament, name).pk for name in (first, second, third))
    console = f"/tournaments/{tournament.pk}/console/"
    assert "Draw again, or" not in browser(ana).get(console).content.decode()
    organiser_decisions.rule_pair(tournament, ana, one, other, PairRule.Kind.APART, now=NOW)
    organiser_decisions.rule_pair(tournament, ana, one, away, PairRule.Kind.TOGETHER, now=NOW)
    page = browser(ana).get(console).content.decode()
    forbidden = "may not meet, but are at the same table. The round cannot be released like this"
    assert says(page, forbidden) == {first, second}
    assert says(page, "should sit together, but do not") == {first, third}
    assert BEFORE in page
    with pytest.raises(BadInput, match="may not meet"):
        lifecycle.release(tournament, ana, 1, now=NOW)
    assert Round.objects.get().status == "draft"
    draw(ana, tournament, 1, again=True)
    page = browser(ana).get(console).content.decode()
    assert ("Draw again, or" in page, BEFORE in page) == (False, False)
    fourth, last = (
        next(name for name in there if name not in (first, second, third)) for there in table_of(tournament, 1)
    )
    drafts.swap(tournament, ana, 1, entrant(tournament, fourth).pk, entrant(tournament, last).pk, key="k", now=NOW)
    assert BEFORE in browser(ana).get(console).content.decode()
    drafts.swap(tournament, ana, 1, entrant(tournament, fourth).pk, entrant(tournament, last).pk, key="l", now=NOW)
    lifecycle.release(tournament, ana, 1, now=NOW)
    assert Round.objects.get().status == "released"


BEFORE = "Proven quality of the draw before the changes"


def says(page: str, words: str) -> set[str]:
    """The two people that a console says this of, once."""
    [pair] = re.findall(rf'<p class="note[^>]*>(\S+) and (\S+) {re.escape(words)}', page)
    return set(pair)


def test_a_knockout_after_a_cut_is_swapped_whatever_was_laid_down_about_pairs(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], venue="real", format="swiss-cut", rounds_planned=1, cut_to=8, most=4)
    pk = {name: entrant(tournament, name).pk for name in NAMES[:8]}
    organiser_decisions.rule_pair(tournament, ana, pk["Ada"], pk["Bea"], PairRule.Kind.APART, now=NOW)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    here, there = sorted(table_of(tournament, 2), key=lambda table: "Ada" not in table)
    goes = next(name for name in here if name not in ("Ada", "Bea"))
    comes = "Bea" if "Bea" in there else there[0]
    drafts.swap(tournament, ana, 2, pk[goes], pk[comes], key="k", now=NOW)
    lifecycle.release(tournament, ana, 2, now=NOW)
    assert any({"Ada", "Bea", comes} <= set(table) for table in table_of(tournament, 2))


def test_nobody_is_checked_in_once_the_knockout_has_begun(ana: models.Player) -> None:
    tournament = plan(ana, format="knockout", venue="real", most=4)
    check_in(ana, tournament, NAMES[:8])
    ada = entrant(tournament, "Ada")
    Entrant.objects.filter(pk=ada.pk).update(status="entered")
    release(ana, tournament, 1)
    with pytest.raises(Stale, match="Nobody new can join"):
        attendance.check_in(tournament, ana, [ada.pk], now=NOW)


def test_a_bot_on_an_empty_chair_comes_back_when_it_is_needed(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", least=4, most=4, bots_fill=True)
    enter(tournament, *NAMES[:7])
    draw(ana, tournament, 1)
    bot = Entrant.objects.get(tournament=tournament, is_filler=True)
    attendance.withdraw(tournament, ana, [bot.pk], now=NOW)
    draw(ana, tournament, 1, again=True)
    assert [len(one) for one in table_of(tournament, 1)] == [4, 4]
    assert Entrant.objects.filter(tournament=tournament, is_filler=True).count() == 1


def test_bots_leave_the_chairs_when_the_plan_has_none_any_more(ana: models.Player) -> None:
    tournament = begin(ana, [], venue="online", least=4, most=4, bots_fill=True)
    enter(tournament, *NAMES[:7])
    draw(ana, tournament, 1)
    undo(ana, tournament, "draw")
    tournament_plan.revise(
        tournament, ana, msgspec.structs.replace(tournament_plan.read(tournament), bots_fill=False), now=NOW
    )
    draw(ana, tournament, 1)
    assert [len(one) for one in table_of(tournament, 1)] == [4]
    assert Entrant.objects.get(tournament=tournament, is_filler=True).is_away


def test_nothing_is_said_of_people_or_pairs_once_it_is_over(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:4], venue="real", most=4, rounds_planned=1)
    release(ana, tournament, 1)
    decide_all(ana, tournament, 1)
    lifecycle.complete(tournament, ana, 1, now=NOW)
    Tournament.objects.filter(pk=tournament.pk).update(phase=Phase.FINISHED)
    one, other = (entrant(tournament, name).pk for name in NAMES[:2])
    with pytest.raises(Stale, match="The tournament is over"):
        attendance.set_away(tournament, ana, [one], away=True, now=NOW)
    with pytest.raises(Stale, match=r"The tournament is finished\. Undo that step first"):
        organiser_decisions.rule_pair(tournament, ana, one, other, PairRule.Kind.APART, now=NOW)
    assert (PairRule.objects.count(), entrant(tournament, "Ada").is_away) == (0, False)
