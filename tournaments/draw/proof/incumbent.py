"""The best draw that is known, and line by line what is proven of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournaments.draw.problem.instance import Instance
from tournaments.draw.problem.objective import Values, evaluate
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.seat_assignment import seat_pod
from tournaments.draw.program.costs import count_units, from_units
from tournaments.draw.program.relaxation import Columns
from tournaments.draw.proof.arithmetic_bounds import bound_simply


class Drawn(NamedTuple):
    """pods: people in seat order."""

    pods: list[tuple[int, ...]]
    byes: list[int]
    values: Values


def seat_draw(instance: Instance, pods: Sequence[Sequence[int]], byes: Sequence[int]) -> Drawn:
    """Everybody in the pod's best seats, pods from the top down."""
    seated = [seat_pod(sorted(pod), instance.sat) for pod in pods]
    seated.sort(key=lambda pod: (sum(pod) / len(pod), min(pod)))
    return Drawn(seated, sorted(byes), evaluate(instance, seated, byes))


def read_draw(instance: Instance, columns: Columns) -> Drawn:
    """The draw of these pods; pods of one are byes."""
    pods = list_members(columns)
    return seat_draw(instance, [pod for pod in pods if len(pod) > 1], [pod[0] for pod in pods if len(pod) == 1])


def list_members(columns: Columns) -> list[list[int]]:
    """Of each who is in it."""
    return [[one for one in row if one >= 0] for row in columns.members.tolist()]


class Certified:
    """`drawn` is the best draw so far, `bounds` what is proven of it."""

    def __init__(self, instance: Instance, drawn: Drawn, scales: Scales) -> None:
        self.instance, self.drawn, self.scales = instance, drawn, scales
        self.bounds = bound_simply(instance, drawn.values)

    def take(self, drawn: Drawn) -> None:
        """The better of the two; bounds of the lines that are as before still hold."""
        if drawn.values >= self.drawn.values:
            return
        simple = bound_simply(self.instance, drawn.values)
        kept = []
        is_same = True
        for old, new, bound, plain in zip(self.drawn.values, drawn.values, self.bounds, simple, strict=True):
            kept.append(max(bound, plain) if is_same else plain)
            is_same = is_same and old == new
        self.drawn, self.bounds = drawn, Values(*kept)

    def raise_bound(self, line: str, units: int) -> None:
        """A line has a new bound, in the unit in which columns are costed."""
        units = self.scales.grain.raise_up(units) if line == "pairing" else units
        bound = from_units(self.instance, self.drawn.values, line, units, self.scales)
        value, known = getattr(self.drawn.values, line), getattr(self.bounds, line)
        self.bounds = self.bounds._replace(**{line: min(value, max(known, bound))})

    def count_units(self, line: str) -> int:
        """What the draw costs by this line, in the unit in which columns are costed."""
        return count_units(self.instance, self.drawn.values, line, self.scales)
