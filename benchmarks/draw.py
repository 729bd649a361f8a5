"""How good the draw is, and how long it takes: simulated Swiss events, the round after several, line by line.

Wall-clock and processor seconds; on a busy machine the second is the one to judge by. Gap: how far the value can be
from the best, in percent of the bound.

    python -m benchmarks.draw [--chance | --wide | --far | --families] [--people N …] [--events N] [--first N]
                              [--patient] [--json FILE]

--chance: not events but random scores, random earlier rounds, and rules for random pairs (chance.py).
--far: the same of scores from the lowest to the highest that a problem may name.
--wide: pods of five to eight people, drawn by lot (wide_problems.py).
--families: 15 families of three to five, who sit together, must not, or should not (family_problems.py).
Both are compared with the best draws known, of samples/best_draws.json.
--patient: no draw is ended by the clock; where others need the processor too, only the work says what a draw can do.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from unittest.mock import patch

from benchmarks.samples import family_problems
from benchmarks.samples.random_problems import scatter
from benchmarks.samples.swiss_events import simulate
from benchmarks.samples.wide_problems import build_problem, pick_features
from tournaments.draw import Problem, Solution, solve
from tournaments.draw.problem import budget

Survey: TypeAlias = Literal["events", "chance", "wide", "far", "families"]
NEVER: Final = 1_000
"""Emergency stop at so many times the time limit (--patient)."""


class Case(NamedTuple):
    """rounds: before the one that is drawn. limit: the problem's time_limit; events: so many if nobody says how many.

    must, aim: the targets of docs/performance.md.
    """

    people: int
    rounds: int
    limit: float
    events: int
    must: str
    aim: str


CASES = (
    Case(24, 5, 10, 5, "proven, 2 s", "0.5 s"),
    Case(26, 4, 10, 5, "proven, 2 s", "0.5 s"),
    Case(40, 5, 10, 5, "proven, 10 s", "3 s"),
    Case(64, 5, 10, 5, "pairing 1 %, 10 s", "proven, 10 s"),
    Case(200, 5, 10, 3, "pairing 10 % of best known, 10 s", "10 % of bound"),
    Case(1_000, 5, 10, 2, "pairing 5 %, 10 s", "1 %"),
    Case(10_000, 4, 60, 1, "pairing 50 %, 60 s", "10 %"),
)

WIDE = (
    Case(24, 8, 10, 8, "proven, 2 s", "0.5 s"),
    Case(26, 8, 10, 8, "proven, 2 s", "0.5 s"),
    Case(40, 8, 10, 8, "proven, 10 s", "3 s"),
    Case(48, 8, 10, 5, "pairing 1 %, 10 s", "proven, 10 s"),
    Case(64, 8, 10, 5, "pairing 1 %, 10 s", "proven, 10 s"),
)
"""After up to so many rounds."""

FAMILIES = (Case(203, 5, 10, 12, "pairing 1 % of best known, 10 s", "proven, 10 s"),)
"""After up to so many rounds."""

BEST_DRAWS: Final = Path(__file__).parent / "samples" / "best_draws.json"
"""{survey: {people: {number: [thirds, pairing]}}} of the best draws known, found by searching for minutes."""
CLOSE: Final = 1.0
"""Percent of the best known draw that count as close."""

KINDS: tuple[dict[str, Any], ...] = (
    {"scores": "spread"},
    {"scores": "levels"},
    {"scores": "equal"},
    {"scores": "spread", "sizes": (4, 5, 6)},
    {"scores": "spread", "sizes": (3, 3, 4)},
    {"scores": "spread", "sizes": (2, 2, 2)},
    {"scores": "spread", "rules": True},
    {"scores": "levels", "rules": True},
)
"""Of draws by chance: pods of four (three to five) unless sizes (min, wanted, max) are named."""

FAR: tuple[dict[str, Any], ...] = (
    {"scores": "far"},
    {"scores": "far", "repeat_worth": 1_000_000},
    {"scores": "far", "sizes": (2, 4, 6), "repeat_worth": 0, "rules": True},
    {"scores": "far", "sizes": (3, 3, 4), "rules": True},
    {"scores": "far", "sizes": (4, 4, 4), "rules": True},
    {"scores": "far", "sizes": (4, 5, 6), "repeat_worth": 1_000_000, "rules": True},
    {"scores": "far", "repeat_worth": 1_000_000, "rules": True},
    {"scores": "far", "repeat_worth": 0, "rules": True},
)


def list_problems(case: Case, event: int, survey: Survey) -> Iterator[tuple[str, Problem]]:
    """Named; by chance there is one of each kind."""
    if survey == "events":
        yield f"event {event} after {case.rounds} rounds", simulate(case.people, case.rounds, seed=str(event))
    elif survey == "wide":
        wide = pick_features(case.people, event)
        yield str(wide), build_problem(wide)
    elif survey == "families":
        features = family_problems.pick_features(case.people, event)
        yield str(features), family_problems.build_problem(features)
    else:
        for kind in FAR if survey == "far" else KINDS:
            name = " ".join(str(part) for part in kind.values()).replace("True", "rules")
            yield (
                f"{name}, {event}, after {case.rounds} rounds",
                scatter(case.people, case.rounds, seed=str(event), **kind),
            )


def read_best_draws(survey: Survey, people: int) -> dict[str, list[int]]:
    """Number of a problem → thirds and pairing of the best draw known."""
    answer: dict[str, dict[str, dict[str, list[int]]]] = json.loads(BEST_DRAWS.read_text())
    return answer.get(survey, {}).get(str(people), {})


def measure(case: Case, event: str, problem: Problem, best: list[int] | None = None) -> dict[str, Any]:
    """One draw, everything imported before. best: thirds and pairing of the best draw known."""
    problem = replace(problem, time_limit=case.limit)
    began = time.process_time()
    solution = solve(problem)
    used = time.process_time() - began
    return {
        **case._asdict(),
        "event": event,
        "cpu_seconds": round(used, 2),
        "seconds": round(solution.seconds, 2),
        "stopped": solution.stopped,
        "lines": {line.name: [line.value, line.bound, find_gap(line.value, line.bound)] for line in solution.objective},
        "repeats": count_repeats(solution),
        "behind": None if best is None else compare_with_best(solution, best),
    }


def compare_with_best(solution: Solution, best: list[int]) -> float | None:
    """By how many percent the pairing is above the best known, less than 0 if below; None if third meetings differ."""
    values = {line.name: line.value for line in solution.objective}
    if values["thirds"] != best[0]:
        return None
    return round(100 * (values["pairing"] - best[1]) / best[1], 2) if best[1] else 0.0


def find_gap(value: int, bound: int) -> float | None:
    """In percent of the bound; None if that is 0 and the value is not."""
    if value == bound:
        return 0.0
    return round(100 * (value - bound) / bound, 1) if bound else None


def count_repeats(solution: Solution) -> int:
    """Repeated meetings, told from the reasons."""
    return sum("times" in sentence.values for pod in solution.pods for sentence in pod.reason)


def show(row: dict[str, Any]) -> list[str]:
    """A few lines for people."""
    head = f"{row['people']} people, {row['event']}"
    lines = [f"{head}: {row['cpu_seconds']} s of processor, {row['seconds']} s, {row['stopped'] or 'all proven'}"]
    if row["behind"] is not None:
        lines[0] += f"; {row['behind']} % above the best known"
    for name, (value, bound, gap) in row["lines"].items():
        if value or bound:
            lines.append(f"    {name:<12}{value:>14,}{bound:>14,}   {'?' if gap is None else gap} %")
    return lines


def sum_up(rows: list[dict[str, Any]]) -> str:
    """All events of a size in one line."""
    used, gaps = [row["cpu_seconds"] for row in rows], [row["lines"]["pairing"][2] for row in rows]
    gaps_found = [gap for gap in gaps if gap is not None]
    proven = sum(row["stopped"] is None for row in rows)
    behind = [row["behind"] for row in rows if row["behind"] is not None]
    close = f"; {sum(each <= CLOSE for each in behind)} within {CLOSE} % of the best known" if behind else ""
    worst = "?" if len(gaps_found) < len(gaps) else max(gaps_found)
    return (
        f"{rows[0]['people']} people, {len(rows)} events: {median(used):.2f} s of processor at the median, "
        f"{max(used)} at worst; all lines proven in {proven}, pairing in {gaps.count(0.0)}, its gap at worst {worst} %"
        f"{close} (must: {rows[0]['must']}; aim: {rows[0]['aim']})"
    )


def main() -> None:
    """Measure, print, write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    surveys = parser.add_mutually_exclusive_group()
    for survey, text in (
        ("chance", "random scores and rounds instead of events"),
        ("wide", "pods of five to eight"),
        ("far", "any scores there are"),
        ("families", "families among 203 people"),
    ):
        surveys.add_argument(
            f"--{survey}", dest="survey", action="store_const", const=survey, default="events", help=text
        )
    parser.add_argument("--people", type=int, nargs="+", metavar="N", help="only these sizes")
    parser.add_argument("--events", type=int, metavar="N", help="so many events of each size; a few by default")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="the number of the first event; 1 by default")
    parser.add_argument("--patient", action="store_true", help="ignore the emergency stop")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    if given.patient:
        patch.object(budget, "EMERGENCY_FACTOR", NEVER).start()
    simulate(8, 1)  # whatever is imported first is not the draw's time
    rows = []
    for case in {"wide": WIDE, "families": FAMILIES}.get(given.survey, CASES):
        if given.people is None or case.people in given.people:
            events = range(given.first, given.first + (given.events or case.events))
            best = read_best_draws(given.survey, case.people)
            current = [
                measure(case, *named, best.get(str(event)))
                for event in events
                for named in list_problems(case, event, given.survey)
            ]
            rows += current
            print("\n".join(line for row in current for line in show(row)), sum_up(current), sep="\n", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
