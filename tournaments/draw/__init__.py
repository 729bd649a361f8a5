"""Who meets whom: the pairing problem, its solver, certificate and reasons. Pure.

    problem = parse(raw)            # bytes of menagerie-draw/1 → Problem; BadProblem
    solution = solve(problem)       # → Solution: pods with reasons, byes, objective; Conflict
    solution.to_json()              # the answer in menagerie-draw/1

Both errors are a DrawError: `str(error)` is a sentence, `error.template` and `error.values` its translatable form. With
`problem.rounds` the answer is a whole round robin: `solution.rounds`, and one line, `repeats`. What the words mean:
docs/draw.md. Importing this package is cheap; the solver's libraries are imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tournaments.draw.problem.definition import FORMAT, Entrant, PastRound, Problem
from tournaments.draw.problem.errors import BadProblem, Conflict, DrawError
from tournaments.draw.problem.parse import parse
from tournaments.draw.problem.solution import LINES, Line, Pod, Sentence, Solution

__all__ = [
    "FORMAT",
    "LINES",
    "BadProblem",
    "Conflict",
    "DrawError",
    "Entrant",
    "Line",
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


def solve(problem: Problem, tell: Callable[[int], None] | None = None) -> Solution:
    """The best draw found within the work that `problem.time_limit` stands for, and how good it must be.

    tell: called now and then with the percentage of that work that is done, which may end at any of them; it may raise
    to give the draw up.

    Same problem, same answer apart from `seconds`. Raises BadProblem if the problem is unsound, Conflict if it cannot
    be solved.
    """
    from tournaments.draw.problem.parse import check

    check(problem)
    if problem.rounds is not None:
        from tournaments.draw.plans.round_robin import plan_rounds

        return plan_rounds(problem, problem.rounds, tell)
    from tournaments.draw.one_round import draw_round

    return draw_round(problem, tell)


def count_schedule(people: int, *, wanted: int, smallest: int, largest: int) -> int | None:
    """The rounds that a full schedule takes for so many people at tables of these sizes; None where there is none."""
    from tournaments.draw.plans.schedule_length import count_rounds

    return count_rounds(people, wanted=wanted, smallest=smallest, largest=largest)


def explain_planned(problem: Problem, pods: Sequence[Sequence[str]], byes: Sequence[str]) -> tuple[Pod, ...] | None:
    """A round that was planned earlier, with reasons by what has been played since; None if it breaks a hard rule.

    pods: ids in seat order. Raises Conflict.
    """
    from tournaments.draw.plans.planned_round import explain

    return explain(problem, pods, byes)
