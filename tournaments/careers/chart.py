"""Coordinates of a career's charts: a step line of ranks, broken where a table ends, and a rating's history. Units:
pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 720
"""Width of the chart on a large screen."""
NARROW_WIDTH: Final = 340
"""Width of the chart for a phone, drawn at its size rather than scaled down."""
NARROW_DEALS: Final = 24
"""Deals that fit into the narrow chart."""
HEIGHT: Final = 220
"""Height of every chart."""
LEFT: Final = 12
TOP: Final = 14
"""Margins: LEFT on either side, TOP above and below."""
MAX_STEP: Final = 24.0
"""Width of one deal, at most."""


class ChartDeal(NamedTuple):
    """One deal of the chart. table: a value that the deals of one table share; rank: 1 = top; of: number of ranks.

    is_last: the game ended with it.
    """

    table: object
    rank: int
    of: int
    is_last: bool = False


class RankChart(NamedTuple):
    """Each field is the `d` of one SVG path. stairs: the ranks, deal by deal; breaks: where a new table begins.

    spots: x, y, rank and number of ranks of each deal, for what is shown under a pointer.

    high, middle, low: a mark for each deal at the top (a disc), between, at the bottom (a square); kept: a ring around
    the top ranks with which a game ended.
    """

    stairs: str
    breaks: str
    high: str
    middle: str
    low: str
    kept: str = ""
    spots: tuple[tuple[float, float, int, int], ...] = ()


def render_ranks(stops: Sequence[ChartDeal], *, width: int = WIDTH) -> RankChart:
    """The step line of these deals, first to last; the top rank of any table is at the top of the chart."""
    step = min(MAX_STEP, (width - 2 * LEFT) / max(1, len(stops)))
    stairs, breaks, high, middle, low, kept = "", "", "", "", "", ""
    spots = []
    for index, stop in enumerate(stops):
        x, y = round(LEFT + (index + 0.5) * step, 1), _height_of(stop)
        spots.append((x, y, stop.rank, stop.of))
        begin, end = round(x - step / 2, 1), round(x + step / 2, 1)
        if index and stops[index - 1].table == stop.table:
            stairs += f"V{y}H{end}"
        else:
            stairs += f"M{begin} {y}H{end}"
            breaks += f"M{begin} 4V{HEIGHT}" if index else ""
        if stop.rank == 1:
            high += _write_circle(x, y, 6)
            kept += _write_circle(x, y, 10) if stop.is_last else ""
        elif stop.rank == stop.of:
            low += f"M{x - 4:g} {y - 4:g}h8v8h-8z"
        else:
            middle += _write_circle(x, y, 3.5)
    return RankChart(stairs, breaks, high, middle, low, kept, tuple(spots))


def _write_circle(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g} {y:g}a{radius} {radius} 0 1 0 {2 * radius:g} 0a{radius} {radius} 0 1 0 {-2 * radius:g} 0"


def _height_of(stop: ChartDeal) -> float:
    share = (stop.rank - 1) / (stop.of - 1) if stop.of > 1 else 0.0
    return round(TOP + share * (HEIGHT - 2 * TOP), 1)


class RatingChart(NamedTuple):
    """A rating's history. line: `points` of a polyline; band: those of its ± area; low, high: ends of the scale."""

    line: str
    band: str
    low: int
    high: int


def render_rating(numbers: Sequence[int], spreads: Sequence[int]) -> RatingChart:
    """The history of a rating with its uncertainty, first to last. Both lists have the same length, at least 1."""
    low = min(number - spread for number, spread in zip(numbers, spreads, strict=True))
    high = max(number + spread for number, spread in zip(numbers, spreads, strict=True))
    step = (WIDTH - 2 * LEFT) / max(1, len(numbers) - 1)
    xs = [round(LEFT + index * step, 1) for index in range(len(numbers))]

    def height(value: float) -> float:
        return round(HEIGHT - TOP - (value - low) / max(1, high - low) * (HEIGHT - 2 * TOP), 1)

    above = [f"{x},{height(number + spread)}" for x, number, spread in zip(xs, numbers, spreads, strict=True)]
    below = [f"{x},{height(number - spread)}" for x, number, spread in zip(xs, numbers, spreads, strict=True)]
    line = [f"{x},{height(number)}" for x, number in zip(xs, numbers, strict=True)]
    return RatingChart(" ".join(line), " ".join([*above, *reversed(below)]), low, high)
