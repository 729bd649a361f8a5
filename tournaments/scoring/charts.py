"""The bump chart of a tournament: places after each round, as coordinates for an SVG. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STEP_X, STEP_Y, LEFT, TOP = 88, 26, 20, 30
"""Pixels: width of a round, height of a place, margins."""
LETTER = 9
"""Pixels: width of a letter of a name, at most."""
MAX_LINES = 16
"""Entrants whose lines are shown, besides the reader's own."""
KINDS = {1: "first", 2: "second", 3: "third"}
"""Classes of lines, by place at the end; tied entrants look alike."""


@dataclass(frozen=True, slots=True)
class BumpLine:
    """The line of one entrant. points: "x,y x,y …"; dots: (x, y, place); end: (x, y) of the label."""

    name: str
    places: tuple[int | None, ...]
    points: str
    dots: tuple[tuple[int, int, int], ...]
    end: tuple[int, int]
    kind: str
    """"first", "second", "third", "me" or "other"."""


@dataclass(frozen=True, slots=True)
class BumpChart:
    """The chart. rounds: (x, number) of each column."""

    width: int
    height: int
    rounds: tuple[tuple[int, int], ...]
    lines: tuple[BumpLine, ...]


def render_bump(
    places: Mapping[str, Sequence[int | None]], names: Mapping[str, str], *, me: str | None
) -> BumpChart | None:
    """The lines of the best entrants and of the reader. places: entrant → place after each round; None before two
    rounds.

    Rows are the final places shown; an entrant who was lower before comes in from the edge.
    """
    rounds = max((len(line_points) for line_points in places.values()), default=0)
    if rounds < 2:
        return None
    order = sorted(places, key=lambda key: (places[key][-1] or 10**6, names[key]))
    shown = order[:MAX_LINES] + ([me] if me in order[MAX_LINES:] and me is not None else [])
    lowest = len(shown)
    lines = []
    for index, key in enumerate(shown):
        dots = tuple(
            (LEFT + number * STEP_X, TOP + (min(place, lowest + 1) - 1) * STEP_Y, place)
            for number, place in enumerate(places[key])
            if place is not None
        )
        if not dots:
            continue
        end_y = TOP + index * STEP_Y
        end_x = LEFT + (rounds - 1) * STEP_X
        kind = "me" if key == me else KINDS.get(places[key][-1] or 0, "other")
        line_points = [
            *((x, y) for x, y, _ in dots[:-1]),
            (dots[-1][0], end_y if dots[-1][0] == end_x else dots[-1][1]),
        ]
        lines.append(
            BumpLine(
                names[key],
                tuple(places[key]),
                " ".join(f"{x},{y}" for x, y in line_points),
                tuple((x, y, place) for (x, y), (_, _, place) in zip(line_points, dots, strict=True)),
                (end_x + 14, end_y + 5),
                kind,
            )
        )
    if not lines:
        return None
    columns = tuple((LEFT + number * STEP_X, number + 1) for number in range(rounds))
    return BumpChart(
        LEFT + (rounds - 1) * STEP_X + 30 + LETTER * max(len(line.name) for line in lines),
        TOP + (lowest + 1) * STEP_Y,
        columns,
        tuple(lines),
    )
