"""What each line counts, with literal data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tournaments.draw import OBJECTIVE_LINES, Entrant, PastRound, Problem
from tournaments.draw.problem.budget import Budget
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import evaluate
from tournaments.draw.problem.pair_costs import find_scales
from tournaments.draw.program.costs import convert_to_units, cost_columns
from tournaments.draw.proof.exact import list_all_pods
from tournaments.draw.proof.incumbent import seat_draw

PAST = PastRound((("ana", "ben", "eva", "kim"), ("lea", "mia", "ole")), ("tom",))
PROBLEM = Problem(
    entrants=tuple(
        Entrant(one, score)
        for one, score in (
            ("ana", 840),
            ("ben", 560),
            ("eva", 280),
            ("kim", 0),
            ("lea", 840),
            ("mia", 420),
            ("ole", 0),
            ("tom", 420),
        )
    ),
    wanted=4,
    min_size=3,
    max_size=5,
    history=(PAST,),
)
AGAIN = replace(PROBLEM, history=(PAST, PAST))

WORTH = 1260**2


@pytest.mark.parametrize(
    ("problem", "pods", "byes", "expected"),
    [
        (PROBLEM, ("ana lea tom mia", "ben eva kim ole"), "", (0, 0, 0, 0, 2, 0, 4 * WORTH + 420**2 + 560**2, 0, 1)),
        (PROBLEM, ("lea ana mia tom", "ole eva kim ben"), "", (0, 0, 0, 0, 2, 0, 4 * WORTH + 420**2 + 560**2, 0, 1)),
        (PROBLEM, ("ana ben lea", "mia eva ole kim"), "tom", (1, 1, 420, 1, 2, 0, 3 * WORTH + 280**2 + 420**2, 1, 4)),
        (AGAIN, ("ana lea tom mia", "ben eva kim ole"), "", (0, 0, 0, 0, 2, 4, 16 * WORTH + 420**2 + 560**2, 0, 2)),
        (
            replace(PROBLEM, swiss=False, repeat_worth=1),
            ("ana ben lea", "mia eva ole kim"),
            "tom",
            (1, 1, 0, 1, 2, 0, 3, 1, 4),
        ),
    ],
)
def test_values(problem: Problem, pods: tuple[str, ...], byes: str, expected: tuple[int, ...]) -> None:
    instance = build_instance(problem)
    index = {one: number for number, one in enumerate(instance.ids)}
    seated = [[index[one] for one in pod.split()] for pod in pods]
    assert tuple(evaluate(instance, seated, [index[one] for one in byes.split()])) == expected


@pytest.mark.parametrize(
    ("pods", "byes"),
    [(([0, 1, 2], [3, 4, 5, 6]), [7]), (([0, 2, 4], [1, 3, 5, 6, 7]), []), (([0, 2, 5], [3, 4, 6, 7]), [1])],
)
@pytest.mark.parametrize("lowest", [0, -280])
def test_columns_cost_what_their_draw_does(pods: tuple[list[int], ...], byes: list[int], lowest: int) -> None:
    entrants = tuple(replace(one, score=one.score + lowest) for one in PROBLEM.entrants)
    instance = build_instance(replace(PROBLEM, entrants=entrants, history=(PAST,) * 3))
    every, scales = list_all_pods(instance, Budget(1)), find_scales(instance)
    wanted = [*pods, *([one] for one in byes)]
    chosen = [at for at, row in enumerate(every.members.tolist()) if [one for one in row if one >= 0] in wanted]
    columns, values = every.take(np.array(chosen)), seat_draw(instance, pods, byes).values
    assert {line: int(cost_columns(instance, columns, line, scales).sum()) for line in OBJECTIVE_LINES} == {
        line: convert_to_units(instance, values, line, scales) for line in OBJECTIVE_LINES
    }
