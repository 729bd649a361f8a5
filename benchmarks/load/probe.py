"""What the benchmarks' closed loop measures: latencies at all screens, processor and memory of the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Measured(TypedDict):
    """One run. Latencies in ms, CPU of this process in % of one core."""

    tables: int
    think: float
    seconds: float
    moves: int
    moves_s: float
    p50: float
    p95: float
    p99: float
    max: float
    bytes_update: int
    full_updates: int
    games: int
    stalled: int
    errors: list[str]
    driver_cpu: float


class Probe:
    """Called when measuring begins and ends."""

    def begin(self) -> None:
        """Measuring begins."""

    def end(self, seconds: float) -> None:
        """Measuring is over, after so many seconds."""


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the values lies, in any order; 0 if there are none."""
    ranked = sorted(values)
    return round(ranked[min(len(ranked) - 1, int(part * len(ranked)))], 2) if ranked else 0.0
