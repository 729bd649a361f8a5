"""A model of the processor: each kind of process has a base, and a cost of each thing that happens.

    share of a core = base + Σ cost × how often it happens a second (sockets: how many are open)

The costs are found from a run whose parts begin one after another: with each part one thing begins to happen, and what
the process uses more than is explained already is that thing's cost. The base is what the smallest installation uses at
rest. So nothing is fitted to the points that the model is to predict. The fuller the machine, the more is done in each
transaction and each frame: where runs of parts were made at several sizes, the costs of sizes between lie between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Shares = Mapping[str, float]
"""Cores by kind of process: web, postgres, redis, worker."""
Counts = Mapping[str, float]
"""How often things happen, by unit."""

UNITS = {
    "clock": "turns that run out, a second",
    "socket": "open sockets with their heartbeats",
    "move": "moves of people, a second, with the pictures of those at the table",
    "bot move": "moves of bots, a second",
    "frame": "pictures to spectators, a second",
    "page": "pages, a second, hall displays among them",
    "round": "rounds, a second: import of 50 entrants, draw, 12 or 13 results",
}
"""What costs something, in the order in which a run of parts brings it in."""
MIN_SHARE = 0.03
"""Of a core: of less, the deviation is not told, as the clock of the system is too coarse for it."""
TOLERANCE = 0.2


class Part(NamedTuple):
    """One part of a run. brings: the unit that begins with it."""

    brings: str
    counts: Counts
    shares: Shares


class Costs(NamedTuple):
    """base: cores by process; units: seconds of a core by unit and process (of a socket: cores)."""

    base: dict[str, float]
    units: dict[str, dict[str, float]]


class Deviation(NamedTuple):
    """What was predicted beside what was measured, in cores; percent: None if both are too little to compare."""

    process: str
    predicted: float
    measured: float
    percent: float | None


def find_costs(base: Shares, parts: Sequence[Part]) -> Costs:
    """The costs, from the smallest installation at rest and a run of parts.

    A cost is never negative; that of a thing that did not happen is 0. Raises ValueError for an unknown unit.
    """
    found = Costs(dict(base), {})
    for part in parts:
        if part.brings not in UNITS:
            raise ValueError(f"not a unit: {part.brings}")
        explained, often = predict(found, part.counts), part.counts.get(part.brings, 0.0)
        found.units[part.brings] = {
            process: max(0.0, (share - explained.get(process, 0.0)) / often) if often > 0 else 0.0
            for process, share in part.shares.items()
        }
    return found


def interpolate(found: Mapping[float, Costs], size: float) -> Costs:
    """The costs at a size, linear between the nearest two at which they were found; beyond them, those of the nearest.

    found: by size, at least one, all with the same units and processes.
    """
    below = max((known for known in found if known <= size), default=min(found))
    above = min((known for known in found if known >= size), default=max(found))
    weight = (size - below) / (above - below) if below < above else 0.0
    lower, upper = found[below], found[above]

    def mix(first: Shares, second: Shares) -> dict[str, float]:
        return {process: (1 - weight) * share + weight * second[process] for process, share in first.items()}

    return Costs(
        mix(lower.base, upper.base), {unit: mix(shares, upper.units[unit]) for unit, shares in lower.units.items()}
    )


def predict(costs: Costs, counts: Counts) -> dict[str, float]:
    """Cores by process for what happens."""
    processes = {*costs.base, *(process for unit in costs.units.values() for process in unit)}
    return {
        process: costs.base.get(process, 0.0)
        + sum(cost.get(process, 0.0) * counts.get(unit, 0.0) for unit, cost in costs.units.items())
        for process in sorted(processes)
    }


def compare(predicted: Shares, measured: Shares) -> list[Deviation]:
    """Predicted beside measured, process by process, and at the end all together."""
    pairs = [(process, predicted.get(process, 0.0), share) for process, share in measured.items()]
    pairs.append(("together", sum(pair[1] for pair in pairs), sum(measured.values())))
    return [
        Deviation(process, guess, share, 100 * (guess - share) / share if share >= MIN_SHARE else None)
        for process, guess, share in pairs
    ]


def is_within(deviations: Sequence[Deviation], tolerance: float = TOLERANCE) -> bool:
    """Whether every deviation that is told is within the tolerance."""
    return all(abs(one.percent) <= 100 * tolerance for one in deviations if one.percent is not None)
