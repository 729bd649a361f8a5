"""The pairing problem of one round, its solver, its certificate and the reasons for each pod. Pure.

    problem = parse(raw)            # bytes of menagerie-draw/1 → Problem; BadProblem
    solution = solve(problem)       # → Solution: pods with reasons, byes, objective; Conflict
    solution.to_json()              # the answer in menagerie-draw/1

Both errors are a DrawError: `str(error)` is an English sentence; `error.template` and `error.values` are its
translatable form. With `problem.rounds` the answer is a whole round robin: `solution.rounds`, and one objective line,
`repeats`. docs/draw.md explains the terms. Importing this package is cheap: numpy and HiGHS are imported when the
solver is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tournaments.draw.problem.definition import FORMAT, Entrant, PastRound, Problem
from tournaments.draw.problem.errors import BadProblem, Conflict, DrawError
from tournaments.draw.problem.parse import parse
from tournaments.draw.problem.solution import OBJECTIVE_LINES, PLAN_LINE, ObjectiveLine, Pod, Sentence, Solution

__all__ = [
    "FORMAT",
    "OBJECTIVE_LINES",
    "PLAN_LINE",
    "BadProblem",
    "Conflict",
    "DrawError",
    "Entrant",
    "ObjectiveLine",
    "PastRound",
    "Pod",
    "Problem",
    "Sentence",
    "Solution",
    "count_schedule",
    "explain_planned",
    "parse",
    "solve",
]


def solve(problem: Problem, on_progress: Callable[[int], None] | None = None) -> Solution:
    """Find the best draw within the work that `problem.time_limit` stands for, with a lower bound for each objective
    line.

    on_progress: called with the percentage of the work that is done each time it rises; the draw may end at any
    percentage. An exception it raises ends the draw.

    The same problem gives the same answer, apart from `seconds`. Raises BadProblem if the problem is malformed,
    Conflict if its hard rules cannot be kept.
    """
    from tournaments.draw.problem.parse import check

    check(problem)
    if problem.rounds is not None:
        from tournaments.draw.plans.round_robin import plan_rounds

        return plan_rounds(problem, problem.rounds, on_progress)
    from tournaments.draw.one_round import draw_round

    return draw_round(problem, on_progress)


def count_schedule(people: int, *, wanted: int, smallest: int, largest: int) -> int | None:
    """How many rounds a full round robin of so many people takes at tables of these sizes; None if there is none."""
    from tournaments.draw.plans.schedule_length import count_rounds

    return count_rounds(people, wanted=wanted, smallest=smallest, largest=largest)


def explain_planned(problem: Problem, pods: Sequence[Sequence[str]], byes: Sequence[str]) -> tuple[Pod, ...] | None:
    """A round planned earlier, with reasons from what has been played since; None if it breaks a hard rule.

    pods: ids in seat order. Raises Conflict.
    """
    from tournaments.draw.plans.planned_round import explain

    return explain(problem, pods, byes)
