"""People of one group count as if they had met once more."""

from __future__ import annotations

from itertools import combinations

import pytest

from tournaments import draw
from tournaments.draw.problem import parse
from tournaments.draw.problem.errors import BadProblem
from tournaments.draw.problem.reasons import SAME_GROUP
from tournaments.draw.problem.solution import NOBODY_MET


def solve(groups: tuple[tuple[str, ...], ...], people: str = "abcdefgh") -> draw.Solution:
    entrants = tuple(draw.Entrant(one) for one in people)
    return draw.solve(draw.Problem(entrants, 4, 4, 4, seed="s", apart=groups))


def count_mates(solution: draw.Solution, groups: tuple[tuple[str, ...], ...]) -> int:
    pairs = {pair for group in groups for pair in combinations(group, 2)}
    return sum(pair in pairs for pod in solution.pods for pair in combinations(sorted(pod.seats), 2))


def test_groups_are_spread_over_the_tables() -> None:
    groups = (("a", "b"), ("c", "d"), ("e", "f"), ("g", "h"))
    solution = solve(groups)
    assert count_mates(solution, groups) == 0
    assert solution.optimal


def test_what_cannot_be_spread_is_drawn_all_the_same_and_said() -> None:
    groups = (("a", "b", "c"),)
    solution = solve(groups)
    assert count_mates(solution, groups) == 1
    reasons = [one for pod in solution.pods for one in pod.reason if one.template == SAME_GROUP]
    assert len(reasons) == 1
    assert {reasons[0].values["one"], reasons[0].values["other"]} < {"a", "b", "c"}
    assert [one.template for pod in solution.pods for one in pod.reason].count(NOBODY_MET) == 2


def test_a_group_weighs_as_much_as_one_earlier_meeting() -> None:
    """Either the two of a group meet, or two who have met: both cost the same, and neither costs nothing."""
    entrants = tuple(draw.Entrant(one) for one in "abc")
    history = (draw.PastRound((("a", "b"),)),)
    with_group = draw.solve(draw.Problem(entrants, 3, 3, 3, seed="s", history=history, apart=(("b", "c"),)))
    without = draw.solve(draw.Problem(entrants, 3, 3, 3, seed="s", history=history))
    values = [{line.name: line.value for line in one.objective}["pairing"] for one in (with_group, without)]
    assert values[0] == 2 * values[1]


def test_a_file_may_name_groups_but_not_millions_of_pairs() -> None:
    text = b'{"format":"menagerie-draw/1","wanted":2,"min":2,"max":2,"entrants":[{"id":"a"},{"id":"b"}],"apart":[%s]}'
    assert parse.parse(text % b'["a","b"],["zoe"]').apart == (("a", "b"), ("zoe",))
    crowd = ",".join(f'"{number}"' for number in range(1001)).encode()
    with pytest.raises(BadProblem, match="pairs"):
        parse.parse(text % b"[%s]" % crowd)
