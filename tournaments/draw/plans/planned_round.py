"""A round that was planned earlier, checked against today's rules and explained by what has been played since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournaments.draw.problem.definition import Problem
from tournaments.draw.problem.instance import build_instance
from tournaments.draw.problem.objective import is_allowed
from tournaments.draw.problem.reasons import choose_plan_templates, explain_pod
from tournaments.draw.problem.solution import Pod


def explain(problem: Problem, pods: Sequence[Sequence[str]], byes: Sequence[str]) -> tuple[Pod, ...] | None:
    """These pods with their reasons; None if they break a hard rule of the problem. Raises Conflict."""
    instance = build_instance(replace(problem, swiss=False))
    index = {one: number for number, one in enumerate(instance.ids)}
    seated, out = [[index[member] for member in pod] for pod in pods], [index[entrant] for entrant in byes]
    if not is_allowed(instance, seated, out):
        return None
    templates = choose_plan_templates(instance, seated, out)
    return tuple(
        Pod(tuple(pod), explain_pod(instance, seats, templates)) for pod, seats in zip(pods, seated, strict=True)
    )
