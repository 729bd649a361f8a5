"""What columns cost on each line of the objective: the sums of objective.py for many pods at once."""

from __future__ import annotations

import numpy as np

from tournaments.draw.problem.instance import Instance, Ints
from tournaments.draw.problem.objective import ObjectiveValues
from tournaments.draw.problem.pair_costs import Scales
from tournaments.draw.problem.seat_assignment import cost_seats
from tournaments.draw.program.relaxation import Columns


def cost_columns(instance: Instance, columns: Columns, line: str, scales: Scales) -> Ints:
    """Per column its cost on the line, in the unit of `convert_to_units`; a column of one person is a bye."""
    size = (columns.members >= 0).sum(axis=1)
    is_bye = size == 1
    first, wanted = columns.members[:, 0], instance.problem.wanted
    match line:
        case "byes":
            return np.asarray(is_bye, dtype=np.int64)
        case "repeat_byes":
            return np.where(is_bye, instance.byes[first], 0)
        case "bye_scores":
            return np.where(is_bye, instance.scores[first] - instance.scores.min(), 0)
        case "sizes":
            return np.where(is_bye, 0, abs(size - wanted))
        case "pods":
            return np.asarray(~is_bye, dtype=np.int64)
        case "odd_sizes":
            odd = np.append(instance.odd_counts, 0)[columns.members].sum(axis=1)
            return np.where(is_bye | (size == wanted), 0, odd)
        case _:
            return _cost_by_size(instance, columns, size, line, scales)


def convert_to_units(instance: Instance, values: ObjectiveValues, line: str, scales: Scales) -> int:
    """The value of a line in the unit in which columns are costed."""
    value = int(getattr(values, line))
    if line == "pairing":
        return value // scales.scale**2
    return value - values.byes * int(instance.scores.min()) if line == "bye_scores" else value


def convert_from_units(instance: Instance, values: ObjectiveValues, line: str, units: int, scales: Scales) -> int:
    """The inverse of `convert_to_units`."""
    if line == "pairing":
        return units * scales.scale**2
    return units + values.byes * int(instance.scores.min()) if line == "bye_scores" else units


def _cost_by_size(instance: Instance, columns: Columns, size: Ints, line: str, scales: Scales) -> Ints:
    cost = np.zeros(len(size), dtype=np.int64)
    for seats in sorted(set(size.tolist()) - {1}):
        chosen = np.flatnonzero(size == seats)
        members = columns.members[chosen, :seats]
        if line == "seats":
            cost[chosen] = cost_seats(members, instance.seat_counts)
        else:
            cost[chosen] = _cost_pairs(instance, members, line, scales)
    return cost


def _cost_pairs(instance: Instance, members: Ints, line: str, scales: Scales) -> Ints:
    met = instance.count_meetings()
    pair = np.maximum(met - 1, 0) ** 2 if line == "thirds" else scales.repeat_cost * met**2
    cost = np.zeros(len(members), dtype=np.int64)
    for one in range(members.shape[1]):
        for other in range(one):
            cost += pair[members[:, one], members[:, other]]
    if line == "pairing":
        cost += ((instance.scores[members[:, 0]] - instance.scores[members[:, -1]]) // scales.scale) ** 2
    return cost
