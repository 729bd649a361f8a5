"""A round robin: a plan of all rounds is drawn before the first one, so that everybody meets everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from games.rules.info import Text, gettext_noop
from tournaments import draw
from tournaments.formats import stages
from tournaments.formats.base import DrawContext, Pairing, ReportProgress, Sizes
from tournaments.formats.rounds import MAX_ROUNDS, ROUNDS, RoundsFormat, build_named_pairing


class RoundRobin(RoundsFormat):
    """The format."""

    slug: ClassVar[str] = "round-robin"
    name: ClassVar[Text] = gettext_noop("Round robin")
    stage: ClassVar[str] = stages.PLAN
    unused_fields: ClassVar[tuple[str, ...]] = ("repeat_worth",)
    plans_ahead: ClassVar[bool] = True

    def propose(self, people: int, sizes: Sizes) -> Mapping[str, int]:
        """The rounds of a full schedule, as many as a plan may have."""
        full = self.count_schedule(people, sizes)
        return {"rounds_planned": ROUNDS if full is None else min(full, MAX_ROUNDS)}

    def count_schedule(self, people: int, sizes: Sizes) -> int | None:
        """See `Format`."""
        return draw.count_schedule(people, wanted=sizes.wanted, smallest=sizes.least, largest=sizes.most)

    def pair(
        self,
        context: DrawContext,
        number: int,
        *,
        seed: str,
        locked: Sequence[Sequence[int]],
        report: ReportProgress | None = None,
    ) -> Pairing:
        """This round of the plan made before the first one; a new plan if the people or the pair rules have changed.

        With locked pods this round is drawn alone, and the next one begins a new plan.
        """
        present = sorted(
            (context.people[key] for key in context.list_present(number)), key=lambda person: person.number
        )
        numbers, left = [person.number for person in present], max(1, context.plan.rounds_planned - number + 1)
        problem = context.build_problem(number, seed=seed, locked=locked, rounds=1 if locked else left)
        plan = None if locked else _find_plan(context, number, numbers)
        names = [person.name for person in present]
        drawn = None if plan is None else _reuse_plan(context, problem, plan, names, number)
        if drawn is not None:
            return drawn
        solution = draw.solve(problem, report)
        return build_named_pairing(
            context, stages.PLAN, (solution.rounds or ())[0], (solution.round_byes or ())[0],
            solution.to_json() | {"present": names, "numbers": numbers, "first": number},
        )  # fmt: skip


def _reuse_plan(
    context: DrawContext, problem: draw.Problem, plan: dict[str, Any], names: Sequence[str], number: int
) -> Pairing | None:
    """This round of an earlier plan; None if it breaks a present rule. names: the present ones, in its order."""
    index = number - int(plan["first"])
    now = dict(zip(plan["present"], names, strict=True))
    seats = [[now[name] for name in pod["seats"]] for pod in plan["rounds"][index]]
    byes = [now[name] for name in plan["byes"][index]]
    pods = draw.explain_planned(problem, seats, byes)
    return None if pods is None else build_named_pairing(context, stages.PLAN, pods, byes, plan)


def _find_plan(context: DrawContext, number: int, numbers: list[int]) -> dict[str, Any] | None:
    """The plan of the round before, if the same people are present; they may have been renamed. numbers: theirs."""
    if number == 1 or len(context.rounds) < number - 1:
        return None
    solution = context.rounds[number - 2].solution
    plan: dict[str, Any] = msgspec.json.decode(solution) if solution else {}
    fits = plan.get("numbers") == numbers and number - plan.get("first", number) < len(plan.get("rounds", ()))
    return plan if fits else None


FORMAT = RoundRobin()
