"""Where the points of a career's picture lie: a staircase of ranks, broken where a table ends. Units: pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 720
NARROW: Final = 340
"""Of a picture for a phone: drawn for its size, not made smaller."""
NARROW_STOPS: Final = 24
"""So many deals have room in that one."""
HEIGHT: Final = 220
LEFT: Final = 12
TOP: Final = 14
STEP_MOST: Final = 24.0


class Stop(NamedTuple):
    """One deal. table: any value that is the same for the deals of one table; rank: 1 = top; of: how many; is_last:

    the game ended with it.
    """

    table: object
    rank: int
    of: int
    is_last: bool = False


class Picture(NamedTuple):
    """Each the `d` of one path. stairs: the ranks, deal by deal; breaks: where a new table begins; high, middle, low:
    a mark a deal, at the top (a disc), between, at the bottom (a square); kept: a ring around those at the top with
    which the game ended."""

    stairs: str
    breaks: str
    high: str
    middle: str
    low: str
    kept: str = ""


def draw(stops: Sequence[Stop], *, width: int = WIDTH) -> Picture:
    """The staircase of these deals, first to last; the top rank of any table is at the top of the picture."""
    step = min(STEP_MOST, (width - 2 * LEFT) / max(1, len(stops)))
    stairs, breaks, high, middle, low, kept = "", "", "", "", "", ""
    for index, stop in enumerate(stops):
        x, y = round(LEFT + (index + 0.5) * step, 1), _height(stop)
        begin, end = round(x - step / 2, 1), round(x + step / 2, 1)
        if index and stops[index - 1].table == stop.table:
            stairs += f"V{y}H{end}"
        else:
            stairs += f"M{begin} {y}H{end}"
            breaks += f"M{begin} 4V{HEIGHT}" if index else ""
        if stop.rank == 1:
            high += _disc(x, y, 6)
            kept += _disc(x, y, 10) if stop.is_last else ""
        elif stop.rank == stop.of:
            low += f"M{x - 4:g} {y - 4:g}h8v8h-8z"
        else:
            middle += _disc(x, y, 3.5)
    return Picture(stairs, breaks, high, middle, low, kept)


def _disc(x: float, y: float, radius: float) -> str:
    return f"M{x - radius:g} {y:g}a{radius} {radius} 0 1 0 {2 * radius:g} 0a{radius} {radius} 0 1 0 {-2 * radius:g} 0"


def _height(stop: Stop) -> float:
    share = (stop.rank - 1) / (stop.of - 1) if stop.of > 1 else 0.0
    return round(TOP + share * (HEIGHT - 2 * TOP), 1)


class Band(NamedTuple):
    """A rating's history. line: the `points` of a polyline; band: its ±; low, high: ends of the scale."""

    line: str
    band: str
    low: int
    high: int


def draw_rating(numbers: Sequence[int], spreads: Sequence[int]) -> Band:
    """The history of a rating with its uncertainty, first to last; as long as one another and not empty."""
    low = min(number - spread for number, spread in zip(numbers, spreads, strict=True))
    high = max(number + spread for number, spread in zip(numbers, spreads, strict=True))
    step = (WIDTH - 2 * LEFT) / max(1, len(numbers) - 1)
    xs = [round(LEFT + index * step, 1) for index in range(len(numbers))]

    def height(value: float) -> float:
        return round(HEIGHT - TOP - (value - low) / max(1, high - low) * (HEIGHT - 2 * TOP), 1)

    above = [f"{x},{height(number + spread)}" for x, number, spread in zip(xs, numbers, spreads, strict=True)]
    below = [f"{x},{height(number - spread)}" for x, number, spread in zip(xs, numbers, spreads, strict=True)]
    line = [f"{x},{height(number)}" for x, number in zip(xs, numbers, strict=True)]
    return Band(" ".join(line), " ".join([*above, *reversed(below)]), low, high)
