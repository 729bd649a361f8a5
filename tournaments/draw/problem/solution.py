"""The answer: pods with reasons, byes, and a certificate line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.draw.problem.definition import FORMAT

OBJECTIVE_LINES = ("byes", "repeat_byes", "bye_scores", "sizes", "pods", "thirds", "pairing", "odd_sizes", "seats")
"""The lines of the objective, most important first."""

PLAN_LINE = "repeats"
"""The only objective line of a round robin that is planned as a whole."""

NOBODY_MET = "nobody here has met before"
"""A reason; it speaks of all rounds in the problem's history."""


@dataclass(frozen=True)
class Sentence:
    """An English template with %(name)s placeholders, and the values that fill them. A list of ids is a tuple."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = {name: ", ".join(value) if isinstance(value, tuple) else value for name, value in self.values.items()}
        return self.template % shown


@dataclass(frozen=True)
class Pod:
    """seats: ids, the first plays first; reason: why these people sit together, for a player to read."""

    seats: tuple[str, ...]
    reason: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class ObjectiveLine:
    """One line of the objective. value: reached; bound: proven lower bound, given the values of the lines before."""

    name: str
    value: int
    bound: int

    @property
    def is_proven(self) -> bool:
        """Whether the value is proven to be the best possible."""
        return self.value == self.bound


def describe_stop(lines: Sequence[ObjectiveLine], is_clock_over: bool) -> str | None:
    """What ended the work before everything was proven; None if everything is."""
    unproven = [line.name for line in lines if not line.is_proven]
    if not unproven:
        return None
    return "clock" if is_clock_over else f"work limit: {unproven[0]} not proven"


@dataclass(frozen=True)
class Solution:
    """stopped: None if every line is proven, "clock" after the emergency stop (not reproducible), else why not.

    For a plan, rounds holds the pods of every round, round_byes the byes of each; pods and byes are empty.
    """

    pods: tuple[Pod, ...]
    byes: tuple[str, ...]
    objective: tuple[ObjectiveLine, ...]
    stopped: str | None
    seconds: float
    rounds: tuple[tuple[Pod, ...], ...] | None = None
    round_byes: tuple[tuple[str, ...], ...] | None = None

    @property
    def optimal(self) -> bool:
        """Whether every line is proven."""
        return all(line.is_proven for line in self.objective)

    def to_json(self) -> dict[str, Any]:
        """The answer in the form of menagerie-draw/1, reasons in English."""
        if self.rounds is None:
            drawn: dict[str, Any] = {"pods": [_write_pod(pod) for pod in self.pods], "byes": list(self.byes)}
        else:
            drawn = {
                "rounds": [[_write_pod(pod) for pod in pods] for pods in self.rounds],
                "byes": [list(byes) for byes in self.round_byes or ()],
            }
        return {
            "format": FORMAT,
            **drawn,
            "objective": [{"name": line.name, "value": line.value, "bound": line.bound} for line in self.objective],
            "optimal": self.optimal,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
        }


def _write_pod(pod: Pod) -> dict[str, Any]:
    return {"seats": list(pod.seats), "reason": "; ".join(str(sentence) for sentence in pod.reason)}
