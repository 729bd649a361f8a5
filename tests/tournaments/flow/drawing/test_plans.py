"""A round robin is one plan: kept, broken and made anew."""

from __future__ import annotations

from itertools import combinations

import msgspec

from games import models
from tests.cast import NOW
from tests.tournaments.cast import NAMES, begin, draw, entrant, play_round, table_of
from tests.tournaments.flow.test_formats import ARK
from tournaments.flow.drawing import drafts
from tournaments.flow.entry import attendance, organiser_decisions, sign_up
from tournaments.models import PairRule, Pod, Round, Tournament
from tournaments.words.terms import say_reasons


def test_a_plan_stands_whatever_its_people_are_called(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="round-robin", most=4, rounds_planned=3)
    play_round(ana, tournament, 1)
    organiser_decisions.rename(tournament, ana, entrant(tournament, "Ada").pk, "Adele", now=NOW)
    play_round(ana, tournament, 2)
    play_round(ana, tournament, 3)
    assert plans_of(tournament) == [1, 1, 1]
    met = [pair for number in (1, 2, 3) for pod in table_of(tournament, number) for pair in combinations(pod, 2)]
    assert sum("Adele" in pair for pair in met) == 9
    assert len(set(met)) == len(met)


def test_a_plan_is_made_anew_where_it_breaks_a_rule_that_came_later(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="round-robin", most=4, rounds_planned=3)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    first, second, *_ = table_of(tournament, 2)[0]
    one, other = (entrant(tournament, name).pk for name in (first, second))
    organiser_decisions.rule_pair(tournament, ana, one, other, PairRule.Kind.APART, now=NOW)
    draw(ana, tournament, 2, again=True)
    assert not any({first, second} <= {*pod} for pod in table_of(tournament, 2))
    assert plans_of(tournament) == [1, 2]


def test_a_table_that_is_kept_is_kept_in_this_round_of_a_plan_only(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:16], format="round-robin", most=4, rounds_planned=3)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    kept = Pod.objects.get(round__tournament=tournament, round__number=2, number=1)
    drafts.keep_pod(tournament, ana, kept.pk, locked=True, now=NOW)
    people = table_of(tournament, 2)[0]
    draw(ana, tournament, 2, again=True)
    assert people in table_of(tournament, 2)
    play_round(ana, tournament, 2)
    draw(ana, tournament, 3)
    assert plans_of(tournament) == [1, 2, 3]
    assert max(len({*people} & {*pod}) for pod in table_of(tournament, 3)) == 1


def test_a_round_of_a_plan_says_why(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **ARK, format="round-robin", least=4, most=4, rounds_planned=2)
    play_round(ana, tournament, 1)
    draw(ana, tournament, 2)
    reasons_of_rounds = [
        [say_reasons(msgspec.json.decode(pod.reason)) for pod in Pod.objects.filter(round=played).order_by("number")]
        for played in Round.objects.filter(tournament=tournament).order_by("number")
    ]
    assert reasons_of_rounds[0] == [["No two people here have met before."]] * 2
    assert [len(reasons) for reasons in reasons_of_rounds[1]] == [
        2,
        2,
    ]  # four from two tables: two pairs of them meet again
    assert all(
        one.endswith(" meet again (earlier meetings: 1).") for reasons in reasons_of_rounds[1] for one in reasons
    )


def plans_of(tournament: Tournament) -> list[int]:
    """Of each round the number of the round for which its plan was made."""
    solutions = Round.objects.filter(tournament=tournament).order_by("number").values_list("solution", flat=True)
    return [msgspec.json.decode(solution)["first"] for solution in solutions]


def test_a_plan_is_made_anew_for_who_is_there(ana: models.Player) -> None:
    tournament = begin(ana, NAMES[:8], **ARK, format="round-robin", least=3, most=4, rounds_planned=4)
    play_round(ana, tournament, 1)
    sign_up.add_walk_in(tournament, ana, name="Zoe", now=NOW)
    play_round(ana, tournament, 2)
    attendance.withdraw(tournament, ana, [entrant(tournament, "Ada").pk], now=NOW)
    play_round(ana, tournament, 3)
    play_round(ana, tournament, 4)
    assert plans_of(tournament) == [1, 2, 3, 3]
    there = [{name for pod in table_of(tournament, number) for name in pod} for number in (1, 2, 3, 4)]
    assert there == [{*NAMES[:8]}, {*NAMES[:8], "Zoe"}, {*NAMES[1:8], "Zoe"}, {*NAMES[1:8], "Zoe"}]
    last = [pair for number in (3, 4) for pod in table_of(tournament, number) for pair in combinations(pod, 2)]
    assert len(set(last)) >= len(last) - 4  # eight at two tables meet again as seldom as can be
