"""The bracket of a knockout as a picture: stages from left to right, tables as boxes, lines to the next stage. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BOX_WIDTH, GAP_X, GAP_Y, LINE, HEAD, TOP = 210, 56, 18, 22, 26, 34
"""Pixels: a table's box, the space between stages and between tables, a name, a table's heading, the stages' names."""
MAX_PEOPLE = 256
"""Seats of a first stage that a picture shows. More would make it too long to read."""


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """Somebody at a table. key: the same in every stage; place: empty without a result; advances: to the next stage."""

    key: str
    name: str
    place: str = ""
    advances: bool = False


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table of a stage; a bye is one without a number."""

    number: int | None
    seats: tuple[BracketSeat, ...]


@dataclass(frozen=True, slots=True)
class BracketStage:
    """A stage with its name in words."""

    name: str
    tables: tuple[BracketTable, ...]


@dataclass(frozen=True, slots=True)
class BracketBox:
    """A table in the picture. x, y: its corner; rows: (y of the line, seat)."""

    x: int
    y: int
    height: int
    number: int | None
    rows: tuple[tuple[int, BracketSeat], ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The picture. heads: (x, name of the stage); links: paths from somebody to their seat in the next stage."""

    width: int
    height: int
    heads: tuple[tuple[int, str], ...]
    boxes: tuple[BracketBox, ...]
    links: tuple[str, ...]


def arrange_bracket(stages: Sequence[BracketStage]) -> Bracket | None:
    """The picture of these stages; None without one, or with more people than it can show."""
    if not stages or sum(len(table.seats) for table in stages[0].tables) > MAX_PEOPLE:
        return None
    heights = [sum(HEAD + LINE * len(table.seats) + GAP_Y for table in stage.tables) - GAP_Y for stage in stages]
    tallest = max(heights)
    boxes: list[BracketBox] = []
    links: list[str] = []
    before: dict[str, tuple[int, int]] = {}
    for column, (stage, height) in enumerate(zip(stages, heights, strict=True)):
        x = column * (BOX_WIDTH + GAP_X)
        free = (tallest - height) // (len(stage.tables) + 1)
        y, here = TOP + free, {}
        for table in stage.tables:
            rows = tuple((y + HEAD + LINE * at, seat) for at, seat in enumerate(table.seats))
            boxes.append(BracketBox(x, y, HEAD + LINE * len(rows), table.number, rows))
            for row, seat in rows:
                here[seat.key] = (x, row + LINE // 2)
                if seat.key in before:
                    links.append(_link(before[seat.key], here[seat.key]))
            y += HEAD + LINE * len(rows) + GAP_Y + free
        before = here
    width = len(stages) * (BOX_WIDTH + GAP_X) - GAP_X
    heads = tuple((column * (BOX_WIDTH + GAP_X), stage.name) for column, stage in enumerate(stages))
    return Bracket(width, TOP + tallest + GAP_Y, heads, tuple(boxes), tuple(links))


def _link(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y = start[0] + BOX_WIDTH, start[1]
    middle = (x + end[0]) // 2
    return f"M{x} {y}C{middle} {y} {middle} {end[1]} {end[0]} {end[1]}"
