"""The incumbent: the best draw that is known, and what is proven of each line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.objective import ObjectiveValues, evaluate
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.seat_assignment import seat_pod
from tournaments.draw.program.costs import convert_from_units, convert_to_units
from tournaments.draw.program.relaxation import Columns
from tournaments.draw.proof.arithmetic_bounds import bound_by_arithmetic


class SeatedDraw(NamedTuple):
    """pods: people in seat order; byes; values of all lines."""

    pods: list[tuple[int, ...]]
    byes: list[int]
    values: ObjectiveValues


def seat_draw(instance: Instance, pods: Sequence[Sequence[int]], byes: Sequence[int]) -> SeatedDraw:
    """A draw with everybody in the best seat of their pod, pods from the top down."""
    seated = [seat_pod(sorted(pod), instance.seat_counts) for pod in pods]
    seated.sort(key=lambda pod: (sum(pod) / len(pod), min(pod)))
    return SeatedDraw(seated, sorted(byes), evaluate(instance, seated, byes))


def read_draw(instance: Instance, columns: Columns) -> SeatedDraw:
    """The draw of these columns; columns of one person are byes."""
    pods = list_members(columns)
    return seat_draw(instance, [pod for pod in pods if len(pod) > 1], [pod[0] for pod in pods if len(pod) == 1])


def list_members(columns: Columns) -> list[list[int]]:
    """The people of each column."""
    return [[member for member in row if member >= 0] for row in columns.members.tolist()]


class Incumbent:
    """`drawn` is the best draw so far, `bounds` what is proven of it."""

    def __init__(self, instance: Instance, drawn: SeatedDraw, scales: Scales) -> None:
        self.instance, self.drawn, self.scales = instance, drawn, scales
        self.bounds = bound_by_arithmetic(instance, drawn.values)

    def take(self, drawn: SeatedDraw) -> None:
        """Keep the better of the two; bounds of lines whose values agree still hold."""
        if drawn.values >= self.drawn.values:
            return
        simple = bound_by_arithmetic(self.instance, drawn.values)
        kept = []
        is_same = True
        for old, new, bound, plain in zip(self.drawn.values, drawn.values, self.bounds, simple, strict=True):
            kept.append(max(bound, plain) if is_same else plain)
            is_same = is_same and old == new
        self.drawn, self.bounds = drawn, ObjectiveValues(*kept)

    def raise_bound(self, line: str, units: int) -> None:
        """Note a bound of a line, in the unit in which columns are costed."""
        units = self.scales.attainable.round_up(units) if line == "pairing" else units
        bound = convert_from_units(self.instance, self.drawn.values, line, units, self.scales)
        value, bound_so_far = getattr(self.drawn.values, line), getattr(self.bounds, line)
        self.bounds = self.bounds._replace(**{line: min(value, max(bound_so_far, bound))})

    def convert_to_units(self, line: str) -> int:
        """What the draw costs on this line, in the unit in which columns are costed."""
        return convert_to_units(self.instance, self.drawn.values, line, self.scales)
