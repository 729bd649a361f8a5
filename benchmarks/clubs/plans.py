"""Round robins planned as a whole, for people who are all new: repeats, their bound, processor seconds.

python -m benchmarks.clubs.plans
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Final, NamedTuple
from unittest.mock import patch

from tournaments.draw import Entrant, Problem, Solution, solve
from tournaments.draw.problem import budget

NEVER: Final = 1_000
"""Emergency stop at so many times the time limit: on a busy machine only the work counts."""


class Plan(NamedTuple):
    """sizes: min, wanted, max. rounds: one plan for each of these numbers."""

    people: int
    sizes: tuple[int, int, int]
    rounds: tuple[int, ...]


PLANS: Final = (
    Plan(8, (4, 4, 4), (5,)),
    Plan(9, (3, 3, 3), (4,)),
    Plan(9, (4, 4, 5), (5,)),
    Plan(10, (4, 4, 5), (5,)),
    Plan(13, (4, 4, 4), (3,)),
    Plan(14, (3, 4, 5), (4,)),
    Plan(15, (3, 3, 3), (7,)),
    Plan(16, (4, 4, 4), (5, 6)),
    Plan(17, (3, 4, 5), (5,)),
    Plan(18, (3, 4, 5), (5,)),
    Plan(18, (3, 3, 3), (8,)),
    Plan(20, (2, 2, 2), (19,)),
    Plan(20, (4, 4, 4), (5, 6)),
    Plan(21, (3, 3, 3), (7, 10)),
    Plan(22, (3, 4, 5), (5,)),
    Plan(24, (4, 4, 4), (6, 7, 8)),
    Plan(25, (5, 5, 5), (6,)),
    Plan(28, (4, 4, 4), (7, 9)),
    Plan(30, (3, 4, 5), (7,)),
    Plan(30, (5, 5, 5), (6,)),
    Plan(32, (4, 4, 4), (8, 9, 10)),
    Plan(36, (6, 6, 6), (4,)),
    Plan(40, (4, 4, 4), (8, 13)),
    Plan(49, (7, 7, 7), (8,)),
    Plan(64, (8, 8, 8), (9,)),
)


def measure(plan: Plan, rounds: int) -> str:
    """One row of a table."""
    smallest, wanted, largest = plan.sizes
    entrants = tuple(Entrant(f"p{number:02d}") for number in range(plan.people))
    began = time.process_time()
    solution = solve(Problem(entrants, wanted, smallest, largest, seed="1", rounds=rounds))
    used = time.process_time() - began
    (line,) = solution.objective
    return f"| {plan.people} | {_describe(solution)} | {rounds} | {line.value} ({line.bound}) | {used:.1f} |"


def _describe(solution: Solution) -> str:
    """The sizes of the pods of its first round."""
    sizes = Counter(len(pod.seats) for pod in (solution.rounds or ((),))[0])
    return ", ".join(f"{count} of {size}" for size, count in sorted(sizes.items(), reverse=True))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, nargs="+", metavar="N", help="only these")
    wanted = parser.parse_args().people
    patch.object(budget, "EMERGENCY_FACTOR", NEVER).start()
    measure(PLANS[0], 2)  # whatever is imported first is not the plan's time
    print("| people | pods | rounds | repeats (bound) | seconds |", "|---|---|---|---|---|", sep="\n")
    for plan in PLANS:
        if wanted is None or plan.people in wanted:
            for rounds in plan.rounds:
                print(measure(plan, rounds), flush=True)


if __name__ == "__main__":
    main()
