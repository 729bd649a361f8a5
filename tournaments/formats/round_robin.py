"""A round robin: a plan of all rounds is drawn before the first one, so that everybody meets everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from games.rules.info import Text, gettext_noop
from tournaments import draw
from tournaments.formats import stages
from tournaments.formats.base import Course, Pairing, Sizes, Tell
from tournaments.formats.rounds import MOST_ROUNDS, ROUNDS, RoundsFormat, name_people


class RoundRobin(RoundsFormat):
    """The format."""

    slug: ClassVar[str] = "round-robin"
    name: ClassVar[Text] = gettext_noop("Round robin")
    stage: ClassVar[str] = stages.PLAN
    plans_ahead: ClassVar[bool] = True

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """The rounds of a full schedule, as many as a plan may have."""
        full = self.count_schedule(people, sizes)
        return {"rounds_planned": ROUNDS if full is None else min(full, MOST_ROUNDS)}

    def count_schedule(self, people: int, sizes: Sizes) -> int | None:
        """See `Format`."""
        return draw.count_schedule(people, wanted=sizes.wanted, smallest=sizes.least, largest=sizes.most)

    def pair(
        self, course: Course, number: int, *, seed: str, locked: Sequence[Sequence[int]], tell: Tell | None = None
    ) -> Pairing:
        """This round of the plan made before the first one; a new plan if other people are there, or other rules hold.

        Pods that stay together do so in this round, so it is drawn alone then, and the next one begins a new plan.
        """
        present = sorted((course.people[key] for key in course.list_present(number)), key=lambda one: one.number)
        numbers, left = [one.number for one in present], max(1, course.plan.rounds_planned - number + 1)
        problem = course.build_problem(number, seed=seed, locked=locked, rounds=1 if locked else left)
        plan = None if locked else _find_plan(course, number, numbers)
        names = [one.name for one in present]
        drawn = None if plan is None else _follow(course, problem, plan, names, number)
        if drawn is not None:
            return drawn
        solution = draw.solve(problem, tell)
        return name_people(
            course, stages.PLAN, (solution.rounds or ())[0], (solution.round_byes or ())[0],
            solution.to_json() | {"present": names, "numbers": numbers, "first": number},
        )  # fmt: skip


def _follow(
    course: Course, problem: draw.Problem, plan: dict[str, Any], names: Sequence[str], number: int
) -> Pairing | None:
    """What an earlier plan has for this round, None if it breaks a rule of today. names: of today, in its order."""
    here = number - int(plan["first"])
    now = dict(zip(plan["present"], names, strict=True))
    seats = [[now[name] for name in pod["seats"]] for pod in plan["rounds"][here]]
    byes = [now[name] for name in plan["byes"][here]]
    pods = draw.explain_planned(problem, seats, byes)
    return None if pods is None else name_people(course, stages.PLAN, pods, byes, plan)


def _find_plan(course: Course, number: int, numbers: list[int]) -> dict[str, Any] | None:
    """The plan of the round before, if these very people are there, whatever they are called by now."""
    if number == 1 or len(course.rounds) < number - 1:
        return None
    known = course.rounds[number - 2].solution
    plan: dict[str, Any] = msgspec.json.decode(known) if known else {}
    fits = plan.get("numbers") == numbers and number - plan.get("first", number) < len(plan.get("rounds", ()))
    return plan if fits else None


FORMAT = RoundRobin()
